import { and, desc, eq, gt, gte, lt, sql, type SQL } from 'drizzle-orm'
import { type AuditFilter, type AuditRow } from '#contracts/operations.ts'
import { addDays, day, isoDay } from '#domain/day.ts'
import { auditLog } from '#server/database/schema/admins.ts'
import { type Db, PAGE_SIZE, wordsOf } from '#server/kit/db.ts'
import { isoOf } from '#server/kit/time.ts'

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

export async function listEntries(db: Db, filter: AuditFilter, page: number) {
  const where = whereOf(filter)
  const total = await db.$count(auditLog, where)
  return { total, rows: await entries(db, where, PAGE_SIZE, (page - 1) * PAGE_SIZE) }
}

export async function* allEntries(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await entries(db, and(whereOf(filter), lt(auditLog.id, below)), BATCH)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    below = last.id
  }
}

export async function knownValues(db: Db) {
  const values = async (
    column: typeof auditLog.username | typeof auditLog.action | typeof auditLog.subjectKind,
  ): Promise<string[]> => {
    const distinct = db.selectDistinct({ value: column }).from(auditLog)
    return (await distinct.orderBy(column).limit(500)).map((row) => row.value)
  }
  const [who, actions, kinds] = await Promise.all([
    values(auditLog.username),
    values(auditLog.action),
    values(auditLog.subjectKind),
  ])
  return { who, actions, kinds }
}

export function entriesSince(
  db: Db,
  { kind, id, version }: { kind: string; id: string; version: number },
): Promise<AuditRow[]> {
  const isLater = gt(sql`(${auditLog.after}->>'version')::int`, version)
  const isOf = and(eq(auditLog.subjectKind, kind), eq(auditLog.subjectId, id))
  return entries(db, and(isOf, isLater), 20)
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
