import { PastReply } from '#contracts/past.ts'
import { type PageInput } from '#contracts/page.ts'
import { addDays, day, isoDay, readDay } from '#domain/day.ts'
import { pastRecord, type PastRecord } from '#web/api/past.ts'
import { correctedSite } from '#tests/support/corrected.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The starter record, which no story here changes. */
let world: TestApp
beforeAll(async () => {
  world = await starterSite()
})
afterAll(() => world[Symbol.asyncDispose]())

async function pastAt(
  site: TestApp,
  asset: string,
  date: string,
  known?: { readonly day: string; readonly version: string },
): Promise<PastReply> {
  const more = known ? `&since=${known.day}&version=${known.version}` : ''
  const { status, body } = await site.get(`/api/v1/past/${asset}?day=${date}${more}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return PastReply.parse(body)
}

/** What a deadline says is no hindsight: it was named when the call was made. */
const NAMED = new Set(['target_time', 'start_date', 'end_date', 'window_from', 'window_to'])

/** Every day anywhere in a value but in a deadline, as ISO dates. */
function daysIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(/\d{4}-\d\d-\d\d/g) ?? []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (NAMED.has(key) ? [] : daysIn(inner)))
}

const TWENTY_DAYS = Array.from({ length: 20 }, (_, i) =>
  isoDay(addDays(day('2013-11-20'), Math.round(i * 246.3))),
)

describe('the record as of a past day', () => {
  it('the record as of a past day names no later day, in calls and in pages', async () => {
    let seen = 0
    for (const asset of ['btc', 'mstr']) {
      for (const date of TWENTY_DAYS) {
        const past = await pastAt(world, asset, date)
        expect(daysIn(past).filter((found) => found > date)).toEqual([])
        const last = past.prices.steps.reduce((at, step) => at + step, past.prices.first)
        expect(last).toBeLessThanOrEqual(readDay(date) ?? 0)
        // Our summaries are words of today.
        expect(JSON.stringify(past.predictions)).not.toMatch(/"(?:quote|summary|sources)"/)
        const asked = `/api/v1/page?url=${encodeURIComponent(`/${asset}?day=${date}`)}`
        const input = (await world.app.inject(asked)).json<PageInput>()
        expect({ date, late: daysIn(input).filter((found) => found > date) }).toEqual({
          date,
          late: [],
        })
        expect(input.data).toMatchObject({ page: 'asset', past, predictions: [] })
        seen += past.predictions.length
      }
    }
    expect(seen).toBeGreaterThan(1_000)
  })

  it('the record as of yesterday is the record of today', async () => {
    for (const asset of ['btc', 'mstr'] as const) {
      const { predictions, prices } = await pastAt(world, asset, '2026-11-19')
      const listed = world.catalog.snapshot()?.assets[asset].predictions ?? []
      expect(predictions.map(({ id }) => id)).toEqual(listed.map(({ id }) => id))
      // A call is known from the day on which it was made.
      const [oldest] = listed.toSorted((a, b) => a.made - b.made)
      const then = await pastAt(world, asset, isoDay(oldest?.made ?? day('2000-01-01')))
      expect(then.predictions.map(({ id }) => id)).toContain(oldest?.id)
      for (const [i, { verdicts }] of predictions.entries()) {
        const now = listed[i]?.verdicts
        expect([verdicts.touch.outcome, verdicts.close.outcome]).toEqual([
          now?.touch.outcome,
          now?.close.outcome,
        ])
      }
      expect(prices.closes.length).toBe(world.catalog.series(asset)?.bars.length)
    }
  })

  it('differences from day to day add up to the whole record, over a split too', async () => {
    for (const [asset, first, last, step] of [
      ['btc', '2017-06-01', '2018-06-01', 17],
      ['mstr', '2024-07-20', '2024-08-30', 5],
    ] as const) {
      let record: PastRecord | null = null
      let differences = 0
      for (let at = day(first); at <= day(last); at = addDays(at, step)) {
        const known = record ? { day: isoDay(record.day), version: record.version } : undefined
        const part = await pastAt(world, asset, isoDay(at), known)
        if (part.since !== null) differences += 1
        record = pastRecord(part, record)
        const whole = pastRecord(await pastAt(world, asset, isoDay(at)), null)
        expect(byId(record)).toEqual(byId(whole))
        expect(record.prices).toEqual(whole.prices)
      }
      expect(differences).toBeGreaterThan(5)
    }
  })

  it('a difference is small', async () => {
    const { version } = await pastAt(world, 'btc', '2020-03-12')
    const part = await pastAt(world, 'btc', '2020-03-19', { day: '2020-03-12', version })
    expect(part).toMatchObject({ since: '2020-03-12', first: '2012-01-01' })
    expect(part.prices.closes).toHaveLength(7)
    expect(part.predictions.length).toBeLessThan(10)
    // An earlier day is no beginning.
    const later = { day: '2020-03-19', version }
    expect((await pastAt(world, 'btc', '2020-03-12', later)).since).toBeNull()
  })

  it('a day that is not over, or no day, is refused with a sentence', async () => {
    for (const [query, sentence] of [
      ['day=2026-11-20', '20/11/2026 is not over yet. Past days are known up to 19/11/2026.'],
      ['day=2027-01-01', '01/01/2027 is not over yet. Past days are known up to 19/11/2026.'],
      ['day=2024-02-30', 'Please give a day such as 2026-11-20.'],
      ['day=2024-01-02&version=a&since=x', 'Please give a day such as 2026-11-20.'],
    ] as const) {
      const { status, body } = await world.get(`/api/v1/past/btc?${query}`)
      expect([query, status, JSON.stringify(body)]).toEqual([
        query,
        400,
        expect.stringContaining(sentence),
      ])
    }
    expect((await world.get('/api/v1/past/doge?day=2024-01-02')).status).toBe(400)
    expect(await pastAt(world, 'btc', '2011-12-31')).toMatchObject({
      first: null,
      prices: { closes: [] },
      predictions: [],
    })
  })

  it('a page that asks for a day that is not over, or for none, is as of now', async () => {
    for (const date of ['2026-11-20', '2030-01-01', '2024-02-30', 'x', '']) {
      const asked = `/api/v1/page?url=${encodeURIComponent(`/btc?day=${date}`)}`
      const { data, today } = (await world.app.inject(asked)).json<PageInput>()
      expect([date, today, data]).toMatchObject([date, '2026-11-20', { page: 'asset', past: null }])
    }
  })

  it('an answer follows a correction, an override and a withdrawal', async () => {
    const on = await correctedSite()
    await using site = on.world
    const shown = async (date: string) => {
      const { predictions } = await pastAt(site, 'btc', date)
      const found = predictions.find(({ id }) => id === 'a')
      return found && [found.price_prediction, found.verdicts.touch.outcome]
    }
    expect(await shown('2024-01-06')).toEqual(['$150', 'pending'])
    const { version } = await pastAt(site, 'btc', '2024-01-04')
    await on.change('PUT', '', { price_target: '$140', reason: 'The source says otherwise' })
    expect(await shown('2024-01-04')).toEqual(['$140', 'pending'])
    // A difference to what was known of the former record would leave the correction out.
    const old = { day: '2024-01-03', version }
    expect((await pastAt(site, 'btc', '2024-01-04', old)).since).toBeNull()
    expect(await shown('2024-01-06')).toEqual(['$140', 'hit'])
    await on.change('POST', '/override', { mode: 'both', outcome: 'miss', reason: 'A bad tick' })
    expect(await shown('2024-01-06')).toEqual(['$140', 'pending'])
    expect(await shown('2024-01-10')).toEqual(['$140', 'miss'])
    await on.change('POST', '/withdraw', { reason: 'Never said' })
    expect(await shown('2024-01-10')).toBeUndefined()
  })

  it('an answer is sent once to a browser that has it', async () => {
    const url = '/api/v1/past/btc?day=2024-01-02'
    const etag = String((await world.app.inject(url)).headers['etag'])
    const again = await world.app.inject({ url, headers: { 'if-none-match': etag } })
    expect(again.statusCode).toBe(304)
  })
})

const byId = ({ predictions }: PastRecord) => predictions.toSorted((a, b) => (a.id < b.id ? -1 : 1))
