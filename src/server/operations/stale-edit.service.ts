import { type AuditRow } from '#contracts/operations.ts'
import { momentText } from '#server/kit/iso.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { entriesSince } from './audit-log.store.ts'
import { type Db } from '#server/kit/db.ts'

/**
 * The refusal of an edit that was begun from an older state: who was faster, when, and what they changed, by field.
 *
 * @param id as the audit log holds it
 */
export async function staleEdit(
  db: Db,
  { kind, id, version }: { kind: string; id: string; version: number },
): Promise<AppError> {
  const entries = await entriesSince(db, { kind, id, version })
  const [latest] = entries
  if (!latest) {
    return failure('conflict', 'This has changed in the meantime. Please load it again.')
  }
  const who = [...new Set(entries.map((entry) => entry.who))].join(' and ')
  const fields: Record<string, string> = {}
  for (const entry of entries) {
    for (const field of Object.keys(entry.after ?? {})) {
      if (field !== 'version') fields[field] ??= fieldText(entry, field)
    }
  }
  return failure(
    'conflict',
    `${who} changed this on ${momentText(latest.at)} (${latest.action}) while you had it open. Your changes were not saved; please look at the current state and send them again.`,
    fields,
  )
}

function fieldText({ who, at, before, after }: AuditRow, field: string): string {
  return `${who}, ${momentText(at)}: from ${valueText(before?.[field])} to ${valueText(after?.[field])}`
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
