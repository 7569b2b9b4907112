import { and, between, desc, eq, inArray, not, or, sql } from 'drizzle-orm'
import { type z } from 'zod'
import { type oneSubmission, type ReviewFlag, type SubmissionRow } from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import {
  isDuplicate,
  NEAR_DAYS,
  type StatementKey,
  byExpert,
  statementKeyOf,
} from '#domain/claim/duplicate.ts'
import { isFault, type ClaimFields } from '#domain/claim/fields.ts'
import { dayConflict } from '#domain/claim/source.ts'
import { claimText } from '#domain/claim/text.ts'
import { readWrittenClaim } from '#domain/claim/written.ts'
import { isoDay, readDay, type Day, addDays, dayOfTime } from '#domain/day.ts'
import { splitFactor, type CorporateAction } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { isAlreadyBroken, isAlreadyTrue } from '#domain/review.ts'
import { linkIn } from '#domain/web-address.ts'
import { influencerNames } from '#server/database/schema/predictions.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'
import { IS_SHORT } from '#server/payments/payments.rows.ts'
import { foldOf } from '#server/people/people.rows.ts'
import { type Prices } from '#server/record/prices.ts'
import { sayingSame, type PublicRecord } from '#server/record/record.service.ts'
import { sourcesOfSubmission } from '#server/sources/sources.rows.ts'
import { type SubmittedStatement, statementColumns } from '#server/submissions/submissions.rows.ts'

type Kit = { readonly db: Db; readonly record: PublicRecord }
type Duplicate = z.infer<typeof oneSubmission.reply>['duplicates'][number]

const MOST = 20

export type Compared = StatementKey & {
  readonly asset: AssetKey
  readonly by: Day
  /** The submission's own id, excluded from the comparison. */
  readonly except: string
}

export async function duplicatesOf({ db, record }: Kit, compared: Compared): Promise<Duplicate[]> {
  const { asset, by, except } = compared
  const published = await sayingSame(record, compared, NEAR_DAYS)
  const { actions } = await record.prices()
  const waiting = await waitingSubmissions(db, asset, [by], true)
  const isAlike = (row: SubmittedStatement): boolean => {
    const other = row.id === except ? null : comparedOf(row, actions)
    return other !== null && isDuplicate(compared, other, NEAR_DAYS)
  }
  return [
    ...published.map((one): Duplicate => ({
      kind: 'prediction',
      id: one.id,
      expert_name: one.expert.name,
      price_prediction: claimText(one.statedClaim),
      target_time: isoDay(one.by),
    })),
    ...waiting.filter(isAlike).map((row): Duplicate => ({ kind: 'submission', ...row })),
  ].slice(0, MOST)
}

/** A submission's comparable fields; null if its date or level cannot be parsed. */
export function comparedOf(
  row: Pick<SubmissionRow, 'id' | 'asset_type' | 'expert_name' | 'twitter_handle'> &
    ClaimFields & {
      readonly target_time: string
      readonly prediction_made: string | null
      readonly sources?: StatementKey['sources']
    },
  actions: readonly CorporateAction[],
): Compared | null {
  const { asset_type: asset, prediction_made: day, sources } = row
  const claim = readWrittenClaim(row)
  const by = readDay(row.target_time)
  const made = day === null ? null : readDay(day)
  if (by === null || isFault(claim)) return null
  const factor = made === null ? 1 : splitFactor(asset, made, actions)
  return {
    expertName: row.expert_name,
    handle: row.twitter_handle,
    asset,
    claim: scaleClaim(claim, 1 / factor),
    by,
    except: row.id,
    ...(sources && { sources }),
  }
}

/** Exceeded only when the queue is flooded. */
const MOST_COMPARED = 500

/**
 * Pending submissions with a deadline close to these, and otherwise the newest, as a page may be read in
 * several ways in short succession. Uses an index, however long the queue.
 */
async function waitingSubmissions(
  db: Db,
  asset: AssetKey,
  deadlines: readonly Day[],
  withOthers = false,
): Promise<SubmittedStatement[]> {
  const { targetTime, createdAt, id } = submissions
  const near = or(
    ...deadlines.map((by) =>
      between(targetTime, isoDay(addDays(by, -NEAR_DAYS)), isoDay(addDays(by, NEAR_DAYS))),
    ),
  )
  const waits = and(eq(submissions.asset, asset), eq(submissions.status, 'pending'))
  const [alike, others] = await Promise.all([
    db
      .select(statementColumns)
      .from(submissions)
      .where(and(waits, near ?? sql`false`))
      .orderBy(desc(targetTime), desc(id))
      .limit(MOST_COMPARED),
    withOthers && near
      ? db
          .select({ ...statementColumns, sources: sourcesOfSubmission() })
          .from(submissions)
          .where(and(waits, not(near)))
          .orderBy(desc(createdAt))
          .limit(MOST_COMPARED)
      : [],
  ])
  return [...alike, ...others]
}

const HANDLE = eq(influencerNames.kind, 'handle')

type Flagged = { readonly row: SubmissionRow; readonly compared: Compared | null }

/** Reasons for a closer look, using a few queries for the whole page. @param rows of one asset, at most a page */
export async function flagsOf(kit: Kit, rows: readonly SubmissionRow[]) {
  const waiting = rows.filter(({ status }) => status === 'pending')
  const [first] = waiting
  if (!first) return {}
  const { db, record } = kit
  const prices = await record.prices()
  const { actions } = prices
  const ids = waiting.map(({ id }) => id)
  const all = waiting.map((row): Flagged => ({ row, compared: comparedOf(row, actions) }))
  const calls = all.flatMap(({ compared }) => compared ?? [])
  const [published, alike, { isNew, isTaken }, tooLittle] = await Promise.all([
    record.list({ alike: calls }),
    duplicatesAmong(db, all, actions),
    readPeople(db, waiting),
    db
      .select({ id: payments.submissionId })
      .from(payments)
      .where(and(inArray(payments.submissionId, ids), IS_SHORT)),
  ])
  const marks = (one: Flagged): ReviewFlag[] => {
    const { row } = one
    const known = recordFlags(prices, published.map(statementKeyOf), one)
    const quoted = row.sources.flatMap(({ quotation, speaker }) => [quotation, speaker])
    const texts = [row.expert_name, row.notes, ...quoted]
    const made = { made: madeOf(row), precision: row.made_precision }
    const found: (ReviewFlag | false)[] = [
      texts.some((text) => linkIn(text ?? '') !== null) && 'link',
      (alike.has(row.id) || known.includes('duplicate')) && 'duplicate',
      ...known.filter((flag) => flag !== 'duplicate'),
      dayConflict(row.sources, made) !== null && 'other-day',
      isTaken.has(row.id) && 'other-handle',
      isNew.has(row.id) && 'new-person',
      row.payment_state === 'paid_late' && 'paid-late',
      row.payment_state === 'overpaid' && 'paid-twice',
      tooLittle.some(({ id }) => id === row.id) && 'paid-too-little',
      row.payment_state === 'none' && row.origin === 'visitor' && 'not-paid',
    ]
    return found.filter((flag) => flag !== false)
  }
  return Object.fromEntries(all.map((one) => [one.row.id, marks(one)]))
}

/** The submissions on a page that duplicate another pending one. */
async function duplicatesAmong(
  db: Db,
  all: readonly Flagged[],
  actions: readonly CorporateAction[],
): Promise<ReadonlySet<string>> {
  const asset = all[0]?.row.asset_type ?? 'btc'
  const deadlines = all.flatMap(({ compared }) => compared?.by ?? [])
  const waiting = await waitingSubmissions(db, asset, deadlines)
  const others = waiting.map((row) => comparedOf(row, actions))
  const compared = [...others, ...all.map((one) => one.compared)].filter((one) => one !== null)
  const ofExpert = byExpert(compared, (one) => one)
  return new Set(
    all.flatMap(({ row, compared: call }) =>
      call &&
      ofExpert(call).some((one) => one.except !== row.id && isDuplicate(call, one, NEAR_DAYS))
        ? [row.id]
        : [],
    ),
  )
}

function recordFlags(
  prices: Prices,
  published: readonly StatementKey[],
  { row, compared }: Flagged,
): readonly ReviewFlag[] {
  if (!compared) return []
  const { asset, claim, by } = compared
  const { today, actions } = prices
  const call = {
    asset,
    claim,
    made: madeOf(row),
    madePrecision: row.made_precision,
    from: null,
    by,
  }
  const verdict = judge(prices[asset].series, call, 'touch', today)
  const found: (ReviewFlag | false)[] = [
    published.some((one) => isDuplicate(compared, one, NEAR_DAYS)) && 'duplicate',
    isAlreadyTrue(verdict, claim) && 'already-true',
    isAlreadyBroken(verdict, claim) && 'already-broken',
    by < today && 'window-over',
    splitFactor(asset, call.made, actions) !== 1 && 'before-split',
  ]
  return found.filter((flag) => flag !== false)
}

/** The ids of submissions that name a new person, and of those whose handle belongs to, or is new for, an influencer. */
async function readPeople(db: Db, rows: readonly SubmissionRow[]) {
  const nameOf = (row: SubmissionRow) => foldOf('name', row.expert_name)
  const handleOf = (row: SubmissionRow) =>
    row.twitter_handle === null ? null : foldOf('handle', row.twitter_handle)
  const handles = rows.map(handleOf).filter((handle) => handle !== null)
  const known = await db
    .select({
      id: influencerNames.influencerId,
      kind: influencerNames.kind,
      folded: influencerNames.folded,
    })
    .from(influencerNames)
    .where(
      or(
        and(eq(influencerNames.kind, 'name'), inArray(influencerNames.folded, rows.map(nameOf))),
        and(HANDLE, inArray(influencerNames.folded, handles)),
      ),
    )
    .orderBy(influencerNames.influencerId)
  const idBy = (kind: 'name' | 'handle', folded: string | null): number | null =>
    known.find((one) => one.kind === kind && one.folded === folded)?.id ?? null
  const ownerOf = (row: SubmissionRow): number | null =>
    row.new_influencer ? null : (row.existing_influencer_id ?? idBy('name', nameOf(row)))
  const owners = rows.map(ownerOf).filter((id) => id !== null)
  const withHandle = await db
    .select({ id: influencerNames.influencerId })
    .from(influencerNames)
    .where(and(HANDLE, inArray(influencerNames.influencerId, owners)))
  const hasHandle = new Set(withHandle.map(({ id }) => id))
  const isNew = new Set<string>()
  const isTaken = new Set<string>()
  for (const row of rows) {
    const [owner, handle] = [ownerOf(row), handleOf(row)]
    if (owner === null) isNew.add(row.id)
    if (handle === null) continue
    const holder = idBy('handle', handle)
    const isAnother = holder !== null && holder !== owner
    const isFurther = holder === null && owner !== null && hasHandle.has(owner)
    if (isAnother || isFurther) isTaken.add(row.id)
  }
  return { isNew, isTaken }
}

function madeOf(row: SubmissionRow): Day {
  const made = row.prediction_made === null ? null : readDay(row.prediction_made)
  return made ?? dayOfTime(Date.parse(row.created_at))
}
