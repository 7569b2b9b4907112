import { type AssetKey } from '#domain/asset.ts'
import { decidedOf, isDecided, type CountedCall, type Decided } from './person-score.ts'
import { type Margin } from './replay.ts'

/** Calls whose luck lies in one tenth, from `from` to below `from` + 0.1. */
type LuckBin = Decided & { readonly from: number }

/** The decided calls of an asset. */
export type Totals = Decided & {
  /** null for all assets together. */
  readonly asset: AssetKey | null
  /** Of the hits of luck; null without replayed histories. */
  readonly margin: Margin | null
  /** Ten, by luck. */
  readonly bins: readonly LuckBin[]
}

export function totalsOf(
  asset: AssetKey | null,
  all: readonly CountedCall[],
  margin: Margin | null = null,
): Totals {
  const calls = all.filter((call) => isDecided(call) && (!asset || call.asset === asset))
  const bins = Array.from({ length: 10 }, (_, i): LuckBin => {
    const these = calls.filter(({ luck }) => Math.floor((luck ?? 0) * 10) === i)
    return { from: i / 10, ...decidedOf(these) }
  })
  return { asset, ...decidedOf(calls), margin, bins }
}
