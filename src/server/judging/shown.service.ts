import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { splitFactor, type CorporateAction } from '#domain/judging/corporate-action.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { JUDGE_MODES, RULE_VERSION, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { oddsOf } from '#domain/scoring/call-odds.ts'
import { type Odds } from '#domain/scoring/odds.ts'
import { priceHistory, type PriceHistory } from '#domain/scoring/price-history.ts'
import { type Db } from '#server/kit/db.ts'
import { predictionsByIds, type Experts, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { loadBars } from '#server/prices/bars.rows.ts'
import { loadActions } from '#server/prices/corporate-actions.rows.ts'
import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { judgedPrediction, statementOf, type JudgedPrediction } from './judging.service.ts'
import { marksOf, type Mark } from './marks.rows.ts'
import { RuledVerdict, type Bench } from './ruled-verdict.ts'
import { rulingsByIds, verdictsInForce, type Ruling } from './verdicts.rows.ts'

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
  /** By id, in the order they were published. */
  readonly shown: ReadonlyMap<string, Shown>
  /** The same in every process that shows the same of it on the same day, and another one when any of it differs. */
  readonly tag: string
}

/** All that is shown, as of one moment. */
export type ShownRecord = {
  readonly assets: Readonly<Record<AssetKey, ShownAsset>>
  /** Of what everything is judged by: the prices, the splits and the day. */
  readonly pricesTag: string
}

/** So many are read and judged at a time: visitors of the same process wait for a page, not for the whole record. */
const PAGE = 2_000

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
  const actions = await loadActions(tx)
  const bars = {
    btc: await loadBars(tx, 'btc'),
    mstr: await loadBars(tx, 'mstr'),
    naka: await loadBars(tx, 'naka'),
  }
  const history = (asset: AssetKey): PriceHistory => priceHistory(asset, bars[asset], today)
  const histories = { btc: history('btc'), mstr: history('mstr'), naka: history('naka') }
  const pricesTag = createHash('sha256')
    .update(JSON.stringify([today, RULE_VERSION, actions, bars]))
    .digest('base64url')
  const experts: Experts = new Map()
  const isSameBench = pricesTag === before?.pricesTag
  const read = async (asset: AssetKey): Promise<ShownAsset> => {
    const series = seriesOf(ASSETS[asset].calendar, bars[asset])
    const scene: Scene = {
      asset,
      bench: { series, today, recent: null },
      histories,
      actions,
      known: before?.assets[asset].shown ?? new Map(),
      experts,
      isSameBench,
    }
    return { asset, series, actions, ...(await readAsset(tx, scene, pricesTag)) }
  }
  return {
    assets: { btc: await read('btc'), mstr: await read('mstr'), naka: await read('naka') },
    pricesTag,
  }
}

type Scene = {
  readonly asset: AssetKey
  readonly bench: Bench
  readonly histories: Readonly<Record<AssetKey, PriceHistory>>
  readonly actions: readonly CorporateAction[]
  readonly known: ReadonlyMap<string, Shown>
  readonly experts: Experts
  /** What was known was judged by the same prices. */
  readonly isSameBench: boolean
}

async function readAsset(
  tx: Db,
  scene: Scene,
  pricesTag: string,
): Promise<Pick<ShownAsset, 'shown' | 'tag'>> {
  const marks = await marksOf(tx, scene.asset)
  const shown = new Map<string, Shown>()
  const hash = createHash('sha256').update(pricesTag)
  for (let from = 0; from < marks.length; from += PAGE) {
    const page = marks.slice(from, from + PAGE)
    for (const one of await readPage(tx, scene, page)) shown.set(one.id, one)
    hash.update(page.map((one) => Object.values(one).join(' ')).join('\n'))
    await breathe()
  }
  return { shown, tag: hash.digest('base64url') }
}

async function readPage(
  tx: Db,
  scene: Scene,
  page: readonly Mark[],
): Promise<readonly Shown[]> {
  const { known } = scene
  const rows = await predictionsByIds(
    tx,
    page.flatMap(({ id, mark }) => (known.get(id)?.mark === mark ? [] : id)),
    scene.experts,
  )
  const read = await rulingsByIds(
    tx,
    page.flatMap((mark) =>
      JUDGE_MODES.flatMap((mode) =>
        knownRuling(known.get(mark.id), mark, mode) ? [] : (mark[mode] ?? []),
      ),
    ),
  )
  const drafts = page.map((mark) => {
    const before = known.get(mark.id)
    const row = rows.get(mark.id)
    if (row || !before || !isSameAs(before, mark, scene)) {
      const rulingOf = (mode: JudgeMode): Ruling | null =>
        knownRuling(before, mark, mode) ?? read.get(mark[mode] ?? 0) ?? null
      return { mark, ...draftOf(scene, row ?? null, before ?? null, rulingOf) }
    }
    return { mark, kept: before.event === mark.event ? before : { ...before, ...mark } }
  })
  const asked = drafts.flatMap((one) => ('kept' in one || !one.isAsRecorded ? [] : one.mark.id))
  const onRecord = new Map<string, Verdict>()
  for (const one of asked.length === 0 ? [] : await verdictsInForce(tx, asked)) {
    onRecord.set(`${one.mode} ${one.predictionId}`, one.verdict)
  }
  return drafts.map((draft) => {
    if ('kept' in draft) return draft.kept
    const { mark, recorded, statement, factor, isFrozen, ruled } = draft
    const verdict = (mode: JudgeMode): Verdict => {
      const found = ruled[mode] ?? onRecord.get(`${mode} ${mark.id}`)
      if (!found) throw new Error(`no verdict by ${mode} of ${mark.id}`)
      return found
    }
    const verdicts = { touch: verdict('touch'), close: verdict('close') }
    const odds = new CallOdds(scene, statement, verdicts)
    return { ...mark, isFrozen, prediction: judgedPrediction(recorded, factor, verdicts, odds) }
  })
}

/** What was read of it before is all there is of it now. */
function isSameAs(before: Shown, mark: Mark, { isSameBench }: Scene): boolean {
  return isSameBench && before.touch === mark.touch && before.close === mark.close
}

/** The verdict on record where it is the one that was shown before; null where it has to be read. */
function knownRuling(before: Shown | undefined, mark: Mark, mode: JudgeMode): Ruling | null {
  const id = mark[mode]
  if (!before || id === null || id !== before[mode]) return null
  const shown = before.prediction.verdicts[mode]
  if (!(shown instanceof RuledVerdict)) return null
  const { outcome, reason, day, rule } = shown
  return { id, change: 'prices', outcome, reason, day, rule }
}

/** @param rulingOf gives the verdict on record; null where there is none yet */
function draftOf(
  { asset, bench, actions }: Scene,
  row: StoredPrediction | null,
  before: Shown | null,
  rulingOf: (mode: JudgeMode) => Ruling | null,
) {
  const recorded = row ?? before?.prediction
  if (!recorded) throw new Error('a prediction has a mark and no row')
  const factor = splitFactor(asset, recorded.made, actions)
  const statement = statementOf(recorded, factor)
  const isFrozen = row ? row.frozenAt !== null : before?.isFrozen === true
  const isKept = isFrozen || recorded.withdrawn !== null
  /** Null where what is on record is shown. */
  const ruledBy = (mode: JudgeMode): RuledVerdict | null => {
    const ruling = rulingOf(mode)
    if (ruling && (isKept || ruling.change === 'override')) return null
    const now = new RuledVerdict(bench, statement, mode)
    return !ruling || saysSame(ruling, now) ? now : null
  }
  const ruled = { touch: ruledBy('touch'), close: ruledBy('close') }
  const isAsRecorded = ruled.touch === null || ruled.close === null
  return { recorded, statement, factor, isFrozen, ruled, isAsRecorded }
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
    { histories }: Scene,
    statement: Statement,
    verdicts: JudgedPrediction['verdicts'],
  ) {
    this.#histories = histories
    this.#statement = statement
    this.#verdicts = verdicts
  }

  get touch(): Odds {
    return this.#by('touch')
  }

  get close(): Odds {
    return this.#by('close')
  }

  #by(mode: JudgeMode): Odds {
    const histories = this.#histories
    const history = histories[this.#statement.asset]
    return oddsOf(histories, history, this.#statement, this.#verdicts[mode], mode)
  }
}
