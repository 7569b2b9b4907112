import { ASSET_KEYS } from '#domain/asset.ts'
import { readDay } from '#domain/day.ts'
import { z } from 'zod'
import { CalendarDay } from './calendar-day.ts'
import { defineRoute } from './route.ts'

/** One call gives at most so many days: two years and a little more. */
const MOST_DAYS = 800

const Query = z
  .object({
    /** The first and the last day. */
    from: CalendarDay,
    to: CalendarDay,
    /** A past day: nothing later is sent, and prices are in the units of that day. */
    as_of: CalendarDay.optional(),
  })
  .refine((days) => lengthOf(days) > 0, {
    path: ['to'],
    error: 'Please give a last day that is not before the first.',
  })
  .refine((days) => lengthOf(days) <= MOST_DAYS, {
    path: ['to'],
    error: `Please ask for at most ${String(MOST_DAYS)} days at once.`,
  })

/** How many days, both ends included. */
function lengthOf({ from, to }: { readonly from: string; readonly to: string }): number {
  return (readDay(to) ?? NaN) - (readDay(from) ?? NaN) + 1
}

/** USD, adjusted for splits up to today or the as-of day. The open may be unknown where high and low are known. */
const RangedDay = z.object({
  date: z.iso.date(),
  open: z.number().positive().nullable(),
  high: z.number().positive(),
  low: z.number().positive(),
  close: z.number().positive(),
})

export const ranges = defineRoute({
  method: 'GET',
  path: '/api/v1/ranges/:asset',
  access: 'public',
  summary:
    'Open, high, low and close of each day, oldest first, at most 800 days at once. Days of which only the close is known are left out.',
  params: z.object({ asset: z.enum(ASSET_KEYS) }),
  query: Query,
  reply: z.array(RangedDay),
})
