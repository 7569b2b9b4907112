import { labelOf } from '#domain/claim/text.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { ASSETS } from '#domain/asset.ts'
import { Button } from '#web/ui/button.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { type Detail } from './calls.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { differences, FIELD_NAMES, type Changes, type Difference } from './edit-fields.ts'
import { dateText, STATUS_NAMES } from './row-texts.ts'
import { Panel, Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { DenseTable } from '#web/ui/dense-table.tsx'

/** Somebody else was faster: what they changed, beside what one has typed oneself, and the two ways on. */
export function StaleEdit({
  base,
  now,
  mine,
  isBusy,
  onTakeTheirs,
  onKeepMine,
}: {
  /** The state the edit was begun from. */
  readonly base: SubmissionRow
  readonly now: Detail
  /** What one has changed oneself. */
  readonly mine: Changes
  readonly isBusy: boolean
  readonly onTakeTheirs: () => void
  readonly onKeepMine: () => void
}) {
  const changes = differences(base, now.submission)
  const who = authorsSince(base, now)
  return (
    <Panel as="section" tone="wait" role="alert" aria-label="Changed meanwhile">
      <Text as="h3" size="base">
        {who} changed this submission while you were editing.
      </Text>
      {changes.length > 0 && (
        <DenseTable label="Changes" columns={['Field', 'Was', 'Theirs', 'Yours']} isPlain>
          {changes.map((change) => (
            <tr key={change.field}>
              <th scope="row">{FIELD_NAMES[change.field]}</th>
              <td>{shown(change.field, change.before)}</td>
              <td>
                <b>{shown(change.field, change.after)}</b>
              </td>
              <td>{shownOf(mine, change.field)}</td>
            </tr>
          ))}
        </DenseTable>
      )}
      <Text size="small">
        Fields that only one of you changed are kept either way. Nothing of yours has been saved
        yet.
      </Text>
      <Row>
        <Button disabled={isBusy} onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button disabled={isBusy} onClick={onKeepMine}>
          Keep mine and save
        </Button>
      </Row>
    </Panel>
  )
}

function authorsSince(base: SubmissionRow, { audit }: Detail): string {
  const since = audit.filter(({ after }) => {
    const version = after?.['version']
    return typeof version === 'number' && version > base.version
  })
  const [last] = since
  if (!last) return 'Somebody else'
  const names = [...new Set(since.map(({ username }) => username))].join(' and ')
  return `${names} (${showMoment(last.at)})`
}

function shownOf(changes: Changes, field: Difference['field']): string {
  const value = field === 'prediction_made' ? undefined : changes[field]
  return value === undefined ? 'not changed' : shown(field, value)
}

const LONGEST = 120

function shown(field: Difference['field'], value: string): string {
  if (field === 'target_time' || field === 'prediction_made') return dateText(value)
  const names: Readonly<Record<string, string>> =
    field === 'status' ? STATUS_NAMES : field === 'prediction_type' ? TYPE_LABELS : {}
  const text = field === 'asset_type' ? (ASSET_NAMES[value] ?? value) : (names[value] ?? value)
  if (text === '') return 'empty'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const TYPE_LABELS = Object.fromEntries(PREDICTION_TYPES.map((type) => [type, labelOf(type)]))

const ASSET_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(ASSETS).map(({ key, name }) => [key, name]),
)
