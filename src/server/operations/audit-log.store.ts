import { type AuditFilter, type AuditRow, type AuditAbout } from '#contracts/operations.ts'
import { addDays, day, isoDay, readDay, showDay } from '#domain/day.ts'
import { and, desc, eq, gt, gte, lt, sql, type SQL, inArray } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { auditLog, admins } from '#server/database/schema/admins.ts'
import { type Db, PAGE_SIZE, wordsOf } from '#server/kit/db.ts'
import { isoOf } from '#server/kit/time.ts'
import { ASSETS, findAsset } from '#domain/asset.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { claimText } from '#domain/claim/text.ts'
import { showCount } from '#domain/price-text.ts'
import { anyText, textFields, textsOfFields } from '#domain/publishing/social-post.ts'
import { tweetQueue } from '#server/database/schema/posts.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { socialPosts } from '#server/database/schema/publishing.ts'
import { replies } from '#server/database/schema/replies.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'

const BATCH = 1_000

type State = AuditRow['before']
const ENTRY = {
  id: auditLog.id,
  at: isoOf(auditLog.at),
  who: auditLog.username,
  action: auditLog.action,
  kind: auditLog.subjectKind,
  subject: auditLog.subjectId,
  before: sql<State>`${auditLog.before}`,
  after: sql<State>`${auditLog.after}`,
  reason: auditLog.reason,
}

export async function listEntries(
  db: Db,
  filter: AuditFilter,
  page: number,
): Promise<{ total: number; rows: AuditRow[] }> {
  const where = whereOf(filter)
  const total = await db.$count(auditLog, where)
  const rows = await db
    .select(ENTRY)
    .from(auditLog)
    .where(where)
    .orderBy(desc(auditLog.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
  return { total, rows }
}

export async function* allEntries(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = await db
      .select(ENTRY)
      .from(auditLog)
      .where(and(whereOf(filter), lt(auditLog.id, below)))
      .orderBy(desc(auditLog.id))
      .limit(BATCH)
    if (rows.length > 0) yield rows
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

export function entriesSince(
  db: Db,
  { kind, id, version }: { kind: string; id: string; version: number },
): Promise<AuditRow[]> {
  return db
    .select(ENTRY)
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

/** PostgreSQL rejects NUL, and no entry contains one. */
function plain(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

type Subject = Pick<AuditRow, 'kind' | 'subject'>
type Names = ReadonlyMap<string, AuditAbout>

/** Maximum length of a post's name. */
const LONGEST_POST_NAME = 80
/** Separates the two calls of a goalpost. */
const MOVED = ' → '

type Read = (
  db: Db,
  ids: string[],
) => Promise<(readonly [id: string | number, about: AuditAbout])[]>

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const NUMBER = /^\d{1,15}$/

/** Rows with numeric ids and a name. */
function numbered(
  table: typeof tweetQueue | typeof influencers | typeof admins,
  name: AnyPgColumn<{ data: string; notNull: true }>,
  show = (text: string): string => text,
): readonly [form: RegExp, read: Read] {
  const read: Read = async (db, ids) => {
    const rows = await db
      .select({ id: table.id, name })
      .from(table)
      .where(inArray(table.id, ids.map(Number)))
    return rows.map((row) => [row.id, named(show(row.name))])
  }
  return [NUMBER, read]
}

/** By kind: the format of its ids, and a query for the names. */
const READERS: Readonly<Record<string, readonly [form: RegExp, read: Read]>> = {
  submission: [
    UUID,
    async (db, ids) => {
      const rows = await db.select().from(submissions).where(inArray(submissions.id, ids))
      return rows.map((row) => [
        row.id,
        {
          name: `${row.expertName}: ${ASSETS[row.asset].symbol} ${row.pricePrediction} by ${showDay(day(row.targetTime))}`,
          asset_type: row.asset,
        },
      ])
    },
  ],
  prediction: [
    /./,
    async (db, ids) => {
      const rows = await db
        .select({ row: predictions, name: influencers.name })
        .from(predictions)
        .innerJoin(influencers, eq(influencers.id, predictions.influencerId))
        .where(inArray(predictions.id, ids))
      return rows.map(({ row, name }) => [
        row.id,
        { name: `${name}: ${claimName(row)}`, asset_type: row.asset },
      ])
    },
  ],
  payment: [
    UUID,
    async (db, ids) => {
      const name = sql<string>`coalesce(${submissions.expertName}, ${influencers.name}, 'the site')`
      const rows = await db
        .select({ id: payments.id, sats: payments.sats, name })
        .from(payments)
        .leftJoin(predictions, eq(predictions.id, payments.predictionId))
        .leftJoin(influencers, eq(influencers.id, predictions.influencerId))
        .leftJoin(submissions, eq(submissions.id, payments.submissionId))
        .where(inArray(payments.id, ids))
      return rows.map((row) => [row.id, named(`${showCount(row.sats)} sats for ${row.name}`)])
    },
  ],
  'social post': [
    UUID,
    async (db, ids) => {
      const { id } = socialPosts
      const rows = await db
        .select({ id, ...textFields((network) => socialPosts[`${network}_text` as const]) })
        .from(socialPosts)
        .where(inArray(id, ids))
      return rows.map((row) => {
        const letters = Array.from(anyText(textsOfFields(row)) || 'A post without text')
        const start = letters.slice(0, LONGEST_POST_NAME).join('').trimEnd()
        return [row.id, named(letters.length > LONGEST_POST_NAME ? `${start}…` : start)]
      })
    },
  ],
  'tweet queue': numbered(tweetQueue, tweetQueue.url, (url) => url.replace(/^https:\/\//, '')),
  expert: numbered(influencers, influencers.name),
  reply: [
    UUID,
    async (db, ids) => {
      const rows = await db
        .select({ id: replies.id, name: influencers.name, row: predictions })
        .from(replies)
        .innerJoin(influencers, eq(influencers.id, replies.influencerId))
        .leftJoin(predictions, eq(predictions.id, replies.predictionId))
        .where(inArray(replies.id, ids))
      return rows.map(({ id, name, row }) => [
        id,
        row
          ? { name: `${name} about ${claimName(row)}`, asset_type: row.asset }
          : named(`${name} about their page`),
      ])
    },
  ],
  admin: numbered(admins, admins.username),
}

/** Looks up names of subjects; null for those no longer on record. */
export async function subjectNames(
  db: Db,
  rows: readonly Subject[],
): Promise<(row: Subject) => AuditAbout | null> {
  const found = new Map<string, Names>()
  for (const [kind, [form, read]] of Object.entries(READERS)) {
    const ids = rows.flatMap((row) =>
      row.kind === kind
        ? (row.subject ?? [])
        : row.kind === 'goalpost' && kind === 'prediction'
          ? (row.subject ?? '').split(MOVED)
          : [],
    )
    const valid = [...new Set(ids)].filter((id) => form.test(id))
    if (valid.length === 0) continue
    found.set(kind, new Map((await read(db, valid)).map(([id, about]) => [String(id), about])))
  }
  return ({ kind, subject }) => {
    if (subject === null) return null
    if (kind === 'report') return named(`Report ${subject}`)
    if (kind === 'goalpost') return goalpostName(subject, found.get('prediction'))
    return found.get(kind)?.get(subject) ?? nameOfPrices(kind, subject)
  }
}

/** Matches entries by the name of their subject. @param pattern of `ilike` */
function subjectIsLike(pattern: string): SQL {
  const { subjectId } = auditLog
  const isOf = (kind: string, ids: SQL): SQL =>
    sql`(${auditLog.subjectKind} = ${kind} and ${subjectId} in ${ids})`
  const words = sql`concat_ws(' ', ${submissions.expertName}, ${submissions.pricePrediction}, ${submissions.asset}) ilike ${pattern}`
  const person = sql`concat_ws(' ', ${influencers.name}, ${predictions.asset}) ilike ${pattern}`
  return sql`(${sql.join(
    [
      isOf('submission', sql`(select ${submissions.id}::text from ${submissions} where ${words})`),
      isOf(
        'prediction',
        sql`(select ${predictions.id} from ${predictions} join ${influencers} on ${influencers.id} = ${predictions.influencerId} where ${person})`,
      ),
      isOf(
        'expert',
        sql`(select ${influencers.id}::text from ${influencers} where ${influencers.name} ilike ${pattern})`,
      ),
      isOf(
        'reply',
        sql`(select ${replies.id}::text from ${replies} join ${influencers} on ${influencers.id} = ${replies.influencerId} where ${influencers.name} ilike ${pattern})`,
      ),
      isOf(
        'admin',
        sql`(select ${admins.id}::text from ${admins} where ${admins.username} ilike ${pattern})`,
      ),
    ],
    sql` or `,
  )})`
}

function claimName(row: typeof predictions.$inferSelect): string {
  const by = showDay(day(row.targetDate), row.targetPrecision)
  return `${ASSETS[row.asset].symbol} ${claimText(claimOfColumns(row))} by ${by}`
}

function goalpostName(subject: string, predictionsNamed: Names | undefined): AuditAbout | null {
  const [earlier, later] = subject.split(MOVED).map((id) => predictionsNamed?.get(id))
  if (!earlier || !later) return null
  const [, to = later.name] = later.name.split(': ')
  return { name: `${earlier.name}${MOVED}${to}`, asset_type: earlier.asset_type }
}

/** Subjects about prices are their own names: `btc kraken`, `btc 2024-12-05`, `btc`. */
function nameOfPrices(kind: string, subject: string): AuditAbout | null {
  if (!['price source', 'price jump', 'prices'].includes(kind)) return null
  const [key = '', ...rest] = subject.split(' ')
  const asset = findAsset(key)
  if (!asset) return null
  const other = rest.join(' ')
  const on = readDay(other)
  const tail = on === null ? (other === '' ? '' : ` from ${other}`) : ` on ${showDay(on)}`
  return { name: `${asset.symbol}${tail}`, asset_type: asset.key }
}

function named(name: string): AuditAbout {
  return { name, asset_type: null }
}
