import { type AuditRow } from '#contracts/operations.ts'

/** What an entry changed, field by field, as texts. */
export function changesOf({
  before,
  after,
}: Pick<AuditRow, 'before' | 'after'>): { field: string; before: string; after: string }[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  // The count of changes serves the server alone.
  fields.delete('version')
  return [...fields].map((field) => ({
    field: field.replaceAll('_', ' '),
    before: valueText(before?.[field]),
    after: valueText(after?.[field]),
  }))
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
