import { expect, it } from 'vitest'
import { TODAY_KINDS, type TodayKind, type TodayView } from '#contracts/today.ts'
import { addDays, day, dayOfTime, isoDay } from '#domain/day.ts'
import { closestCalls, newsSince, todayOf } from '#server/predictions/today.service.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'

const NOON = Date.UTC(2024, 0, 15, 12)
const TODAY = dayOfTime(NOON)
const NOW: TodayView = { since: null, day: null }

/** Bitcoin at 100, moving by 1% a day; MSTR at 100 since it was split by ten, moving by 10% a day. */
const site = onceForFile(async () => {
  const world = await testApp({ clock: { now: () => NOON } })
  const { imports, record, database } = world
  const { db } = database
  const wave = (share: number) =>
    Array.from({ length: 220 }, (_, n) => (n % 2 === 0 ? 100 * (1 + share) : 100))
  const first = isoDay(addDays(TODAY, -220))
  await imports.prices('btc', closesFile(first, wave(0.01)), 'mine')
  await imports.prices('mstr', closesFile(first, wave(0.1)), 'mine')
  const call = (id: string, price_target: number, overrides: object = {}) =>
    entry(id, {
      prediction_made: '2023-12-21',
      target_time: '2024-02-01',
      price_target,
      ...overrides,
    })
  await imports.predictions(
    JSON.stringify([
      call('btc-103', 103),
      call('btc-far', 180, { target_time: '2025-02-01' }),
      call('mstr-115', 1_150, { asset_type: 'mstr' }),
      call('at-end', 102, { timing: 'at_end' }),
      call('hit', 101, { target_time: '2023-12-31' }),
      call('later', 150, { prediction_made: '2024-01-10' }),
    ]),
  )
  const admin = await signedIn(world)
  const body = { version: 0, reason: 'Never said' }
  await admin.call('POST', '/api/v1/admin/predictions/btc-far/withdraw', body)
  await imports.judge()
  await world.refresh()
  const news = { readDb: db, record }
  const listed = async (view: TodayView, most?: number) => {
    const { items, more } = await todayOf(news, view, most)
    const of = (kind: TodayKind) => items.filter((one) => one.kind === kind).map(({ id }) => id)
    return { ...Object.fromEntries(TODAY_KINDS.map((kind) => [kind, of(kind)])), items, more }
  }
  return { ...world, news, listed }
})

it('sorts the closest calls by daily moves of their asset, without those decided at the last close', async () => {
  const { items } = await site().listed(NOW)
  const closest = items.filter(({ kind }) => kind === 'closest')
  expect(closest.map(({ id }) => id)).toEqual(['mstr-115', 'btc-103', 'later'])
  expect(closest[0]?.moves).toBeCloseTo(Math.log(1.15) / Math.log(1.1), 0)
  expect(closest[1]?.moves).toBeCloseTo(Math.log(1.03) / Math.log(1.01), 0)
  expect(closest[1]?.note).toMatch(/^3\.\d daily moves: 17 days left, \+3\.0% to go/)
})

it('lists news since a day, corrections separately, up to the limit', async () => {
  expect(await site().listed(NOW)).toMatchObject({
    call: ['later', 'hit', 'at-end', 'mstr-115', 'btc-103'],
    correction: ['btc-far'],
    deadline: ['at-end', 'btc-103', 'later', 'mstr-115'],
    more: [],
  })
  const { items, more } = await site().listed(NOW, 2)
  expect(items.filter(({ kind }) => kind === 'call')).toHaveLength(2)
  expect(more).toEqual(['call', 'deadline'])
  expect(await newsSince(site().news, day('2999-01-01'), 9)).toEqual([])
})

it('a past day shows calls made, decided and open at that time', async () => {
  const then = { since: day('2023-12-21'), day: day('2023-12-25') }
  expect(await site().listed(then)).toMatchObject({
    call: ['at-end', 'btc-103', 'hit', 'mstr-115'],
    verdict: ['hit'],
    correction: [],
    closest: ['mstr-115', 'btc-103'],
    items: expect.arrayContaining([
      expect.objectContaining({ kind: 'verdict', id: 'hit', at: '2023-12-22' }),
    ]) as unknown,
  })
  expect(await site().listed({ since: null, day: day('2023-12-19') })).toMatchObject({ items: [] })
  // A day in the future shows the present.
  const ahead = { since: null, day: day('2999-01-01') }
  expect(await site().listed(ahead)).toEqual(await site().listed(NOW))
})

it('compares levels with the close of a past day in the same units', async () => {
  const { record } = site()
  const ids: string[] = []
  const list: typeof record.list = async (...query) => {
    const found = await record.list(...query)
    ids.push(...found.map(({ id }) => id))
    return found
  }
  await closestCalls({ ...record, list }, { asOf: day('2023-12-25') }, 5)
  expect(ids.slice(0, 2)).toEqual(['mstr-115', 'btc-103'])
})

it('the file and feeds agree with the page', async () => {
  const { items } = await site().listed(NOW)
  const { rows } = (await site().get('/today.json')).body as { rows: { id: string }[] }
  expect(rows.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
  const feed = (await site().get('/today/feed.json')).body as {
    items: { title: string; date_published: string }[]
  }
  expect(feed.items.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^Withdrawn: .*\$180/),
  )
  const dates = feed.items.map(({ date_published: date }) => date)
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(new Set(dates).size).toBeGreaterThan(1)
  expect(rows[0]).toMatchObject({ section: 'call', at: expect.stringMatching(/T.*Z$/) as string })
  expect((await site().get('/today.json?since=2999-01-01')).status).toBe(400)
})
