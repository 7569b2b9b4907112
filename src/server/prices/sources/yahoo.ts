import { addDays, day, timeOfDay } from '#domain/day.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { dayOfSeconds, tidyBars, type RawBar } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

/** A price, or a hole in the list. */
const Prices = z.array(z.number().nullable())
const Answer = z.object({
  chart: z.object({
    error: z.object({ code: z.string().optional() }).nullish(),
    result: z
      .array(
        z.object({
          meta: z.object({ gmtoffset: z.number() }),
          timestamp: z.array(z.number()).optional(),
          indicators: z.object({
            quote: z.array(
              z.object({
                open: Prices.optional(),
                high: Prices.optional(),
                low: Prices.optional(),
                close: Prices.optional(),
              }),
            ),
          }),
        }),
      )
      .nullish(),
  }),
})

/** Yahoo's chart of MSTR, adjusted for splits; no key, and no promise that it stays: an unofficial source. */
export function yahooPrices({ url, callJson }: { url: URL; callJson: CallJson }): DailySource {
  const title = 'Yahoo (unofficial)'
  return {
    name: 'yahoo',
    title,
    asset: 'mstr',
    isOfficial: false,
    isFull: true,
    firstDay: day('1998-06-11'),
    reachDays: null,
    pageDays: 3_650,
    pauseMs: 3_000,
    refreshMs: 300_000,
    async daily({ from, to, signal }) {
      const call = callTo(url, '/v8/finance/chart/MSTR', {
        period1: String(timeOfDay(from) / 1_000),
        period2: String(timeOfDay(addDays(to, 1)) / 1_000),
        interval: '1d',
        events: 'div,split',
      })
      const { body, remoteMs } = await callJson({ title, url: call, schema: Answer, signal })
      const result = body.chart.result?.[0]
      if (body.chart.error || !result) {
        throw new SourceError('refused', `${title} refused the call.`)
      }
      const quote = result.indicators.quote[0]
      const bars = (result.timestamp ?? []).flatMap((time, i): RawBar[] => {
        const [open, high, low, close] = [
          quote?.open?.[i],
          quote?.high?.[i],
          quote?.low?.[i],
          quote?.close?.[i],
        ]
        // Yesterday's entry is often empty for some hours.
        if (open == null || high == null || low == null || close == null) return []
        // Times are those at which sessions open, on New York's clock.
        const at = dayOfSeconds(time + result.meta.gmtoffset)
        return [{ day: at, open, high, low, close }]
      })
      return { ...tidyBars('mstr', 'yahoo', bars, { from, to }), remoteMs }
    },
  }
}
