import { type AssetKey } from '#domain/asset.ts'
import { sum, type CountedCall } from './person-score.ts'

/** Calls whose luck lies in one tenth, from `from` to below `from` + 0.1. */
type LuckBin = {
  readonly from: number
  readonly calls: number
  readonly hits: number
  /** How many of them luck expects to come true. */
  readonly expected: number
}

/** All calls of an asset whose time is up and that can be compared with luck. */
export type Totals = {
  /** null for all assets together. */
  readonly asset: AssetKey | null
  readonly calls: number
  readonly hits: number
  /** What luck expects. */
  readonly expected: number
  /** The same in votes: repeated statements count once. */
  readonly votes: { readonly n: number; readonly hits: number; readonly expected: number }
  /** Ten, by the market line's luck. */
  readonly bins: readonly LuckBin[]
}

export function totalsOf(asset: AssetKey | null, all: readonly CountedCall[]): Totals {
  const calls = all.filter((call) => call.timeIsUp && call.luck && (!asset || call.asset === asset))
  const isHit = ({ outcome }: CountedCall): number => (outcome === 'hit' ? 1 : 0)
  const market = ({ luck }: CountedCall): number => luck ?? 0
  const bins = Array.from({ length: 10 }, (_, i): LuckBin => {
    const these = calls.filter((call) => Math.floor(market(call) * 10) === i)
    return {
      from: i / 10,
      calls: these.length,
      hits: sum(these, isHit),
      expected: sum(these, market),
    }
  })
  return {
    asset,
    calls: calls.length,
    hits: sum(calls, isHit),
    expected: sum(calls, market),
    votes: {
      n: sum(calls, ({ votes }) => votes),
      hits: sum(calls, (call) => call.votes * isHit(call)),
      expected: sum(calls, (call) => call.votes * market(call)),
    },
    bins,
  }
}
