import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { predictionAsOf } from '#domain/judging/as-of.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { splitFactor } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import { JUDGE_MODES, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { oddsOf } from '#domain/scoring/call-odds.ts'
import { type Db } from '#server/kit/db.ts'
import {
  judgedPrediction,
  statementOf,
  type JudgedPrediction,
} from '#server/judging/judging.service.ts'
import { verdictsInForce } from '#server/judging/verdicts.rows.ts'
import { predictionsByIds, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { barsOn, type Prices } from './prices.ts'

/**
 * Predictions in this order, in the form pages show; where the rule would decide otherwise, with the evidence on record.
 * @param asOf a past day, without odds; null for now
 */
export async function judgedByIds(
  db: Db,
  prices: Prices,
  ids: readonly string[],
  asOf: Day | null = null,
): Promise<JudgedPrediction[]> {
  const stored = await predictionsByIds(db, ids)
  const drafts = ids.flatMap((id) => {
    const one = stored.get(id)
    return one ? [{ one, ...rulingOf(one, prices) }] : []
  })
  const ruledByHand = drafts.filter(({ ruled }) => JUDGE_MODES.some((mode) => ruled[mode] === null))
  const onRecord = new Map<string, Verdict>()
  for (const { predictionId, mode, verdict } of await verdictsInForce(
    db,
    ruledByHand.map(({ one }) => one.id),
  )) {
    onRecord.set(`${mode} ${predictionId}`, verdict)
  }
  const then = asOf === null ? null : pastJudge(prices, asOf)
  return drafts.map(({ one, factor, ruled }) => {
    const verdictBy = (mode: JudgeMode): Verdict => {
      const found = ruled[mode] ?? onRecord.get(`${mode} ${one.id}`)
      if (!found) throw new Error(`no verdict by ${mode} of ${one.id}`)
      return found
    }
    const verdicts = { touch: verdictBy('touch'), close: verdictBy('close') }
    const { histories } = prices
    const statement = statementOf(one, factor)
    const oddsBy = (mode: JudgeMode) =>
      oddsOf(histories, histories[one.asset], statement, verdicts[mode], mode)
    if (then) return then(judgedPrediction(one, factor, verdicts), one.frozenAt !== null)
    return judgedPrediction(one, factor, verdicts, {
      get touch() {
        return oddsBy('touch')
      },
      get close() {
        return oddsBy('close')
      },
    })
  })
}

function pastJudge(prices: Prices, day: Day) {
  const known = new Map<AssetKey, Series>()
  return (one: JudgedPrediction, isFrozen: boolean): JudgedPrediction => {
    const { asset } = one
    const series = known.get(asset) ?? seriesOf(ASSETS[asset].calendar, barsOn(prices, asset, day))
    known.set(asset, series)
    return predictionAsOf(one, series, day, prices.actions, isFrozen)
  }
}

/** The rule's verdicts; null where the recorded one is shown. */
function rulingOf(one: StoredPrediction, prices: Prices) {
  const factor = splitFactor(one.asset, one.made, prices.actions)
  const statement = statementOf(one, factor)
  const isFrozen = one.frozenAt !== null || one.withdrawn !== null
  const ruledBy = (mode: JudgeMode): Verdict | null => {
    const ruling = one.inForce[mode]
    if (ruling && (isFrozen || ruling.reason === 'overridden')) return null
    const now = judge(prices[one.asset].series, statement, mode, prices.today)
    return !ruling || saysSame(ruling, now) ? now : null
  }
  return { factor, ruled: { touch: ruledBy('touch'), close: ruledBy('close') } }
}

/** The reason of a pending verdict is computed each time and never recorded. */
function saysSame(
  ruling: Pick<Verdict, 'outcome' | 'reason' | 'day'>,
  now: Pick<Verdict, 'outcome' | 'reason' | 'day'>,
): boolean {
  if (ruling.outcome !== now.outcome) return false
  return now.outcome === 'pending' || (ruling.reason === now.reason && ruling.day === now.day)
}
