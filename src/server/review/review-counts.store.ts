import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { and, asc, desc, eq, gte, inArray, or, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { IS_UNUSED } from '#server/payments/payments.rows.ts'
import { selectRows } from './submission-rows.store.ts'
import { tweetQueue } from '#server/database/schema/posts.ts'
import { notices, payments, submissions } from '#server/database/schema/submissions.ts'
import { priceSources } from '#server/database/schema/predictions.ts'

export type Counts = {
  readonly pending: number
  readonly approved: number
  readonly rejected: number
  readonly all: number
  /** They wait for their sats and are in no other figure. */
  readonly unpaid: number
}

/** How many submissions of each asset there are of each state. */
export async function countByStatus(db: Db): Promise<Readonly<Record<AssetKey, Counts>>> {
  const rows = await db
    .select({
      asset: submissions.asset,
      status: submissions.status,
      count: sql<number>`count(*)::int`,
    })
    .from(submissions)
    .groupBy(submissions.asset, submissions.status)
  const of = (asset: AssetKey): Counts => {
    const at = (status: string): number =>
      rows.find((row) => row.asset === asset && row.status === status)?.count ?? 0
    const [pending, approved, rejected] = [at('pending'), at('approved'), at('rejected')]
    return { pending, approved, rejected, all: pending + approved + rejected, unpaid: at('unpaid') }
  }
  return Object.fromEntries(ASSET_KEYS.map((key) => [key, of(key)])) as Record<AssetKey, Counts>
}

/** Those that have waited longest, of all assets. */
export async function oldestPending(db: Db, most: number): Promise<SubmissionRow[]> {
  const found = await selectRows(db, {})
    .where(eq(submissions.status, 'pending'))
    .orderBy(asc(submissions.createdAt), asc(submissions.id))
    .limit(most)
  return found.map(({ row }) => row)
}

/** Since when the oldest of each asset has waited. */
export async function oldestOf(db: Db, asset: AssetKey): Promise<string | null> {
  const rows = await db
    .select({ at: submissions.createdAt })
    .from(submissions)
    .where(and(eq(submissions.asset, asset), eq(submissions.status, 'pending')))
    .orderBy(asc(submissions.createdAt))
    .limit(1)
  return rows[0] ? iso(rows[0].at) : null
}

/** What has been decided since a moment, the latest first. */
export async function decidedSince(db: Db, since: string, most: number): Promise<SubmissionRow[]> {
  const found = await selectRows(db, {})
    .where(gte(submissions.decidedAt, since))
    .orderBy(desc(submissions.decidedAt), desc(submissions.id))
    .limit(most)
  return found.map(({ row }) => row)
}

/** Who has decided how many since a moment. */
export async function decidersSince(
  db: Db,
  since: string,
): Promise<{ username: string; approved: number; rejected: number }[]> {
  const count = (status: string) =>
    sql<number>`count(*) filter (where ${submissions.status} = ${status})::int`
  return db
    .select({
      username: sql<string>`coalesce(${submissions.decidedBy}, '')`,
      approved: count('approved'),
      rejected: count('rejected'),
    })
    .from(submissions)
    .where(gte(submissions.decidedAt, since))
    .groupBy(submissions.decidedBy)
    .orderBy(desc(sql`count(*)`))
}

export type Failed = {
  readonly kind: 'notice' | 'queue' | 'source' | 'payment'
  readonly id: string
  readonly submission_id: string | null
  readonly at: string | null
  readonly text: string
}

/** What has gone wrong and waits for an administrator to look at it, the latest first. */
export async function failedThings(db: Db, since: string, most: number): Promise<Failed[]> {
  const [undelivered, queued, sources, odd] = await Promise.all([
    db
      .select()
      .from(notices)
      .where(and(inArray(notices.status, ['failed', 'unknown']), gte(notices.nextTryAt, since)))
      .orderBy(desc(notices.nextTryAt))
      .limit(most),
    db
      .select()
      .from(tweetQueue)
      .where(and(eq(tweetQueue.status, 'failed'), sql`${tweetQueue.deletedAt} is null`))
      .orderBy(desc(tweetQueue.processedAt))
      .limit(most),
    db
      .select()
      .from(priceSources)
      .where(sql`${priceSources.failingSince} is not null`)
      .orderBy(desc(priceSources.lastErrorAt))
      .limit(most),
    db
      .select()
      .from(payments)
      .where(
        and(
          or(
            eq(payments.status, 'overpaid'),
            sql`${payments.receivedMsat} < ${payments.sats}::bigint * 1000`,
            IS_UNUSED,
          ),
          sql`not exists (select from payment_settlements s where s.payment_id = payments.id)`,
        ),
      )
      .orderBy(desc(payments.paidAt))
      .limit(most),
  ])
  return [
    ...undelivered.map((row) => ({
      kind: 'notice' as const,
      id: String(row.id),
      submission_id: row.submissionId,
      at: iso(row.nextTryAt),
      text: `A notice (${row.event}) was not delivered. ${row.lastError ?? ''}`.trim(),
    })),
    ...queued.map((row) => ({
      kind: 'queue' as const,
      id: String(row.id),
      submission_id: null,
      at: isoOrNull(row.processedAt ?? row.createdAt),
      text: `A post could not be read. ${row.errorMessage ?? ''}`.trim(),
    })),
    ...failedSources(sources),
    ...odd.map((row) => ({
      kind: 'payment' as const,
      id: row.id,
      submission_id: row.submissionId,
      at: isoOrNull(row.paidAt),
      text:
        row.status === 'overpaid'
          ? `${String(row.sats)} sats arrived a second time for the same ${row.reportNumber === null ? 'submission' : 'report'} and should be refunded.`
          : row.predictionId !== null && row.creditedSats === null
            ? `${String(row.sats)} sats arrived for a prediction that had been withdrawn and should be refunded.`
            : `Fewer sats came than the ${String(row.sats)} that were asked for.`,
    })),
  ]
    .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
    .slice(0, most)
}

/** All price sources that fail as one row: without a network that is all of them, and the rest must stay in sight. */
function failedSources(rows: readonly (typeof priceSources.$inferSelect)[]): Failed[] {
  const [latest] = rows
  if (!latest) return []
  const named = Map.groupBy(rows, ({ asset }) => asset)
  // A venue of daily and of live prices has a row for each.
  const namesOf = (some: typeof rows): string[] =>
    [...new Set(some.map(({ source }) => source.replace(/ live$/, '')))].toSorted()
  const failing = ASSET_KEYS.flatMap((asset) => {
    const names = namesOf(named.get(asset) ?? [])
    return names.length === 0 ? [] : [{ asset, names }]
  })
  const count = failing.reduce((sum, { names }) => sum + names.length, 0)
  const { symbol } = ASSETS[latest.asset]
  const text =
    count === 1
      ? `${namesOf(rows).join('')} gives no prices of ${symbol}. ${latest.lastError ?? ''}`.trim()
      : `${String(count)} sources fail. ${failing
          .map(({ asset, names }) => `${ASSETS[asset].symbol}: ${names.join(', ')}`)
          .join('; ')}.`
  return [
    { kind: 'source', id: 'sources', submission_id: null, at: isoOrNull(latest.lastErrorAt), text },
  ]
}
