import { day, isoDay, readDay } from '#domain/day.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { adjusted, tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

const Answer = z.array(
  z.object({
    date: z.string(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
  }),
)

/**
 * Tiingo's end-of-day bars of MSTR; a free key. Prices come as traded and are brought into today's units here: its own
 * adjusted ones take out dividends, too.
 */
export function tiingoPrices({
  url,
  key,
  callJson,
}: {
  url: URL
  key: string
  callJson: CallJson
}): DailySource {
  const title = 'Tiingo'
  return {
    name: 'tiingo',
    title,
    asset: 'mstr',
    isOfficial: true,
    isFull: true,
    firstDay: day('1998-06-11'),
    reachDays: null,
    pageDays: 3_650,
    // Fifty calls an hour are free.
    pauseMs: 5_000,
    refreshMs: null,
    async daily({ from, to, actions, signal }) {
      const call = callTo(url, '/tiingo/daily/MSTR/prices', {
        startDate: isoDay(from),
        endDate: isoDay(to),
        format: 'json',
      })
      const headers = { authorization: `Token ${key}` }
      const { body, remoteMs } = await callJson({
        title,
        url: call,
        schema: Answer,
        headers,
        signal,
      })
      const raw = body.flatMap(({ date, open, high, low, close }) => {
        const at = readDay(date)
        return at === null ? [] : [adjusted('mstr', { day: at, open, high, low, close }, actions)]
      })
      return { ...tidyBars('mstr', 'tiingo', raw, { from, to }), remoteMs }
    },
  }
}
