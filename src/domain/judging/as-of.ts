import { scaleClaim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type AgreedBar, splitFactor, type CorporateAction } from './bar.ts'
import { judge } from './judge.ts'
import { setByHand } from './same-verdict.ts'
import { type Series } from './series.ts'
import { byMode, type Verdict } from './verdict.ts'

/**
 * The bars known at the end of a day, in that day's units: later splits are undone.
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

/** Rounds off floating-point noise from scaling. */
function unscaled(usd: number): number {
  return Number(usd.toPrecision(12))
}

/**
 * A prediction with its verdicts as of the end of a day.
 *
 * @param series from `barsAsOf`
 * @param isPinned its verdicts are fixed, whatever the prices say
 */
export function predictionAsOf<One extends Prediction>(
  one: One,
  series: Series,
  day: Day,
  actions: readonly CorporateAction[],
  isPinned: boolean,
): One {
  const factor = one.splitFactor / splitFactor(one.asset, day, actions)
  const then = { ...one, claim: scaleClaim(one.statedClaim, 1 / factor), splitFactor: factor }
  const verdicts = byMode((mode): Verdict => {
    const byRule = judge(series, then, mode, day)
    const { outcome, reason, day: decided, window } = one.verdicts[mode]
    const isByHand = reason === 'overridden' || (isPinned && outcome !== byRule.outcome)
    if (!isByHand) return byRule
    if ((decided ?? window.to) <= day) return setByHand(byRule, outcome)
    // Before its day, an administrator's ruling does not apply.
    return byRule.outcome === 'pending' ? byRule : setByHand(byRule, 'pending')
  })
  return { ...then, verdicts }
}
