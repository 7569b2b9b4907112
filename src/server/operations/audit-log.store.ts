import { type AuditFilter, type AuditRow } from '#contracts/operations.ts'
import { addDays, day, isoDay } from '#domain/day.ts'
import { and, desc, eq, gt, gte, lt, sql, type SQL } from 'drizzle-orm'
import { auditLog } from '#server/database/schema/admins.ts'
import { PAGE_SIZE, wordsOf } from '#server/kit/paging.ts'
import { type Db } from '#server/kit/db.ts'
import { subjectIsLike } from './audit-subjects.store.ts'

/** Entries read at once while all of them are written into a file. */
const BATCH = 1_000

export async function listEntries(
  db: Db,
  filter: AuditFilter,
  page: number,
): Promise<{ total: number; rows: AuditRow[] }> {
  const where = whereOf(filter)
  const total = await db.$count(auditLog, where)
  const rows = await db
    .select()
    .from(auditLog)
    .where(where)
    .orderBy(desc(auditLog.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
  return { total, rows: rows.map(rowOf) }
}

export async function* allEntries(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(whereOf(filter), lt(auditLog.id, below)))
      .orderBy(desc(auditLog.id))
      .limit(BATCH)
    if (rows.length > 0) yield rows.map(rowOf)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    below = last.id
  }
}

export async function knownValues(
  db: Db,
): Promise<{ who: string[]; actions: string[]; kinds: string[] }> {
  const values = async (
    column: typeof auditLog.username | typeof auditLog.action | typeof auditLog.subjectKind,
  ): Promise<string[]> => {
    const rows = await db
      .selectDistinct({ value: column })
      .from(auditLog)
      .orderBy(column)
      .limit(500)
    return rows.map((row) => row.value)
  }
  const [who, actions, kinds] = await Promise.all([
    values(auditLog.username),
    values(auditLog.action),
    values(auditLog.subjectKind),
  ])
  return { who, actions, kinds }
}

export async function entriesSince(
  db: Db,
  { kind, id, version }: { kind: string; id: string; version: number },
): Promise<AuditRow[]> {
  const rows = await db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectKind, kind),
        eq(auditLog.subjectId, id),
        gt(sql`(${auditLog.after}->>'version')::int`, version),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(20)
  return rows.map(rowOf)
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
        sql`(concat_ws(' ', ${auditLog.username}, ${auditLog.action}, ${auditLog.subjectKind}, ${auditLog.subjectId}, ${auditLog.reason}, ${auditLog.before}, ${auditLog.after}) ilike ${word} or ${subjectIsLike(word)})`,
    ),
  )
}

/** PostgreSQL takes no NUL; no entry holds one. */
function plain(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function rowOf(row: typeof auditLog.$inferSelect): AuditRow {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    who: row.username,
    action: row.action,
    kind: row.subjectKind,
    subject: row.subjectId,
    before: stateOf(row.before),
    after: stateOf(row.after),
    reason: row.reason,
  }
}

function stateOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
