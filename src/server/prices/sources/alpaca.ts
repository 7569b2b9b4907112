import { addDays, day, isoDay, readDay } from '#domain/day.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type DailySource } from '#server/prices/ports.ts'
import { z } from 'zod'
import { tidyBars, type RawBar } from './daily-bars.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { callTo } from '#server/kit/http-call.ts'

const Answer = z.object({
  bars: z
    .array(z.object({ t: z.string(), o: z.number(), h: z.number(), l: z.number(), c: z.number() }))
    .nullable(),
  next_page_token: z.string().nullish(),
})

/** Free keys may not read the newest quarter of an hour of the consolidated tape. */
const HELD_BACK_MS = 16 * 60_000
const MOST_PAGES = 20

/** Alpaca's daily bars of MSTR from the consolidated tape, adjusted for splits; a free key. */
export function alpacaPrices({
  url,
  key,
  secret,
  clock,
  callJson,
}: {
  url: URL
  key: string
  secret: string
  clock: Clock
  callJson: CallJson
}): DailySource {
  const title = 'Alpaca'
  return {
    name: 'alpaca',
    title,
    asset: 'mstr',
    isOfficial: true,
    isFull: true,
    firstDay: day('2016-01-04'),
    reachDays: null,
    pageDays: 2_500,
    pauseMs: 1_000,
    refreshMs: 300_000,
    async daily({ from, to, signal }) {
      const raw: RawBar[] = []
      const latest = new Date(clock.now() - HELD_BACK_MS).toISOString()
      const end = `${isoDay(addDays(to, 1))}T00:00:00Z`
      let remoteMs: number | null = null
      let token: string | null = null
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const call = callTo(url, '/v2/stocks/MSTR/bars', {
          timeframe: '1Day',
          start: `${isoDay(from)}T00:00:00Z`,
          end: end < latest ? end : latest,
          adjustment: 'split',
          feed: 'sip',
          limit: '10000',
          ...(token === null ? {} : { page_token: token }),
        })
        const headers = { 'APCA-API-KEY-ID': key, 'APCA-API-SECRET-KEY': secret }
        const answer = await callJson({ title, url: call, schema: Answer, headers, signal })
        remoteMs = answer.remoteMs
        for (const { t, o, h, l, c } of answer.body.bars ?? []) {
          // Bars are stamped with New York's midnight, which is the same day in UTC.
          const at = readDay(t)
          if (at !== null) raw.push({ day: at, open: o, high: h, low: l, close: c })
        }
        token = answer.body.next_page_token ?? null
        if (token === null) break
      }
      return { ...tidyBars('mstr', 'alpaca', raw, { from, to }), remoteMs }
    },
  }
}
