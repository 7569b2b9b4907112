import { type ranges } from '#contracts/ranges.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { barsAsOf } from '#domain/judging/as-of.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type HotList } from '#server/http/hot-list.ts'
import { type z } from 'zod'
import { closedBars, type Snapshot } from './catalog.service.ts'
import { keptLists } from './kept-lists.ts'
import { type Records } from './predictions.service.ts'

/** Pages ask for calendar years, which are the same for all visitors. */
const MOST_BYTES = 4_000_000

/** The highs and lows of an asset between two days, made ready once for each state of the record. */
export function rangesService({ snapshot }: Pick<Records, 'snapshot'>) {
  const kept = keptLists(snapshot, MOST_BYTES)

  /** @param asOf a past day, of which nothing later is known; null for now */
  return (asset: AssetKey, from: Day, to: Day, asOf: Day | null): Promise<HotList> =>
    kept([asset, from, to, asOf].join(' '), (now) =>
      JSON.stringify(rangesOf(now, asset, [from, to], asOf)),
    )
}

function rangesOf(
  { assets }: Snapshot,
  asset: AssetKey,
  [from, to]: readonly [Day, Day],
  asOf: Day | null,
): z.input<typeof ranges.reply> {
  const { judged } = assets[asset]
  const bars = closedBars(judged)
  return (asOf === null ? bars : barsAsOf(bars, asOf, judged.actions, asset))
    .filter(({ day }) => day >= from && day <= to)
    .flatMap((bar) => rangedDay(bar) ?? [])
    .map(({ day, ...usd }) => ({ date: isoDay(day), ...usd }))
}

type RangedBar = Pick<AgreedBar, 'day' | 'open' | 'close'> & {
  readonly high: number
  readonly low: number
}

/** Null where only the close is known, or where the sources do not agree on any price of the day. */
export function rangedDay({ day, open, high, low, close }: AgreedBar): RangedBar | null {
  if (high === null || low === null || low > high) return null
  return { day, open, high, low, close }
}
