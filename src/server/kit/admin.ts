import { eq, inArray, sql } from 'drizzle-orm'
import { type Role } from '#contracts/access.ts'
import { ASSETS, findAsset, type AssetKey } from '#domain/asset.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { claimText } from '#domain/claim/text.ts'
import { onlyTexts } from '#domain/clean-text.ts'
import { day, readDay, showDay } from '#domain/day.ts'
import { counted } from '#domain/price-text.ts'
import { anyText, fieldOf, textFields } from '#domain/publishing/social-post.ts'
import { auditLog, admins } from '#server/database/schema/admins.ts'
import { tweetQueue } from '#server/database/schema/posts.ts'
import { influencers, predictions } from '#server/database/schema/predictions.ts'
import { socialPosts } from '#server/database/schema/publishing.ts'
import { replies } from '#server/database/schema/replies.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { type Db } from './db.ts'

export type Admin = { readonly id: number; readonly username: string }

/** The authenticated administrator of a request, with the session or token. */
export type SignedIn = {
  readonly admin: Admin
  readonly by: 'session' | 'token'
  readonly id: string
  readonly role: Role
  /** Whether the account has an authenticator app or a passkey. */
  readonly hasSecondFactor: boolean
}

/** Codes of refused calls. */
export const REASONS = [
  'not signed in',
  'token not valid',
  'role',
  'token for the account',
  'another site',
] as const
export type Reason = (typeof REASONS)[number]

/** The subject of an entry: one row of a kind, or the kind as a whole. */
type AuditSubject = { readonly kind: string; readonly id: string | number | null }

/** Plain values of the fields that changed. */
export type AuditState = Readonly<Record<string, unknown>> | null

export type AuditEntry = {
  /** ISO moment. */
  readonly at: string
  /** Null for the server and the command line, whose name is then in `username`. */
  readonly admin: Admin | null
  readonly username?: string
  /** For example `submission approved`. */
  readonly action: string
  readonly subject: AuditSubject
  readonly before?: AuditState
  readonly after?: AuditState
  readonly reason?: string | null
}

/**
 * Adds an audit entry with the name of its subject. Call it in the transaction of the change. The query
 * fails if the id has another format than the ids in the table of its kind.
 */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { kind, id } = entry.subject
  const subjectId = id === null ? null : String(id)
  const named = subjectId === null ? null : await NAMES[kind]?.(tx, subjectId)
  await tx.insert(auditLog).values({
    at: entry.at,
    adminId: entry.admin?.id ?? null,
    username: entry.admin?.username ?? entry.username ?? 'server',
    action: entry.action,
    subjectKind: kind,
    subjectId,
    subjectName: named?.name ?? null,
    subjectAsset: named?.asset ?? null,
    before: onlyTexts(entry.before ?? null),
    after: onlyTexts(entry.after ?? null),
    reason: entry.reason ?? null,
  })
}

type Named = { readonly name: string; readonly asset?: AssetKey }

const LONGEST_POST_NAME = 80
/** Separates the two calls of a goalpost. */
const MOVED = ' → '

/** Names of subjects by kind; subjects of other kinds have none. */
const NAMES: Readonly<Record<string, (tx: Db, id: string) => Promise<Named | undefined> | Named>> =
  {
    submission: async (tx, id) => {
      const [row] = await tx.select().from(submissions).where(eq(submissions.id, id))
      if (!row) return
      const { asset, expertName, pricePrediction, targetTime } = row
      const by = showDay(day(targetTime))
      return { name: `${expertName}: ${ASSETS[asset].symbol} ${pricePrediction} by ${by}`, asset }
    },
    prediction: async (tx, id) => {
      const [found] = await callsOf(tx, [id])
      return found && { name: `${found.name}: ${claimName(found.row)}`, asset: found.row.asset }
    },
    goalpost: async (tx, id) => {
      const ids = id.split(MOVED)
      const calls = await callsOf(tx, ids)
      const [earlier, later] = ids.map((one) => calls.find(({ row }) => row.id === one))
      if (!earlier || !later) return
      const name = `${earlier.name}: ${claimName(earlier.row)}${MOVED}${claimName(later.row)}`
      return { name, asset: earlier.row.asset }
    },
    payment: async (tx, id) => {
      const [row] = await tx
        .select({
          sats: payments.sats,
          name: sql<string>`coalesce(${submissions.expertName}, ${influencers.name}, 'the site')`,
        })
        .from(payments)
        .leftJoin(predictions, eq(predictions.id, payments.predictionId))
        .leftJoin(influencers, eq(influencers.id, predictions.influencerId))
        .leftJoin(submissions, eq(submissions.id, payments.submissionId))
        .where(eq(payments.id, id))
      return row && { name: `${counted(row.sats, 'sat')} for ${row.name}` }
    },
    'social post': async (tx, id) => {
      const texts = textFields((network) => socialPosts[fieldOf(network)])
      const [row] = await tx.select(texts).from(socialPosts).where(eq(socialPosts.id, id))
      if (!row) return
      const letters = Array.from(anyText(row) || 'A post without text')
      const start = letters.slice(0, LONGEST_POST_NAME).join('').trimEnd()
      return { name: letters.length > LONGEST_POST_NAME ? `${start}…` : start }
    },
    'tweet queue': async (tx, id) => {
      const isIt = eq(tweetQueue.id, Number(id))
      const [row] = await tx.select({ url: tweetQueue.url }).from(tweetQueue).where(isIt)
      return row && { name: row.url.replace(/^https:\/\//, '') }
    },
    expert: async (tx, id) => {
      const isIt = eq(influencers.id, Number(id))
      return (await tx.select({ name: influencers.name }).from(influencers).where(isIt))[0]
    },
    reply: async (tx, id) => {
      const [found] = await tx
        .select({ name: influencers.name, row: predictions })
        .from(replies)
        .innerJoin(influencers, eq(influencers.id, replies.influencerId))
        .leftJoin(predictions, eq(predictions.id, replies.predictionId))
        .where(eq(replies.id, id))
      if (!found?.row) return found && { name: `${found.name} about their page` }
      return { name: `${found.name} about ${claimName(found.row)}`, asset: found.row.asset }
    },
    admin: async (tx, id) => {
      const isIt = eq(admins.id, Number(id))
      return (await tx.select({ name: admins.username }).from(admins).where(isIt))[0]
    },
    report: (_, id) => ({ name: `Report ${id}` }),
    'price source': nameOfPrices,
    'price jump': nameOfPrices,
    prices: nameOfPrices,
  }

function callsOf(tx: Db, ids: readonly string[]) {
  return tx
    .select({ row: predictions, name: influencers.name })
    .from(predictions)
    .innerJoin(influencers, eq(influencers.id, predictions.influencerId))
    .where(inArray(predictions.id, [...ids]))
}

function claimName(row: typeof predictions.$inferSelect): string {
  const by = showDay(day(row.targetDate), row.targetPrecision)
  return `${ASSETS[row.asset].symbol} ${claimText(claimOfColumns(row))} by ${by}`
}

/** Of subjects such as `btc kraken`, `btc 2024-12-05` and `btc`. */
async function nameOfPrices(_: Db, subject: string): Promise<Named | undefined> {
  const [key = '', ...rest] = subject.split(' ')
  const asset = findAsset(key)
  if (!asset) return
  const other = rest.join(' ')
  const on = readDay(other)
  const tail = on === null ? (other === '' ? '' : ` from ${other}`) : ` on ${showDay(on)}`
  return { name: `${asset.symbol}${tail}`, asset: asset.key }
}
