import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { splitFactor, type CorporateAction } from '#domain/judging/corporate-action.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { RULE_VERSION, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { oddsOf } from '#domain/scoring/call-odds.ts'
import { type Odds } from '#domain/scoring/odds.ts'
import { priceHistory, type PriceHistory } from '#domain/scoring/price-history.ts'
import { type Db } from '#server/kit/db.ts'
import {
  expertsOf,
  type Experts,
  type StoredPrediction,
} from '#server/predictions/predictions.rows.ts'
import { loadBars } from '#server/prices/bars.rows.ts'
import { loadActions } from '#server/prices/corporate-actions.rows.ts'
import { sql } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { unjudged, withVerdicts, type JudgedPrediction } from './judging.service.ts'
import {
  allMarks,
  partsOfAll,
  recordedOf,
  recordedPrediction,
  type Mark,
  type RecordedPrediction,
  type Ruling,
} from './recorded.rows.ts'
import { RuledVerdict, type Bench } from './ruled-verdict.ts'
import { verdictsInForce } from './verdicts.rows.ts'

/** A prediction as pages show it, with the marks it was read by. */
export type Shown = Mark & {
  readonly prediction: JudgedPrediction
  /** Its verdicts stay as they are, whatever the prices say. */
  readonly isFrozen: boolean
}

/** An asset as pages show it. */
export type ShownAsset = {
  readonly asset: AssetKey
  readonly series: Series
  /** The splits on record, of all assets. */
  readonly actions: readonly CorporateAction[]
  /** By id. */
  readonly shown: ReadonlyMap<string, Shown>
  /** The same in every process that shows the same of it on the same day, and another one when any of it differs. */
  readonly tag: string
}

/** All that is shown, as of one moment. */
export type ShownRecord = {
  readonly assets: Readonly<Record<AssetKey, ShownAsset>>
  /** Of what everything is judged by: the prices, the splits and the day. */
  readonly pricesTag: string
  readonly scenes: Scenes
}

/** A prediction by its id, of whichever asset. */
export function shownIn({ assets }: ShownRecord, id: string): Shown | undefined {
  for (const key of ASSET_KEYS) {
    const found = assets[key].shown.get(id)
    if (found) return found
  }
  return undefined
}

/** So many are read and judged at a time: visitors of the same process wait for a part, not for the whole record. */
const PART = 4_000

/**
 * Reads what pages show. What has not changed since `before` is not read again, and is judged again only when prices
 * have changed. Until a verdict that prices bring is on record, what is shown is what is on record; a pending one
 * shows how near the price has come by now, and evidence is that of the prices of now.
 *
 * @param tx a transaction that sees one moment
 */
export async function readShown(
  tx: Db,
  today: Day,
  before: ShownRecord | null,
): Promise<ShownRecord> {
  // Each of many short statements is slower with them.
  await tx.execute(sql`set local jit = off`)
  await tx.execute(sql`set local max_parallel_workers_per_gather = 0`)
  const actions = await loadActions(tx)
  const bars = {
    btc: await loadBars(tx, 'btc'),
    mstr: await loadBars(tx, 'mstr'),
    naka: await loadBars(tx, 'naka'),
  }
  const pricesTag = createHash('sha256')
    .update(JSON.stringify([today, RULE_VERSION, actions, bars]))
    .digest('base64url')
  // What is read again is judged by the very prices of the rest: each verdict holds on to its own.
  const scenes =
    before?.pricesTag === pricesTag ? before.scenes : scenesOf({ today, actions, bars })
  const shown: ShownMaps = { btc: new Map(), mstr: new Map(), naka: new Map() }
  const hash = () => createHash('sha256').update(pricesTag)
  const hashes = { btc: hash(), mstr: hash(), naka: hash() }
  const asRecorded: RuledDraft[] = []
  for await (const part of before
    ? readChanged(tx, scenes, before, pricesTag)
    : readEverything(tx, scenes)) {
    const lines = { btc: '', mstr: '', naka: '' }
    for (const one of part) {
      const isNew = 'ruled' in one
      const { id, mark, touch, close, event } = isNew ? one.mark : one
      const { asset } = one.prediction
      lines[asset] += `${id} ${mark} ${touch} ${close} ${event}\n`
      if (!isNew) shown[asset].set(id, one)
      else if (one.ruled.touch && one.ruled.close)
        shown[asset].set(id, shownOf(scenes, one, new Map()))
      else asRecorded.push(one)
    }
    for (const asset of ASSET_KEYS) hashes[asset].update(lines[asset])
  }
  for (const part of partsOf(asRecorded)) {
    const found = await verdictsInForce(
      tx,
      part.map((one) => one.mark.id),
    )
    const onRecord = new Map(found.map((one) => [`${one.mode} ${one.predictionId}`, one.verdict]))
    for (const one of part)
      shown[one.prediction.asset].set(one.mark.id, shownOf(scenes, one, onRecord))
  }
  const assetOf = (asset: AssetKey): ShownAsset => ({
    asset,
    series: scenes[asset].bench.series,
    actions,
    shown: shown[asset],
    tag: hashes[asset].digest('base64url'),
  })
  return {
    assets: { btc: assetOf('btc'), mstr: assetOf('mstr'), naka: assetOf('naka') },
    pricesTag,
    scenes,
  }
}

function scenesOf({
  today,
  actions,
  bars,
}: {
  readonly today: Day
  readonly actions: readonly CorporateAction[]
  readonly bars: Readonly<Record<AssetKey, readonly AgreedBar[]>>
}): Scenes {
  const history = (asset: AssetKey): PriceHistory => priceHistory(asset, bars[asset], today)
  const histories = { btc: history('btc'), mstr: history('mstr'), naka: history('naka') }
  const sceneOf = (asset: AssetKey): Scene => {
    const series = seriesOf(ASSETS[asset].calendar, bars[asset])
    return { bench: { series, today, recent: null }, histories, actions }
  }
  return { btc: sceneOf('btc'), mstr: sceneOf('mstr'), naka: sceneOf('naka') }
}

type ShownMaps = Readonly<Record<AssetKey, Map<string, Shown>>>

/** What the predictions of an asset are judged by. */
type Scene = {
  readonly bench: Bench
  readonly histories: Readonly<Record<AssetKey, PriceHistory>>
  readonly actions: readonly CorporateAction[]
}
type Scenes = Readonly<Record<AssetKey, Scene>>

/** Everything, in the order of ids, in parts. */
async function* readEverything(tx: Db, scenes: Scenes): AsyncGenerator<readonly Draft[]> {
  const experts = await expertsOf(tx, 'all')
  const parts = await partsOfAll(tx, PART)
  for await (const rows of readAhead(parts, (part) => recordedOf(tx, part))) {
    yield rows.map((row) => draftOfRow(scenes, recordedPrediction(row, experts)))
  }
}

/** The same, with what has changed since `before` read again, and all else taken from there. */
async function* readChanged(
  tx: Db,
  scenes: Scenes,
  before: ShownRecord,
  pricesTag: string,
): AsyncGenerator<readonly Draft[]> {
  const isSameBench = before.pricesTag === pricesTag
  const marks = await allMarks(tx)
  const toRead = marks.filter((mark) => isToRead(shownIn(before, mark.id), mark, isSameBench))
  const read = new Map<string, RecordedPrediction>()
  const experts: Experts = toRead.length === 0 ? new Map() : await expertsOf(tx, 'all')
  const parts = partsOf(toRead.map(({ id }) => id))
  for await (const rows of readAhead(parts, (ids) => recordedOf(tx, ids))) {
    for (const row of rows) {
      const one = recordedPrediction(row, experts)
      read.set(one.stored.id, one)
    }
  }
  for (const part of partsOf(marks)) {
    yield part.flatMap((mark): Draft[] => {
      const row = read.get(mark.id)
      const known = shownIn(before, mark.id)
      if (row) return [draftOfRow(scenes, row)]
      if (!known) return []
      if (!isSameBench) return [draftOfKnown(scenes, known, mark)]
      return [known.event === mark.event ? known : { ...known, event: mark.event }]
    })
    await breathe()
  }
}

function partsOf<One>(all: readonly One[]): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / PART) }, (_, i) =>
    all.slice(i * PART, (i + 1) * PART),
  )
}

/** Reads parts one after the other; the database reads the next one while what came before is judged. */
async function* readAhead<Part, Read>(
  parts: readonly Part[],
  read: (part: Part) => Promise<Read>,
): AsyncGenerator<Read> {
  let next: Promise<Read> | null = null
  for (const [i, part] of parts.entries()) {
    const now: Read = await (next ?? read(part))
    const after = parts[i + 1]
    next = after === undefined ? null : read(after)
    // Where judging fails, nobody asks for it.
    next?.catch(() => undefined)
    await breathe()
    yield now
  }
}

/** Whether it has changed since it was read, or its verdicts on record have to be seen to judge it again. */
function isToRead(known: Shown | undefined, mark: Mark, isSameBench: boolean): boolean {
  if (known?.mark !== mark.mark) return true
  if (known.touch !== mark.touch || known.close !== mark.close) return true
  const { touch, close } = known.prediction.verdicts
  return !isSameBench && !(touch instanceof RuledVerdict && close instanceof RuledVerdict)
}

/** With the verdicts of the rule; null where what is on record is shown. */
type RuledDraft = ReturnType<typeof draftOf>
/** One that is shown already stays. */
type Draft = Shown | RuledDraft

/** @param onRecord verdicts by mode and id */
function shownOf(
  scenes: Scenes,
  { mark, prediction, isFrozen, ruled }: RuledDraft,
  onRecord: ReadonlyMap<string, Verdict>,
): Shown {
  const verdict = (mode: JudgeMode): Verdict => {
    const found = ruled[mode] ?? onRecord.get(`${mode} ${mark.id}`)
    if (!found) throw new Error(`no verdict by ${mode} of ${mark.id}`)
    return found
  }
  const verdicts = { touch: verdict('touch'), close: verdict('close') }
  const odds = new CallOdds(scenes[prediction.asset].histories, prediction, verdicts)
  const { id, mark: version, touch, close, event } = mark
  const judged = withVerdicts(prediction, verdicts, odds)
  // Named one by one, as in a prediction.
  return { id, mark: version, touch, close, event, isFrozen, prediction: judged }
}

function draftOfRow(scenes: Scenes, { stored, mark, touch, close }: RecordedPrediction) {
  return draftOf(
    scenes,
    { mark, recorded: stored, isFrozen: stored.frozenAt !== null },
    { touch, close },
  )
}

/** Of one that has not changed: what was shown of it is what is on record. */
function draftOfKnown(scenes: Scenes, { prediction, isFrozen }: Shown, mark: Mark) {
  const { touch, close } = prediction.verdicts
  return draftOf(
    scenes,
    { mark, recorded: prediction, isFrozen },
    { touch: rulingOf(touch, mark.touch), close: rulingOf(close, mark.close) },
  )
}

function rulingOf({ outcome, reason, rule, day }: Verdict, id: number | null): Ruling | null {
  return id === null ? null : { id, change: 'prices', outcome, reason, rule, day }
}

/** @param rulings the verdicts on record; null before the first */
function draftOf(
  scenes: Scenes,
  given: {
    readonly mark: Mark
    readonly recorded: Omit<StoredPrediction, 'version' | 'frozenAt'>
    readonly isFrozen: boolean
  },
  rulings: Readonly<Record<JudgeMode, Ruling | null>>,
) {
  const { recorded, isFrozen } = given
  const { bench, actions } = scenes[recorded.asset]
  const prediction = unjudged(recorded, splitFactor(recorded.asset, recorded.made, actions))
  const isKept = isFrozen || recorded.withdrawn !== null
  /** Null where what is on record is shown. */
  const ruledBy = (mode: JudgeMode): RuledVerdict | null => {
    const ruling = rulings[mode]
    if (ruling && (isKept || ruling.change === 'override')) return null
    const now = new RuledVerdict(bench, prediction, mode)
    return !ruling || saysSame(ruling, now) ? now : null
  }
  const ruled = { touch: ruledBy('touch'), close: ruledBy('close') }
  return { mark: given.mark, isFrozen, prediction, ruled }
}

/** Which wait it is, while pending, is found each time and never recorded. */
function saysSame(ruling: Ruling, now: Verdict): boolean {
  if (ruling.outcome !== now.outcome || ruling.rule !== now.rule) return false
  return now.outcome === 'pending' || (ruling.reason === now.reason && ruling.day === now.day)
}

/** What luck says of a call, found when a page reads it. */
class CallOdds {
  readonly #histories: Scene['histories']
  readonly #statement: Statement
  readonly #verdicts: JudgedPrediction['verdicts']

  constructor(
    histories: Scene['histories'],
    statement: Statement,
    verdicts: JudgedPrediction['verdicts'],
  ) {
    this.#histories = histories
    this.#statement = statement
    this.#verdicts = verdicts
  }

  get touch(): Odds {
    return oddsBy('touch', this.#histories, this.#statement, this.#verdicts)
  }

  get close(): Odds {
    return oddsBy('close', this.#histories, this.#statement, this.#verdicts)
  }
}

function oddsBy(
  mode: JudgeMode,
  histories: Scene['histories'],
  statement: Statement,
  verdicts: JudgedPrediction['verdicts'],
): Odds {
  return oddsOf(histories, histories[statement.asset], statement, verdicts[mode], mode)
}
