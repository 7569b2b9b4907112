import { day, timeOfDay } from '#domain/day.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { dayOfSeconds, Price, Seconds, tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

const Answer = z.object({
  data: z.object({
    ohlc: z.array(
      z.object({
        timestamp: Seconds,
        open: Price,
        high: Price,
        low: Price,
        close: Price,
        volume: Price,
      }),
    ),
  }),
})

/** Bitstamp's daily candles of Bitcoin; no key. @see https://www.bitstamp.net/api/#ohlc_data */
export function bitstampPrices({ url, callJson }: { url: URL; callJson: CallJson }): DailySource {
  const title = 'Bitstamp'
  return {
    name: 'bitstamp',
    title,
    asset: 'btc',
    isOfficial: true,
    isFull: true,
    firstDay: day('2011-08-18'),
    reachDays: null,
    pageDays: 1_000,
    pauseMs: 1_000,
    refreshMs: 120_000,
    async daily({ from, to, signal }) {
      // The limit wins over start and end, so it has to fit the window.
      const call = callTo(url, '/api/v2/ohlc/btcusd/', {
        step: '86400',
        limit: String(to - from + 1),
        start: String(timeOfDay(from) / 1_000),
        end: String(timeOfDay(to) / 1_000),
      })
      const { body, remoteMs } = await callJson({ title, url: call, schema: Answer, signal })
      // Days on which the venue was closed come back flat and without volume.
      const traded = body.data.ohlc.filter((row) => row.volume > 0)
      const bars = traded.map(({ timestamp, open, high, low, close }) => ({
        day: dayOfSeconds(timestamp),
        open,
        high,
        low,
        close,
      }))
      return { ...tidyBars('btc', 'bitstamp', bars, { from, to }), remoteMs }
    },
  }
}
