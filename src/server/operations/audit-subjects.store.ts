import { type AuditAbout, type AuditRow } from '#contracts/operations.ts'
import { ASSETS, findAsset } from '#domain/asset.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { claimText } from '#domain/claim/text.ts'
import { day, readDay, showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { anyText, textColumns, textsOfColumns } from '#domain/publishing/social-post.ts'
import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { admins, auditLog } from '#server/database/schema/admins.ts'
import { tweetQueue } from '#server/database/schema/posts.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { socialPosts } from '#server/database/schema/publishing.ts'
import { replies } from '#server/database/schema/replies.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'

type Subject = Pick<AuditRow, 'kind' | 'subject'>
type Names = ReadonlyMap<string, AuditAbout>

/** As much of a post as names it. */
const LONGEST_POST_NAME = 80
/** Between the two calls of a goalpost. */
const MOVED = ' → '

/** What entries are about, in words: a function that names the subject of each; null for what is no longer on record. */
export async function subjectNames(
  db: Db,
  rows: readonly Subject[],
): Promise<(row: Subject) => AuditAbout | null> {
  const ids = (kind: string): string[] => [
    ...new Set(rows.flatMap((row) => (row.kind === kind && row.subject ? [row.subject] : []))),
  ]
  const pairs = ids('goalpost').flatMap((pair) => pair.split(MOVED))
  const found = new Map<string, Names>()
  const find = async (
    kind: string,
    wanted: readonly string[],
    read: (db: Db, ids: readonly string[]) => Promise<Names>,
  ): Promise<void> => {
    if (wanted.length > 0) found.set(kind, await read(db, wanted))
  }
  await find('submission', ids('submission').filter(isUuid), submissionNames)
  await find('prediction', [...ids('prediction'), ...pairs], predictionNames)
  await find('payment', ids('payment').filter(isUuid), paymentNames)
  await find('social post', ids('social post').filter(isUuid), postNames)
  await find('tweet queue', ids('tweet queue').filter(isNumber), linkNames)
  await find('expert', ids('expert').filter(isNumber), personNames)
  await find('reply', ids('reply').filter(isUuid), replyNames)
  await find('admin', ids('admin').filter(isNumber), accountNames)
  return ({ kind, subject }) => {
    if (subject === null) return null
    if (kind === 'report') return named(`Report ${subject}`)
    if (kind === 'goalpost') return goalpostName(subject, found.get('prediction'))
    return found.get(kind)?.get(subject) ?? nameOfPrices(kind, subject)
  }
}

/** The condition that the subject of an entry is called something like this. @param pattern of `ilike` */
export function subjectIsLike(pattern: string): SQL {
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

async function submissionNames(db: Db, ids: readonly string[]): Promise<Names> {
  const { id, expertName, asset, pricePrediction, targetTime } = submissions
  const rows = await db
    .select({ id, expertName, asset, pricePrediction, targetTime })
    .from(submissions)
    .where(inArray(id, [...ids]))
  return new Map(
    rows.map((row) => [
      row.id,
      {
        name: `${row.expertName}: ${ASSETS[row.asset].symbol} ${row.pricePrediction} by ${showDay(day(row.targetTime))}`,
        asset_type: row.asset,
      },
    ]),
  )
}

async function predictionNames(db: Db, ids: readonly string[]): Promise<Names> {
  const rows = await db
    .select({ row: predictions, name: influencers.name })
    .from(predictions)
    .innerJoin(influencers, eq(influencers.id, predictions.influencerId))
    .where(inArray(predictions.id, [...ids]))
  return new Map(
    rows.map(({ row, name }) => {
      return [row.id, { name: `${name}: ${saidIn(row)}`, asset_type: row.asset }]
    }),
  )
}

function saidIn(row: typeof predictions.$inferSelect): string {
  const by = showDay(day(row.targetDate), row.targetPrecision)
  return `${ASSETS[row.asset].symbol} ${claimText(claimOfColumns(row))} by ${by}`
}

async function replyNames(db: Db, ids: readonly string[]): Promise<Names> {
  const rows = await db
    .select({ id: replies.id, name: influencers.name, row: predictions })
    .from(replies)
    .innerJoin(influencers, eq(influencers.id, replies.influencerId))
    .leftJoin(predictions, eq(predictions.id, replies.predictionId))
    .where(inArray(replies.id, [...ids]))
  return new Map(
    rows.map(({ id, name, row }) => [
      id,
      row
        ? { name: `${name} about ${saidIn(row)}`, asset_type: row.asset }
        : named(`${name} about their page`),
    ]),
  )
}

async function paymentNames(db: Db, ids: readonly string[]): Promise<Names> {
  const rows = await db
    .select({
      id: payments.id,
      sats: payments.sats,
      expertName: sql<string | null>`coalesce(${submissions.expertName}, ${influencers.name})`,
    })
    .from(payments)
    .leftJoin(predictions, eq(predictions.id, payments.predictionId))
    .leftJoin(influencers, eq(influencers.id, predictions.influencerId))
    .leftJoin(submissions, eq(submissions.id, payments.submissionId))
    .where(inArray(payments.id, [...ids]))
  return new Map(
    rows.map((row) => [
      row.id,
      named(`${showCount(row.sats)} sats for ${row.expertName ?? 'the site'}`),
    ]),
  )
}

async function postNames(db: Db, ids: readonly string[]): Promise<Names> {
  const { id } = socialPosts
  const rows = await db
    .select({ id, ...textColumns((network) => socialPosts[`${network}Text` as const]) })
    .from(socialPosts)
    .where(inArray(id, [...ids]))
  return new Map(
    rows.map((row) => {
      const text = anyText(textsOfColumns(row))
      const letters = Array.from(text)
      const isLong = letters.length > LONGEST_POST_NAME
      const start = letters.slice(0, LONGEST_POST_NAME).join('').trimEnd()
      return [row.id, named(text === '' ? 'A post without text' : isLong ? `${start}…` : text)]
    }),
  )
}

async function linkNames(db: Db, ids: readonly string[]): Promise<Names> {
  const { id, url } = tweetQueue
  const rows = await db
    .select({ id, url })
    .from(tweetQueue)
    .where(inArray(id, ids.map(Number)))
  return new Map(rows.map((row) => [String(row.id), named(row.url.replace(/^https:\/\//, ''))]))
}

async function personNames(db: Db, ids: readonly string[]): Promise<Names> {
  const { id, name } = influencers
  const rows = await db
    .select({ id, name })
    .from(influencers)
    .where(inArray(id, ids.map(Number)))
  return new Map(rows.map((row) => [String(row.id), named(row.name)]))
}

async function accountNames(db: Db, ids: readonly string[]): Promise<Names> {
  const { id, username } = admins
  const rows = await db
    .select({ id, username })
    .from(admins)
    .where(inArray(id, ids.map(Number)))
  return new Map(rows.map((row) => [String(row.id), named(row.username)]))
}

/** Two calls of a person, the later of which looks like a revision of the earlier one. */
function goalpostName(subject: string, predictionsNamed: Names | undefined): AuditAbout | null {
  const [earlier, later] = subject.split(MOVED).map((id) => predictionsNamed?.get(id))
  if (!earlier || !later) return null
  const [, to = later.name] = later.name.split(': ')
  return { name: `${earlier.name}${MOVED}${to}`, asset_type: earlier.asset_type }
}

/** Of prices the subject says it itself: `btc kraken`, `btc 2024-12-05`, `btc`. */
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

function isUuid(id: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(id)
}

function isNumber(id: string): boolean {
  return /^\d{1,15}$/.test(id)
}
