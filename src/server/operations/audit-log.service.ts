import { Readable } from 'node:stream'
import { and, desc, eq, gt, gte, lt, sql, type SQL } from 'drizzle-orm'
import { type z } from 'zod'
import { type AuditFilter, type AuditRow, type listAudit } from '#contracts/operations.ts'
import { truncate } from '#domain/clean-text.ts'
import { addDays, day, isoDay } from '#domain/day.ts'
import { auditLog } from '#server/database/schema/admins.ts'
import { type Db, PAGE_SIZE, paged, wordsOf } from '#server/kit/db.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type Log } from '#server/kit/log.ts'
import { isoOf, momentText } from '#server/kit/time.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/open-data/tables.ts'

const BATCH = 1_000

type State = AuditRow['before']
const ENTRY = {
  id: auditLog.id,
  at: isoOf(auditLog.at),
  who: auditLog.username,
  action: auditLog.action,
  kind: auditLog.subjectKind,
  subject: auditLog.subjectId,
  about: sql<AuditRow['about']>`case when ${auditLog.subjectName} is not null
    then jsonb_build_object('name', ${auditLog.subjectName}, 'asset_type', ${auditLog.subjectAsset}) end`,
  before: sql<State>`${auditLog.before}`,
  after: sql<State>`${auditLog.after}`,
  reason: auditLog.reason,
}

function entries(db: Db, where: SQL | undefined, most: number, skip = 0) {
  const { id } = auditLog
  return db.select(ENTRY).from(auditLog).where(where).orderBy(desc(id)).limit(most).offset(skip)
}

export type AuditLog = ReturnType<typeof auditLogService>

export function auditLogService({ db, log }: { db: Db; log: Log }) {
  return {
    async list(filter: AuditFilter, page: number): Promise<z.input<typeof listAudit.reply>> {
      const where = whereOf(filter)
      const total = await db.$count(auditLog, where)
      const rows = await entries(db, where, PAGE_SIZE, (page - 1) * PAGE_SIZE)
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

async function* allEntries(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await entries(db, and(whereOf(filter), lt(auditLog.id, below)), BATCH)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    below = last.id
  }
}

async function knownValues(db: Db) {
  const { username, action, subjectKind } = auditLog
  const values = [username, action, subjectKind].map(async (value) => {
    const rows = await db.selectDistinct({ value }).from(auditLog).orderBy(value).limit(500)
    return rows.map((row) => row.value)
  })
  const [who = [], actions = [], kinds = []] = await Promise.all(values)
  return { who, actions, kinds }
}

function whereOf({ who, action, kind, id, from, to, q }: AuditFilter): SQL | undefined {
  return and(
    who === '' ? undefined : eq(auditLog.username, plain(who)),
    action === '' ? undefined : eq(auditLog.action, plain(action)),
    kind === '' ? undefined : eq(auditLog.subjectKind, plain(kind)),
    id === '' ? undefined : eq(auditLog.subjectId, plain(id)),
    from === undefined ? undefined : gte(auditLog.at, `${from}T00:00:00Z`),
    to === undefined ? undefined : lt(auditLog.at, `${isoDay(addDays(day(to), 1))}T00:00:00Z`),
    ...wordsOf(q).map(
      (word) =>
        sql`concat_ws(' ', ${auditLog.username}, ${auditLog.action}, ${auditLog.subjectKind}, ${auditLog.subjectId}, ${auditLog.reason}, ${auditLog.before}, ${auditLog.after}, ${auditLog.subjectName}) ilike ${word}`,
    ),
  )
}

/** PostgreSQL rejects NUL, and no entry contains one. */
function plain(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
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
  const json = (state: State) => state && JSON.stringify(state)
  const cells = { ...row, about: about && about.name, before: json(before), after: json(after) }
  return csvLine(COLUMNS.map((name) => cells[name]))
}

/** The conflicting change: by whom, when, and its values by field. @param id as in the audit log */
export async function staleEdit(
  db: Db,
  { kind, id, version }: { kind: string; id: string; version: number },
): Promise<AppError> {
  const isLater = gt(sql`(${auditLog.after}->>'version')::int`, version)
  const isOf = and(eq(auditLog.subjectKind, kind), eq(auditLog.subjectId, id))
  const changes = await entries(db, and(isOf, isLater), 20)
  const [latest] = changes
  if (!latest) {
    return failure('conflict', 'This has changed in the meantime. Please load it again.')
  }
  const who = [...new Set(changes.map((entry) => entry.who))].join(' and ')
  const fields: Record<string, string> = {}
  for (const entry of changes) {
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
