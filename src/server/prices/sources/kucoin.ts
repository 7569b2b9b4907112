import { addDays, day, timeOfDay } from '#domain/day.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { dayOfSeconds, Price, Seconds, tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

const OK = '200000'
const BUSY = '429000'

/** `[time, open, close, high, low, volume, turnover]`: the close is third. */
const Answer = z.object({
  code: z.string(),
  data: z.array(z.tuple([Seconds, Price, Price, Price, Price], z.unknown())).optional(),
})

/** KuCoin's daily candles of the NAKA token in USDT; no key. A day without a trade is missing. */
export function kucoinPrices({ url, callJson }: { url: URL; callJson: CallJson }): DailySource {
  const title = 'KuCoin'
  return {
    name: 'kucoin',
    title,
    asset: 'naka',
    isOfficial: true,
    isFull: true,
    firstDay: day('2021-09-01'),
    reachDays: null,
    pageDays: 1_400,
    pauseMs: 2_000,
    refreshMs: 300_000,
    async daily({ from, to, signal }) {
      const call = callTo(url, '/api/v1/market/candles', {
        symbol: 'NAKA-USDT',
        type: '1day',
        startAt: String(timeOfDay(from) / 1_000),
        endAt: String(timeOfDay(addDays(to, 1)) / 1_000),
      })
      const { body, remoteMs } = await callJson({ title, url: call, schema: Answer, signal })
      if (body.code === BUSY) throw new SourceError('busy', `${title} asks to wait.`)
      if (body.code !== OK || !body.data) {
        const code = /^\d{1,9}$/.test(body.code) ? body.code : 'unknown'
        throw new SourceError('refused', `${title} refused the call (code ${code}).`)
      }
      const bars = body.data.map(([time, open, close, high, low]) => ({
        day: dayOfSeconds(time),
        open,
        high,
        low,
        close,
      }))
      return { ...tidyBars('naka', 'kucoin', bars, { from, to }), remoteMs }
    },
  }
}
