import { type AuditRow } from '#contracts/operations.ts'
import { sentenceCase } from '#domain/sentence-case.ts'
import { showDate } from '#web/ui/show-date.ts'
import { showMoment } from '#web/ui/show-moment.ts'

type Change = { readonly field: string; readonly before: string | null; readonly after: string }

/** Fields whose name in the database a person would not understand. */
const FIELDS: Readonly<Record<string, string>> = {
  xText: 'Text on X',
  nostrText: 'Text on Nostr',
  blueskyText: 'Text on Bluesky',
  remote_id: 'Number on the network',
  keptSession: 'Session that stays',
}

/** What an entry changed, field by field, in words; `before` is null where nothing was there before it. */
export function changesOf({ before, after }: Pick<AuditRow, 'before' | 'after'>): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  // The count of changes serves the server alone.
  fields.delete('version')
  const isNew = Object.keys(before ?? {}).every((field) => field === 'version')
  return [...fields].map((field) => ({
    field: FIELDS[field] ?? fieldText(field),
    before: isNew ? null : valueText(before?.[field]),
    after: valueText(after?.[field]),
  }))
}

/** `decidedAt` and `decided_at` as `Decided at`. */
function fieldText(field: string): string {
  return sentenceCase(
    field
      .replaceAll('_', ' ')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase(),
  )
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
