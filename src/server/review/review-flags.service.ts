import { type ReviewFlag, type SubmissionRow } from '#contracts/review.ts'
import { byExpert, isDuplicate, saidIn, type Said } from '#domain/claim/duplicate.ts'
import { dayOfTime, readDay, type Day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { linkIn } from '#domain/link-in-text.ts'
import { dayConflict } from '#domain/claim/source-day.ts'
import { isAlreadyBroken, isAlreadyTrue } from '#domain/review.ts'
import { type Db } from '#server/kit/db.ts'
import { foldOf } from '#server/people/people.rows.ts'
import { type Prices } from '#server/record/prices.ts'
import { type PublicRecord as SiteRecord } from '#server/record/record.service.ts'
import { comparedOf, type Compared } from './duplicates.service.ts'
import { namesOf, underpaid, waitingBy, withHandle } from './review-flags.store.ts'

type Kit = { readonly db: Db; readonly record: SiteRecord }
type Flagged = { readonly row: SubmissionRow; readonly compared: Compared | null }

/**
 * What speaks for a closer look at each of the submissions of a page that wait: with a few queries for all of them, however
 * many wait. What the dry run of one says in full is here a word.
 *
 * @param rows of one asset, at most a page
 */
export async function flagsOf(
  kit: Kit,
  rows: readonly SubmissionRow[],
): Promise<Record<string, ReviewFlag[]>> {
  const waiting = rows.filter(({ status }) => status === 'pending')
  const [first] = waiting
  if (!first) return {}
  const { db, record } = kit
  const prices = await record.prices()
  const { actions } = prices
  const all = waiting.map((row): Flagged => ({
    row,
    compared: comparedOf(saidOf(row), actions),
  }))
  const said = all.flatMap(({ compared }) => compared ?? [])
  const [published, alike, isNew, isHeld, tooLittle] = await Promise.all([
    record.list({ alike: said }),
    duplicatesAmong(db, all, (row) => comparedOf(row, actions)),
    ...peopleFlags(db, waiting),
    underpaid(
      db,
      waiting.map(({ id }) => id),
    ),
  ])
  const marks = (one: Flagged): ReviewFlag[] => {
    const { row } = one
    const known = recordFlags(prices, published.map(saidIn), one)
    const found: (ReviewFlag | false)[] = [
      hasLink(row) && 'link',
      (alike.has(row.id) || known.includes('duplicate')) && 'duplicate',
      ...known.filter((flag) => flag !== 'duplicate'),
      isOtherDay(row) && 'other-day',
      isHeld.has(row.id) && 'other-handle',
      isNew.has(row.id) && 'new-person',
      row.payment_state === 'paid_late' && 'paid-late',
      row.payment_state === 'overpaid' && 'paid-twice',
      tooLittle.has(row.id) && 'paid-too-little',
      row.payment_state === 'none' && row.origin === 'visitor' && 'not-paid',
    ]
    return found.filter((flag) => flag !== false)
  }
  return Object.fromEntries(all.map((one) => [one.row.id, marks(one)]))
}

function saidOf(row: SubmissionRow): Parameters<typeof comparedOf>[0] {
  return {
    id: row.id,
    asset: row.asset_type,
    expertName: row.expert_name,
    twitterHandle: row.twitter_handle,
    predictionType: row.prediction_type,
    priceTarget: row.price_target,
    priceMin: row.price_min,
    priceMax: row.price_max,
    timing: row.timing,
    direction: row.direction,
    targetTime: row.target_time,
    predictionMade: row.prediction_made,
    sources: row.sources,
  }
}

/** Those of a page that say the same as another one that waits. */
async function duplicatesAmong(
  db: Db,
  all: readonly Flagged[],
  read: (row: Parameters<typeof comparedOf>[0]) => Compared | null,
): Promise<ReadonlySet<string>> {
  const asset = all[0]?.row.asset_type ?? 'btc'
  const deadlines = new Set(all.map(({ row }) => row.target_time))
  const others = (await waitingBy(db, asset, [...deadlines])).map(read)
  const compared = [...others, ...all.map((one) => one.compared)].filter((one) => one !== null)
  const ofExpert = byExpert(compared, (one) => one)
  return new Set(
    all.flatMap(({ row, compared: said }) =>
      said && ofExpert(said).some((one) => one.except !== row.id && isDuplicate(said, one))
        ? [row.id]
        : [],
    ),
  )
}

/** What the published record and its prices say. */
function recordFlags(
  prices: Prices,
  published: readonly Said[],
  { row, compared }: Flagged,
): readonly ReviewFlag[] {
  if (!compared) return []
  const { asset, claim, by } = compared
  const { today } = prices
  const said = {
    asset,
    claim,
    made: madeOf(row),
    madePrecision: row.made_precision,
    from: null,
    by,
  }
  const verdict = judge(prices[asset].series, said, 'touch', today)
  const found: (ReviewFlag | false)[] = [
    published.some((one) => isDuplicate(compared, one)) && 'duplicate',
    isAlreadyTrue(verdict, claim) && 'already-true',
    isAlreadyBroken(verdict, claim) && 'already-broken',
    by < today && 'window-over',
  ]
  return found.filter((flag) => flag !== false)
}

/** The ids of those that name someone new, and of those whose handle belongs to someone else or is new to whom they name. */
function peopleFlags(
  db: Db,
  rows: readonly SubmissionRow[],
): [Promise<ReadonlySet<string>>, Promise<ReadonlySet<string>>] {
  const read = readPeople(db, rows)
  return [read.then(({ isNew }) => isNew), read.then(({ isHeld }) => isHeld)]
}

async function readPeople(db: Db, rows: readonly SubmissionRow[]) {
  const nameOf = (row: SubmissionRow) => foldOf('name', row.expert_name)
  const handleOf = (row: SubmissionRow) =>
    row.twitter_handle === null ? null : foldOf('handle', row.twitter_handle)
  const handles = rows.map(handleOf).filter((handle) => handle !== null)
  const known = await namesOf(db, rows.map(nameOf), handles)
  const idBy = (kind: 'name' | 'handle', folded: string | null): number | null =>
    known.find((one) => one.kind === kind && one.folded === folded)?.id ?? null
  const ownerOf = (row: SubmissionRow): number | null =>
    row.new_influencer ? null : (row.existing_influencer_id ?? idBy('name', nameOf(row)))
  const owners = rows.map(ownerOf).filter((id) => id !== null)
  const hasHandle = await withHandle(db, owners)
  const isNew = new Set<string>()
  const isHeld = new Set<string>()
  for (const row of rows) {
    const [owner, handle] = [ownerOf(row), handleOf(row)]
    if (owner === null) isNew.add(row.id)
    if (handle === null) continue
    const holder = idBy('handle', handle)
    const isAnother = holder !== null && holder !== owner
    const isFurther = holder === null && owner !== null && hasHandle.has(owner)
    if (isAnother || isFurther) isHeld.add(row.id)
  }
  return { isNew, isHeld }
}

function hasLink(row: SubmissionRow): boolean {
  const texts = [
    row.expert_name,
    row.notes,
    ...row.sources.flatMap(({ quotation, speaker }) => [quotation ?? '', speaker ?? '']),
  ]
  return texts.some((text) => linkIn(text) !== null)
}

function isOtherDay(row: SubmissionRow): boolean {
  const made = { made: madeOf(row), precision: row.made_precision }
  return dayConflict(row.sources, made) !== null
}

function madeOf(row: SubmissionRow): Day {
  const made = row.prediction_made === null ? null : readDay(row.prediction_made)
  return made ?? dayOfTime(Date.parse(row.created_at))
}
