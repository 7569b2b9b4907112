import { addDays, day, timeOfDay } from '#domain/day.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { dayOfSeconds, Price, Seconds, tidyBars } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

const Row = z.tuple([Seconds, Price, Price, Price, Price], z.unknown())
const Answer = z.object({
  error: z.array(z.string()),
  result: z.record(z.string(), z.unknown()).optional(),
})

/**
 * Kraken's daily candles of Bitcoin; no key. It gives its newest 720 days, whatever it is asked for.
 *
 * @see https://docs.kraken.com/api-reference/market-data/get-ohlc-data.md
 */
export function krakenPrices({ url, callJson }: { url: URL; callJson: CallJson }): DailySource {
  const title = 'Kraken'
  return {
    name: 'kraken',
    title,
    asset: 'btc',
    isOfficial: true,
    isFull: true,
    firstDay: day('2013-10-06'),
    reachDays: 719,
    pageDays: 720,
    pauseMs: 1_500,
    refreshMs: 120_000,
    async daily({ from, to, signal }) {
      const call = callTo(url, '/0/public/OHLC', {
        pair: 'XBTUSD',
        interval: '1440',
        since: String(timeOfDay(addDays(from, -1)) / 1_000),
      })
      const { body, remoteMs } = await callJson({ title, url: call, schema: Answer, signal })
      const [error] = body.error
      if (error !== undefined) throw faultOf(error)
      const rows = Object.entries(body.result ?? {}).find(([key]) => key !== 'last')?.[1]
      const parsed = z.array(Row).safeParse(rows)
      if (!parsed.success) {
        throw new SourceError('nonsense', `${title} sent an answer in an unexpected form.`)
      }
      const bars = parsed.data.map(([time, open, high, low, close]) => ({
        day: dayOfSeconds(time),
        open,
        high,
        low,
        close,
      }))
      return { ...tidyBars('btc', 'kraken', bars, { from, to }), remoteMs }
    },
  }
}

/** Kraken reports failures with status 200, such as `EGeneral:Too many requests`. */
function faultOf(error: string): SourceError {
  const text = /^[\w: ]{1,80}$/.test(error) ? error : 'an error of its own'
  if (/rate limit|too many/i.test(error))
    return new SourceError('busy', `Kraken asks to wait (${text}).`)
  const isDown = error.startsWith('EService')
  return new SourceError(isDown ? 'down' : 'refused', `Kraken refused the call (${text}).`)
}
