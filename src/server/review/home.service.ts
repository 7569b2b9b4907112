import { and, asc, count, desc, eq, gte, isNotNull, isNull, min, sql } from 'drizzle-orm'
import { type z } from 'zod'
import { type reviewWaiting } from '#contracts/accounts.ts'
import { type Operator, type Selection } from '#contracts/page.ts'
import { type adminHome } from '#contracts/review.ts'
import { ASSET_KEYS, ASSETS, byAsset, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, timeOfDay } from '#domain/day.ts'
import { counted } from '#domain/price-text.ts'
import { rejectionReason, type RejectionReason } from '#domain/review.ts'
import { type SubmissionStatus } from '#domain/submission.ts'
import { tweetQueue } from '#server/database/schema/posts.ts'
import { priceSources, predictions } from '#server/database/schema/predictions.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'
import { iso, isoOrNull } from '#server/kit/time.ts'
import { countFailed } from '#server/operations/failed.service.ts'
import { paymentsToSettle } from '#server/payments/payments-admin.service.ts'
import { IS_ODD, type Payment } from '#server/payments/payments.rows.ts'
import { countOpenQuestions } from '#server/prices/price-sources.rows.ts'
import { countToDecide } from '#server/publishing/posts.service.ts'
import { repliesWaiting } from '#server/replies/replies-admin.service.ts'
import { countReportStates } from '#server/reports/reports.rows.ts'
import { type ReviewKit } from './edit.service.ts'
import { selectRows } from './review.store.ts'

type Counts = Readonly<Record<SubmissionStatus | 'all', number>>

/** Counts unpaid submissions separately from all others. */
export async function countByStatus(db: Db): Promise<Readonly<Record<AssetKey, Counts>>> {
  const { asset, status } = submissions
  const rows = await db
    .select({ asset, status, count: count() })
    .from(submissions)
    .groupBy(asset, status)
  const of = (key: AssetKey): Counts => {
    const at = (is: string): number =>
      rows.find((row) => row.asset === key && row.status === is)?.count ?? 0
    const [pending, approved, rejected] = [at('pending'), at('approved'), at('rejected')]
    return { pending, approved, rejected, all: pending + approved + rejected, unpaid: at('unpaid') }
  }
  return byAsset(of)
}

type Home = z.input<typeof adminHome.reply>
type Failed = Home['failed'][number]

function whyOdd(payment: Payment): string {
  const { status, reportNumber, predictionId, creditedSats, receivedMsat } = payment
  const sats = counted(payment.sats, 'sat')
  if (status === 'overpaid') {
    return `${sats} arrived a second time for the same ${reportNumber === null ? 'submission' : 'report'} and should be refunded.`
  }
  if (predictionId !== null && creditedSats === null) {
    return `${sats} arrived for a prediction that had been withdrawn and should be refunded.`
  }
  const isExtra = (receivedMsat ?? 0) > payment.sats * 1_000
  return `${isExtra ? 'More' : 'Fewer'} than the ${sats} requested arrived.`
}

/** Failures that need an administrator, latest first; reviewers see posts only. */
async function failedThings(db: Db, seesAll: boolean): Promise<Failed[]> {
  const queued = await db
    .select()
    .from(tweetQueue)
    .where(and(eq(tweetQueue.status, 'failed'), isNull(tweetQueue.deletedAt)))
    .orderBy(desc(tweetQueue.processedAt))
    .limit(MOST_FAILED)
  const [sources, odd] = seesAll
    ? await Promise.all([
        db
          .select()
          .from(priceSources)
          .where(isNotNull(priceSources.failingSince))
          .orderBy(desc(priceSources.lastErrorAt))
          .limit(MOST_FAILED),
        db.select().from(payments).where(IS_ODD).orderBy(desc(payments.paidAt)).limit(MOST_FAILED),
      ])
    : [[], []]
  return [
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
      text: whyOdd(row),
    })),
  ]
    .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
    .slice(0, MOST_FAILED)
}

/** All failing price sources as one row: without a network all of them fail, and must not hide other failures. */
function failedSources(rows: readonly (typeof priceSources.$inferSelect)[]): Failed[] {
  const [latest] = rows
  if (!latest) return []
  const named = Map.groupBy(rows, ({ asset }) => asset)
  // A venue has one row for daily and one for live prices.
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
  const at = latest.lastErrorAt === null ? null : new Date(latest.lastErrorAt).toISOString()
  return [{ kind: 'source', id: 'sources', submission_id: null, at, text }]
}

const MOST_LISTED = 10
const MOST_FAILED = 50

type HomeKit = Pick<ReviewKit, 'db' | 'clock'>
type ToDo = z.input<typeof reviewWaiting.reply>['to_do']

/** @param seesAll includes what only administrators may see */
export async function toDo(kit: HomeKit, seesAll: boolean): Promise<ToDo> {
  const { db, clock } = kit
  const [replies, posts, price_questions, payments, failed] = seesAll
    ? await Promise.all([
        repliesWaiting(kit),
        countToDecide(kit),
        countOpenQuestions(db),
        paymentsToSettle(db),
        countFailed(db, clock),
      ])
    : [null, null, null, null, null]
  const { open: reports } = await countReportStates(db)
  return { replies, posts, price_questions, payments, failed, reports }
}

/** @param seesAll includes failures of payments and prices; otherwise only those of the queue */
export async function reviewHome(kit: HomeKit, seesAll: boolean): Promise<Home> {
  const { db, clock } = kit
  const now = clock.now()
  const today = new Date(timeOfDay(dayOfTime(now))).toISOString()
  const isPending = eq(submissions.status, 'pending')
  const decided = (status: string) =>
    sql<number>`count(*) filter (where ${submissions.status} = ${status})::int`
  const [counted, oldest, latest, by, failed, waiting, also] = await Promise.all([
    countByStatus(db),
    selectRows(db, {})
      .where(isPending)
      .orderBy(asc(submissions.createdAt), asc(submissions.id))
      .limit(MOST_LISTED),
    selectRows(db, {})
      .where(gte(submissions.decidedAt, today))
      .orderBy(desc(submissions.decidedAt), desc(submissions.id))
      .limit(MOST_LISTED),
    db
      .select({
        username: sql<string>`coalesce(${submissions.decidedBy}, '')`,
        approved: decided('approved'),
        rejected: decided('rejected'),
      })
      .from(submissions)
      .where(gte(submissions.decidedAt, today))
      .groupBy(submissions.decidedBy)
      .orderBy(desc(sql`count(*)`)),
    failedThings(db, seesAll),
    db
      .select({ asset: submissions.asset, at: min(submissions.createdAt) })
      .from(submissions)
      .where(isPending)
      .groupBy(submissions.asset),
    toDo(kit, seesAll),
  ])
  return {
    at: new Date(now).toISOString(),
    waiting: ASSET_KEYS.map((asset) => ({
      asset_type: asset,
      pending: counted[asset].pending,
      oldest_at: isoOrNull(waiting.find((one) => one.asset === asset)?.at ?? null),
    })),
    to_do: also,
    oldest: oldest.map(({ row }) => row),
    decided_today: {
      approved: by.reduce((sum, one) => sum + one.approved, 0),
      rejected: by.reduce((sum, one) => sum + one.rejected, 0),
      by,
      latest: latest.map(({ row }) => row),
    },
    failed,
  }
}

const IS_IMPORTED = sql`not exists (
  select from submissions s where s.prediction_id = ${predictions.id})`

/**
 * How claims got into the record. Of rejection reasons, only the predefined ones are shown: free text was
 * written to one submitter.
 */
export async function selectionOf(db: Db, operator: Operator): Promise<Selection> {
  const { status } = submissions
  const [states, words, imported, reports] = await Promise.all([
    db
      .select({ status, count: count(), first: min(submissions.decidedAt) })
      .from(submissions)
      .groupBy(status),
    db
      .select({ words: sql<string>`coalesce(${submissions.adminComment}, '')`, count: count() })
      .from(submissions)
      .where(eq(status, 'rejected'))
      .groupBy(submissions.adminComment),
    db.$count(predictions, IS_IMPORTED),
    countReportStates(db),
  ])
  const of = (is: SubmissionStatus) => states.find((state) => state.status === is)?.count ?? 0
  const firsts = states.flatMap(({ first }) => (first === null ? [] : [iso(first).slice(0, 10)]))
  const counts = new Map<RejectionReason | null, number>()
  for (const { words: text, count } of words) {
    const reason = rejectionReason(text)
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return {
    accepted: of('approved'),
    rejected: of('rejected'),
    waiting: of('pending'),
    since: firsts.toSorted()[0] ?? null,
    reasons: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted(
        (a, b) =>
          // Free-text reasons come last, however frequent.
          Number(a.reason === null) - Number(b.reason === null) ||
          b.count - a.count ||
          (a.reason ?? '').localeCompare(b.reason ?? ''),
      ),
    reports,
    imported,
    operator,
  }
}
