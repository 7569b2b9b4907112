import { type AuditRow } from '#contracts/operations.ts'
import { sentenceCase } from '#domain/price-text.ts'
import { Stack, Text } from '#web/ui/primitives.tsx'
import { showDate, showMoment } from '#web/ui/show.ts'

/** What an entry of the audit log changed, by field. */
export function Changes({ row }: { readonly row: State }) {
  const changes = changesOf(row)
  if (changes.length === 0) return <Text tone="quiet">Nothing was changed.</Text>
  return (
    <Stack as="ul" gap={2} size="small" aria-label="What it changed">
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <b>{field}</b>:{' '}
          {before !== null && (
            <>
              <bdi>{before}</bdi> →{' '}
            </>
          )}
          <bdi>{after}</bdi>
        </li>
      ))}
    </Stack>
  )
}

type State = Pick<AuditRow, 'before' | 'after'>
type Change = { readonly field: string; readonly before: string | null; readonly after: string }

/** Labels for fields whose database name would not be understood. */
const FIELDS: Readonly<Record<string, string>> = {
  'X text': 'Text on X',
  'Nostr text': 'Text on Nostr',
  'Bluesky text': 'Text on Bluesky',
  'Remote id': 'Number on the network',
  'Kept session': 'Session that stays',
}

/** An entry's changes by field; `before` is null for new values. */
export function changesOf({ before, after }: State): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  // Row versions mean nothing to readers.
  fields.delete('version')
  const isNew = Object.keys(before ?? {}).every((field) => field === 'version')
  return [...fields].map((field) => ({
    field: fieldText(field),
    before: isNew ? null : valueText(before?.[field]),
    after: valueText(after?.[field]),
  }))
}

/** Turns `decidedAt` and `decided_at` into `Decided at`. */
function fieldText(field: string): string {
  const text = sentenceCase(
    field
      .replaceAll('_', ' ')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase(),
  )
  return FIELDS[text] ?? text
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/
const DAY = /^\d{4}-\d\d-\d\d$/

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') {
    if (MOMENT.test(value)) return showMoment(value)
    return DAY.test(value) ? showDate(value) : value
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.length === 0 ? '–' : value.join(', ')
  }
  return JSON.stringify(value)
}
