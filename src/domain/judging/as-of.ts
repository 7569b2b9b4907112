import { setByHand } from './same-verdict.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type AgreedBar, splitFactor, type CorporateAction } from './bar.ts'
import { judge } from './judge.ts'
import { type Series } from './series.ts'
import { type JudgeMode, type Verdict } from './verdict.ts'

/**
 * The bars that were known at the end of a day, with prices in the units of that day: a split after it has not happened
 * yet.
 *
 * @param bars oldest first, in today's units
 */
export function barsAsOf(
  bars: readonly AgreedBar[],
  day: Day,
  actions: readonly CorporateAction[],
  asset: Prediction['asset'],
): readonly AgreedBar[] {
  const known = bars.filter((bar) => bar.day <= day && !bar.moving)
  const unit = splitFactor(asset, day, actions)
  return unit === 1 ? known : known.map((bar) => inUnits(bar, unit))
}

function inUnits(bar: AgreedBar, unit: number): AgreedBar {
  const usd = (price: number | null) => (price === null ? null : unscaled(price * unit))
  return {
    ...bar,
    open: usd(bar.open),
    high: usd(bar.high),
    low: usd(bar.low),
    close: unscaled(bar.close * unit),
    loneHigh: usd(bar.loneHigh),
    loneLow: usd(bar.loneLow),
  }
}

/** Without the last digits that dividing and multiplying leave. */
function unscaled(usd: number): number {
  return Number(usd.toPrecision(12))
}

/**
 * A prediction with the verdicts it had at the end of a day.
 *
 * @param series the bars of `barsAsOf`
 * @param isKept its verdicts stay as they are, whatever the prices say
 */
export function predictionAsOf<One extends Prediction>(
  one: One,
  series: Series,
  day: Day,
  actions: readonly CorporateAction[],
  isPinned: boolean,
): One {
  const factor = one.splitFactor / splitFactor(one.asset, day, actions)
  const then = { ...one, claim: scaleClaim(one.said, 1 / factor), splitFactor: factor }
  const verdict = (mode: JudgeMode): Verdict => {
    const byRule = judge(series, then, mode, day)
    const { outcome, reason, day: decided, window } = one.verdicts[mode]
    const isByHand = reason === 'overridden' || (isPinned && outcome !== byRule.outcome)
    if (!isByHand) return byRule
    if ((decided ?? window.to) <= day) return setByHand(byRule, outcome)
    // Before the administrator's ruling, its override is undone.
    return byRule.outcome === 'pending' ? byRule : setByHand(byRule, 'pending')
  }
  return { ...then, verdicts: { touch: verdict('touch'), close: verdict('close') } }
}
