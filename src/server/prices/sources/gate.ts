import { day, timeOfDay } from '#domain/day.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { dayOfSeconds, Price, Seconds, tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

/** `[time, quote volume, close, high, low, open, …]` */
const Answer = z.array(z.tuple([Seconds, z.unknown(), Price, Price, Price, Price], z.unknown()))

/** Gate's daily candles of the NAKA token in USDT; no key. */
export function gatePrices({ url, callJson }: { url: URL; callJson: CallJson }): DailySource {
  const title = 'Gate'
  return {
    name: 'gate',
    title,
    asset: 'naka',
    isOfficial: true,
    isFull: true,
    firstDay: day('2021-09-01'),
    reachDays: null,
    pageDays: 900,
    pauseMs: 2_000,
    refreshMs: 300_000,
    async daily({ from, to, signal }) {
      const call = callTo(url, '/api/v4/spot/candlesticks', {
        currency_pair: 'NAKA_USDT',
        interval: '1d',
        from: String(timeOfDay(from) / 1_000),
        to: String(timeOfDay(to) / 1_000),
      })
      const { body, remoteMs } = await callJson({ title, url: call, schema: Answer, signal })
      const bars = body.map(([time, , close, high, low, open]) => ({
        day: dayOfSeconds(time),
        open,
        high,
        low,
        close,
      }))
      return { ...tidyBars('naka', 'gate', bars, { from, to }), remoteMs }
    },
  }
}
