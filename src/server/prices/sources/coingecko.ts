import { addDays, day, dayOfTime, timeOfDay } from '#domain/day.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

const Answer = z.object({ prices: z.array(z.tuple([z.number(), z.number().nullable()])) })

/** CoinGecko's daily prices of the NAKA token, closes only, of the last 365 days; a key is asked for but not needed. */
export function coingeckoPrices({
  url,
  key,
  callJson,
}: {
  url: URL
  key: string | null
  callJson: CallJson
}): DailySource {
  const title = 'CoinGecko'
  return {
    name: 'coingecko',
    title,
    asset: 'naka',
    isOfficial: true,
    isFull: false,
    firstDay: day('2021-08-01'),
    reachDays: 364,
    pageDays: 365,
    // Without a key five calls a minute are let through.
    pauseMs: 15_000,
    refreshMs: 900_000,
    async daily({ from, to, today, signal }) {
      const call = callTo(url, '/api/v3/coins/nakamoto-games/market_chart', {
        vs_currency: 'usd',
        days: String(Math.min(today - from + 1, 365)),
        interval: 'daily',
      })
      const headers = key === null ? {} : { 'x-cg-demo-api-key': key }
      const { body, remoteMs } = await callJson({
        title,
        url: call,
        schema: Answer,
        headers,
        signal,
      })
      const bars = body.prices.flatMap(([ms, usd]) => {
        if (usd === null) return []
        // A point at midnight is the close of the day before; the last one is the price of now.
        const stamped = dayOfTime(ms)
        const at = ms === timeOfDay(stamped) ? addDays(stamped, -1) : stamped
        return [{ day: at, open: null, high: null, low: null, close: usd }]
      })
      return { ...tidyBars('naka', 'coingecko', bars, { from, to }), remoteMs }
    },
  }
}
