import { type ReviewFlag, type SubmissionRow } from '#contracts/review.ts'
import { byExpert, isDuplicate, saidIn } from '#domain/claim/duplicate.ts'
import { dayOfTime, readDay, type Day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { linkIn } from '#domain/link-in-text.ts'
import { dayConflict } from '#domain/claim/source-day.ts'
import { isAlreadyBroken, isAlreadyTrue } from '#domain/review.ts'
import { type Db } from '#server/kit/db.ts'
import { foldOf } from '#server/people/people.rows.ts'
import {
  type Catalog,
  type CatalogAsset,
  type Snapshot,
} from '#server/predictions/catalog.service.ts'
import { loadActions } from '#server/prices/corporate-actions.rows.ts'
import { comparedOf, type Compared } from './duplicates.service.ts'
import { namesOf, underpaid, waitingBy, withHandle } from './review-flags.store.ts'

type Kit = { readonly db: Db; readonly catalog: Pick<Catalog, 'snapshot' | 'today'> }
type Flagged = { readonly row: SubmissionRow; readonly compared: Compared | null }

/** What the record says of a submission, by the record and the day it was asked about. */
const ofRecord = new WeakMap<object, Map<string, readonly ReviewFlag[]>>()

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
  const { db } = kit
  const actions = await loadActions(db)
  const all = waiting.map((row): Flagged => ({
    row,
    compared: comparedOf(saidOf(row), actions),
  }))
  const [alike, isNew, isHeld, tooLittle] = await Promise.all([
    duplicatesAmong(db, all, (row) => comparedOf(row, actions)),
    ...peopleFlags(db, waiting),
    underpaid(
      db,
      waiting.map(({ id }) => id),
    ),
  ])
  const marks = (one: Flagged): ReviewFlag[] => {
    const { row } = one
    const known = recordFlags(kit, one)
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

/** What the published record and its prices say; each is asked once until the record changes. */
function recordFlags({ catalog }: Kit, { row, compared }: Flagged): readonly ReviewFlag[] {
  const snapshot = catalog.snapshot()
  if (!snapshot || !compared) return []
  const kept = ofRecord.get(snapshot) ?? new Map<string, readonly ReviewFlag[]>()
  ofRecord.set(snapshot, kept)
  const today = catalog.today()
  const key = `${row.id} ${String(row.version)} ${String(today)}`
  const found = kept.get(key) ?? readRecord(snapshot, compared, madeOf(row), today)
  kept.set(key, found)
  return found
}

function readRecord(
  snapshot: Snapshot,
  compared: Compared,
  made: Day,
  today: Day,
): readonly ReviewFlag[] {
  const { asset, claim, by } = compared
  const { judged } = snapshot.assets[asset]
  const verdict = judge(judged.series, { asset, claim, made, from: null, by }, 'touch', today)
  const found: (ReviewFlag | false)[] = [
    saidBy(snapshot, compared).some((one) => isDuplicate(compared, saidIn(one))) && 'duplicate',
    isAlreadyTrue(verdict, claim) && 'already-true',
    isAlreadyBroken(verdict, claim) && 'already-broken',
    by < today && 'window-over',
  ]
  return found.filter((flag) => flag !== false)
}

type Published = CatalogAsset['predictions']

/** The published predictions by expert, sorted once for each state of the record. */
const published = new WeakMap<CatalogAsset, (said: Compared) => Published>()

/** Those that may be by the same expert. */
function saidBy({ assets }: Snapshot, said: Compared): Published {
  const of = assets[said.asset]
  const known =
    published.get(of) ??
    byExpert(of.predictions, ({ expert }) => ({ expertName: expert.name, handle: expert.handle }))
  published.set(of, known)
  return known(said)
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
