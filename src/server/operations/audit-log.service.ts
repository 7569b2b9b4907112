import { Readable } from 'node:stream'
import { type z } from 'zod'
import { type AuditFilter, type AuditRow, type listAudit } from '#contracts/operations.ts'
import { truncate } from '#domain/clean-text.ts'
import { type Db, paged } from '#server/kit/db.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type Log } from '#server/kit/log.ts'
import { momentText } from '#server/kit/time.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/open-data/tables.ts'
import { allEntries, knownValues, listEntries, entriesSince } from './audit-log.store.ts'

export type AuditLog = ReturnType<typeof auditLogService>

export function auditLogService({ db, log }: { db: Db; log: Log }) {
  return {
    async list(filter: AuditFilter, page: number): Promise<z.input<typeof listAudit.reply>> {
      const { total, rows } = await listEntries(db, filter, page)
      return { ...paged(total, page), rows, known: await knownValues(db) }
    },

    /**
     * All entries as a file, streamed to limit memory. The first batch is read before anything is sent, so that
     * a failing query is an error response, not a truncated file.
     */
    async file(filter: AuditFilter, format: 'csv' | 'jsonl'): Promise<Readable> {
      const line = format === 'csv' ? csvOf : (row: AuditRow) => `${JSON.stringify(row)}\n`
      const text = (rows: AuditRow[]) => rows.map(line).join('')
      const batches = allEntries(db, filter)
      const first = await batches.next()
      async function* lines(): AsyncGenerator<string> {
        if (format === 'csv') yield BYTE_ORDER_MARK + csvLine(COLUMNS)
        if (first.done === true) return
        yield text(first.value)
        try {
          for await (const rows of batches) yield text(rows)
        } catch (error) {
          // The download breaks off; the log has the cause.
          log.error({ err: error }, 'audit log export failed')
          throw error
        }
      }
      return Readable.from(lines())
    },
  }
}

const COLUMNS = [
  'id',
  'at',
  'who',
  'action',
  'kind',
  'about',
  'subject',
  'reason',
  'before',
  'after',
] as const

function csvOf({ about, before, after, ...row }: AuditRow): string {
  const json = (state: AuditRow['before']) => state && JSON.stringify(state)
  const cells = { ...row, about: about && about.name, before: json(before), after: json(after) }
  return csvLine(COLUMNS.map((name) => cells[name]))
}

/** The conflicting change: by whom, when, and its values by field. @param id as in the audit log */
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
  return truncate(text, 200)
}
