import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { splitFactor, type CorporateAction } from '#domain/judging/corporate-action.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { rescale } from '#domain/judging/jump.ts'
import { type DailyAnswer } from '#server/prices/ports.ts'
import { z } from 'zod'

/** A price as exchanges send it, number or text. */
export const Price = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?(e-?\d{1,2})?$/i)
    .transform(Number),
])

/** A moment as exchanges send it with a price, in milliseconds since 1970; null where there is none that can be read. */
export const VenueTime = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .nullish()
  .transform((at) => at ?? null)
  .catch(null)

/** Seconds since 1970 as exchanges send them, number or text. */
export const Seconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,12}$/)
      .transform(Number),
  ])
  .refine((seconds) => seconds > 0 && seconds < 1e11)

/** A bar as the source sent it, before it is checked for plausible values. */
export type RawBar = Omit<Bar, 'source'>

/**
 * Brings the bars of an answer in order: one a day, the later one of two, only of the days asked for on which the asset
 * trades. A bar whose numbers contradict each other is left out, as if the source had none of that day, and named.
 */
export function tidyBars(
  asset: AssetKey,
  source: string,
  raw: readonly RawBar[],
  { from, to }: { from: Day; to: Day },
): Required<Pick<DailyAnswer, 'bars' | 'senseless' | 'otherDays'>> {
  const { calendar } = ASSETS[asset]
  const byDay = new Map<Day, Bar>()
  const senseless = new Set<Day>()
  let otherDays = 0
  for (const bar of raw) {
    if (bar.day < from || bar.day > to) otherDays += 1
    else if (!isTradingDay(calendar, bar.day)) continue
    else if (makesSense(bar)) byDay.set(bar.day, { ...bar, source })
    else senseless.add(bar.day)
  }
  return {
    bars: [...byDay.values()].toSorted((a, b) => a.day - b.day),
    senseless: [...senseless].filter((day) => !byDay.has(day)),
    otherDays,
  }
}

/** Prices as they were traded, in today's units. */
export function adjusted(
  asset: AssetKey,
  bar: RawBar,
  actions: readonly CorporateAction[],
): RawBar {
  const factor = splitFactor(asset, bar.day, actions)
  return factor === 1 ? bar : rescale(bar, factor)
}

export function dayOfSeconds(seconds: number): Day {
  return dayOfTime(seconds * 1_000)
}

function makesSense({ open, high, low, close }: RawBar): boolean {
  const isPrice = (usd: number): boolean => Number.isFinite(usd) && usd > 0
  if (!isPrice(close)) return false
  if (high === null || low === null) return high === low
  if (!isPrice(high) || !isPrice(low) || low > high || close < low || close > high) return false
  return open === null || (isPrice(open) && open >= low && open <= high)
}
