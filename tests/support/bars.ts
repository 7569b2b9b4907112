import { type Bar } from '#domain/judging/bar.ts'
import { addDays, day, type Day } from '#domain/day.ts'

/** Bars of consecutive days, each written as `low..high>close`. */
export function daily(first: string, prices: readonly string[]): Bar[] {
  return prices.map((text, i) => {
    const [low = NaN, high = NaN, close = NaN] = text.split(/\.\.|>/).map(Number)
    return { day: addDays(day(first), i), open: close, high, low, close, source: '' }
  })
}

/** Quiet days from one day to another, inclusive. */
export function quiet(from: string, to: string, price = '95..105>100'): Bar[] {
  const days: Day[] = []
  for (let at = day(from); at <= day(to); at = addDays(at, 1)) days.push(at)
  return daily(
    from,
    days.map(() => price),
  )
}
