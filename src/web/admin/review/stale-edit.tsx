import { labelOf } from '#domain/claim/text.ts'
import { DIRECTION_OPTIONS, TIMING_NAMES } from '#domain/claim/form-text.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { ASSETS } from '#domain/asset.ts'
import { Conflict } from '#web/ui/change-failure.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { type Detail } from './calls.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import {
  differences,
  FIELD_NAMES,
  type Changes,
  type Difference,
  shownValue,
} from './edit-fields.ts'
import { dateText, STATUS_NAMES } from './row-texts.ts'
import { DenseTable } from '#web/ui/dense-table.tsx'

/** Another administrator was faster: what they changed, beside what was typed here, and the two ways on. */
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
  /** What was changed here. */
  readonly mine: Changes
  readonly isBusy: boolean
  readonly onTakeTheirs: () => void
  readonly onKeepMine: () => void
}) {
  const changes = differences(base, now.submission)
  return (
    <Conflict
      said={`${authorsSince(base, now)} changed this submission while you were editing.`}
      isBusy={isBusy}
      onTakeTheirs={onTakeTheirs}
      onKeepMine={onKeepMine}
    >
      {changes.length > 0 && (
        <DenseTable label="Changes" columns={['Field', 'Was', 'Theirs', 'Yours']} isPlain>
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{FIELD_NAMES[field]}</th>
              <td>{shown(field, before)}</td>
              <td>
                <b>{shown(field, after)}</b>
              </td>
              <td>{shownOf(mine, field)}</td>
            </tr>
          ))}
        </DenseTable>
      )}
      <p>
        Fields that only one of you changed are kept either way. Nothing of yours has been saved
        yet.
      </p>
    </Conflict>
  )
}

function authorsSince(base: SubmissionRow, { audit }: Detail): string {
  const since = audit.filter(({ after }) => {
    const version = after?.['version']
    return typeof version === 'number' && version > base.version
  })
  const [last] = since
  if (!last) return 'Another administrator'
  const names = [...new Set(since.map(({ username }) => username))].join(' and ')
  return `${names} (${showMoment(last.at)})`
}

function shownOf(changes: Changes, field: Difference['field']): string {
  const value = field === 'prediction_made' ? undefined : changes[field]
  return value === undefined ? 'not changed' : shown(field, shownValue(value))
}

const LONGEST = 120

function shown(field: Difference['field'], value: string): string {
  if (field === 'target_time' || field === 'prediction_made') return dateText(value)
  const text = NAMES[field]?.[value] ?? value
  if (text === '') return 'empty'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** What is chosen from a list, as the list calls it. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: STATUS_NAMES,
  prediction_type: Object.fromEntries(PREDICTION_TYPES.map((type) => [type, labelOf(type)])),
  timing: TIMING_NAMES,
  direction: Object.fromEntries(DIRECTION_OPTIONS),
  asset_type: Object.fromEntries(Object.values(ASSETS).map(({ key, name }) => [key, name])),
}
