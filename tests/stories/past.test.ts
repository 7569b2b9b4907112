import { describe, expect, it } from 'vitest'
import { closes, dashboardPart, listedCalls, type ListedRow } from '#contracts/dashboard.ts'
import { type PageInput } from '#contracts/page.ts'
import { PastPredictionRow } from '#contracts/predictions.ts'
import { addDays, day, isoDay, readDay } from '#domain/day.ts'
import { correctedSite } from '#tests/support/corrected.ts'
import { rounds } from '#tests/support/deep.ts'
import { sharedByFile } from '#tests/support/once-for-file.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'

/** The starter record, not changed by any story here. */
const world = sharedByFile(starterSite)

/** All calls of an asset, as of a past day if one is given. */
async function callsAt(site: TestApp, asset: string, date = ''): Promise<readonly ListedRow[]> {
  const rows: ListedRow[] = []
  for (let cursor = ''; ;) {
    const query = new URLSearchParams({ ...(cursor && { cursor }), ...(date && { day: date }) })
    const more = await site.read(listedCalls, `/api/v1/assets/${asset}/calls?${query.toString()}`)
    rows.push(...more.rows)
    if (more.next === null) return rows
    cursor = more.next
  }
}

/** Deadlines may lie after the past day, as they were named when the call was made. */
const NAMED = new Set(['target_time', 'start_date', 'end_date', 'window_from', 'window_to'])

/** Every day anywhere in a value except in deadlines, as ISO dates. */
function daysIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(/\d{4}-\d\d-\d\d/g) ?? []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (NAMED.has(key) ? [] : daysIn(inner)))
}

const COUNT = rounds(7, 20)
const SOME_DAYS = Array.from({ length: COUNT }, (_, i) =>
  isoDay(addDays(day('2013-11-20'), Math.round((i * 4_680) / (COUNT - 1)))),
)

describe('the record as of a past day', () => {
  it('mentions no later day, in calls and in pages', async () => {
    let seen = 0
    const late = (value: unknown, date: string) => daysIn(value).filter((found) => found > date)
    for (const asset of ['btc', 'mstr']) {
      for (const date of SOME_DAYS) {
        const {
          first,
          steps,
          closes: usd,
        } = await world.read(closes, `/api/v1/assets/${asset}/closes?day=${date}`)
        const last = steps.reduce((at, step) => at + step, first)
        expect(last).toBeLessThanOrEqual(readDay(date) ?? 0)
        const rows = await callsAt(world, asset, date)
        expect(late(rows, date)).toEqual([])
        const path = `/api/v1/page?url=${encodeURIComponent(`/${asset}?day=${date}`)}`
        const input = (await world.app.inject(path)).json<PageInput>()
        expect({ date, late: late(input, date) }).toEqual({ date, late: [] })
        const priced = usd.length > 0
        expect(input.data).toMatchObject({
          past: date,
          part: { total: rows.length, prices: { last: priced ? { usd: usd.at(-1) } : null } },
        })
        for (const { id, verdicts } of rows.slice(0, 1)) {
          const { body: whole } = await world.get(`/api/v1/predictions/${id}/past?day=${date}`)
          // Our summaries use today's words.
          const words = JSON.stringify(whole).match(/"(?:quote|summary|sources)"/)
          expect([late(whole, date), words]).toEqual([[], null])
          const { outcome } = verdicts.touch
          expect(whole).toMatchObject({ verdicts: { touch: { outcome } } })
        }
        seen += rows.length
      }
    }
    expect(seen).toBeGreaterThan(50 * COUNT)
  })

  it('the record as of yesterday is the record of today', async () => {
    const inShort = (rows: readonly ListedRow[]) =>
      rows.map(({ id, verdicts: { touch, close } }) => [id, touch.outcome, close.outcome])
    for (const asset of ['btc', 'mstr'] as const) {
      const now = await callsAt(world, asset)
      expect(inShort(await callsAt(world, asset, '2026-11-19'))).toEqual(inShort(now))
      // A call is known from the day it was made.
      const oldest = now.at(-1)
      const then = await callsAt(world, asset, oldest?.prediction_made)
      expect(then.map(({ id }) => id)).toContain(oldest?.id)
      const all = await world.get(`/api/v1/assets/${asset}/closes`)
      expect((await world.get(`/api/v1/assets/${asset}/closes?day=2026-11-19`)).body).toEqual(
        all.body,
      )
    }
  })

  it('prices and levels are in the units of that day, before a later split', async () => {
    const last = async (date: string) =>
      (await world.read(closes, `/api/v1/assets/mstr/closes?day=${date}`)).closes.at(-1)
    const [before, after] = [await last('2024-08-07'), await last('2024-08-08')]
    expect((before ?? 0) / (after ?? 1)).toBeGreaterThan(9)
    const [one] = await callsAt(world, 'mstr', '2024-08-07')
    expect(one?.split_factor).toBe(1)
  })

  it('closes are cached indefinitely under their version only', async () => {
    const { version } = (await world.read(dashboardPart, 'btc')).prices
    const stored = async (query: string) =>
      (await world.app.inject(`/api/v1/assets/btc/closes${query}`)).headers['cache-control']
    expect(await stored(`?version=${version}`)).toContain('immutable')
    for (const query of ['', '?version=x', `?version=${version}&day=2024-01-02`]) {
      expect(await stored(query)).not.toContain('immutable')
    }
  })

  it('an unfinished or invalid day is refused with a message', async () => {
    const [one] = await callsAt(world, 'btc')
    for (const [date, sentence] of [
      ['2026-11-20', '20/11/2026 is not over yet. Past days are known up to 19/11/2026.'],
      ['2027-01-01', '01/01/2027 is not over yet. Past days are known up to 19/11/2026.'],
      ['2024-02-30', 'Please give a day such as 2026-11-20.'],
    ] as const) {
      const url = `/api/v1/predictions/${one?.id ?? ''}/past?day=${date}`
      const { status, body } = await world.get(url)
      const refused = [date, 400, expect.stringContaining(sentence)]
      expect([date, status, JSON.stringify(body)]).toEqual(refused)
    }
    const early = await world.get(`/api/v1/predictions/${one?.id ?? ''}/past?day=2011-12-31`)
    expect(early.status).toBe(404)
    const { body } = await world.get('/api/v1/assets/btc/dashboard?day=2011-12-31')
    expect(body).toMatchObject({ total: 0, first: null, prices: { first: null, last: null } })
  })

  it('a response follows a correction, an override and a withdrawal', async () => {
    const on = await correctedSite()
    await using site = on.world
    const dashboardOf = async (date: string) => {
      const { body } = await site.get(`/api/v1/predictions/a/past?day=${date}`)
      const { data: found } = PastPredictionRow.safeParse(body)
      return found && [found.price_prediction, found.verdicts.touch.outcome]
    }
    expect(await dashboardOf('2024-01-06')).toEqual(['$150', 'pending'])
    await on.change('PUT', '', { price_target: '$140', reason: 'The source says otherwise' })
    expect(await dashboardOf('2024-01-04')).toEqual(['$140', 'pending'])
    expect(await dashboardOf('2024-01-06')).toEqual(['$140', 'hit'])
    await on.change('POST', '/override', { mode: 'both', outcome: 'miss', reason: 'A bad tick' })
    expect(await dashboardOf('2024-01-06')).toEqual(['$140', 'pending'])
    expect(await dashboardOf('2024-01-10')).toEqual(['$140', 'miss'])
    await on.change('POST', '/withdraw', { reason: 'Never said' })
    expect(await dashboardOf('2024-01-10')).toBeUndefined()
  })
})
