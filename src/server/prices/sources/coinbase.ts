import { day, isoDay } from '#domain/day.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { dayOfSeconds, Price, Seconds, tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

/** `[time, low, high, open, close, volume]` */
const Answer = z.array(z.tuple([Seconds, Price, Price, Price, Price], z.unknown()))

/**
 * Coinbase Exchange's daily candles of Bitcoin; no key. Not meant for frequent asking.
 *
 * @see https://docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-candles.md
 */
export function coinbasePrices({ url, callJson }: { url: URL; callJson: CallJson }): DailySource {
  const title = 'Coinbase'
  return {
    name: 'coinbase',
    title,
    asset: 'btc',
    isOfficial: true,
    isFull: true,
    firstDay: day('2015-07-21'),
    reachDays: null,
    // At most 300 candles; a wider range is refused, and both ends count.
    pageDays: 299,
    pauseMs: 1_000,
    refreshMs: 300_000,
    async daily({ from, to, signal }) {
      const call = callTo(url, '/products/BTC-USD/candles', {
        granularity: '86400',
        start: `${isoDay(from)}T00:00:00Z`,
        end: `${isoDay(to)}T00:00:00Z`,
      })
      const { body, remoteMs } = await callJson({ title, url: call, schema: Answer, signal })
      const bars = body.map(([time, low, high, open, close]) => ({
        day: dayOfSeconds(time),
        open,
        high,
        low,
        close,
      }))
      return { ...tidyBars('btc', 'coinbase', bars, { from, to }), remoteMs }
    },
  }
}
