import { addDays, day, dayOfTime, readDay, timeOfDay } from '#domain/day.ts'
import { SourceError, type Clock } from '#server/kit/ports.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { adjusted, Price, tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

const Row = z.object({
  '1. open': Price,
  '2. high': Price,
  '3. low': Price,
  '4. close': Price,
})
/** Over the limit it answers 200 with a sentence instead of prices. */
const Answer = z.object({
  'Time Series (Daily)': z.record(z.string(), Row).optional(),
  'Error Message': z.string().optional(),
  Note: z.string().optional(),
  Information: z.string().optional(),
})

/** What it says over the limit names our key, too: "We have detected your API key as … rate limit is 25 requests per day." */
const LIMIT = /limit|requests|per (day|minute|second)/i
const KEY = /api ?key/i

/** Alpha Vantage's last hundred sessions of MSTR, as traded and adjusted here; a free key of 25 calls a day. */
export function alphaVantagePrices({
  url,
  key,
  clock,
  callJson,
}: {
  url: URL
  key: string
  clock: Clock
  callJson: CallJson
}): DailySource {
  const title = 'Alpha Vantage'
  return {
    name: 'alpha-vantage',
    title,
    asset: 'mstr',
    isOfficial: true,
    isFull: true,
    firstDay: day('1999-11-01'),
    // A hundred sessions, counted in days, less the longest run of holidays.
    reachDays: 138,
    pageDays: 138,
    pauseMs: 15_000,
    refreshMs: null,
    async daily({ from, to, actions, signal }) {
      const call = callTo(url, '/query', {
        function: 'TIME_SERIES_DAILY',
        symbol: 'MSTR',
        outputsize: 'compact',
        apikey: key,
      })
      const { body, remoteMs } = await callJson({ title, url: call, schema: Answer, signal })
      const rows = body['Time Series (Daily)']
      const said = body.Note ?? body.Information ?? ''
      const isKeyRefused = !rows && KEY.test(said) && !LIMIT.test(said)
      if (body['Error Message'] !== undefined || isKeyRefused) {
        throw new SourceError('refused', `${title} refused the call.`)
      }
      if (!rows) {
        // Calls are counted by the day.
        const now = clock.now()
        const waitMs = said === '' ? null : timeOfDay(addDays(dayOfTime(now), 1)) - now
        throw new SourceError('busy', `${title} has no calls left for now.`, waitMs)
      }
      const raw = Object.entries(rows).flatMap(([date, row]) => {
        const at = readDay(date)
        const [open, high] = [row['1. open'], row['2. high']]
        const [low, close] = [row['3. low'], row['4. close']]
        return at === null ? [] : [adjusted('mstr', { day: at, open, high, low, close }, actions)]
      })
      return { ...tidyBars('mstr', 'alpha-vantage', raw, { from, to }), remoteMs }
    },
  }
}
