import { type ranges } from '#contracts/ranges.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { barsOn, type Prices } from '#server/record/prices.ts'
import { type z } from 'zod'

/**
 * The highs and lows of an asset between two days.
 *
 * @param asOf a past day, of which nothing later is known; null for now
 */
export function rangesOf(
  prices: Prices,
  asset: AssetKey,
  [from, to]: readonly [Day, Day],
  asOf: Day | null,
): z.input<typeof ranges.reply> {
  return barsOn(prices, asset, asOf)
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
