import { type LandingNow } from '#contracts/page.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { day, readDay, readGivenDay } from '#domain/day.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { expect, it } from 'vitest'

/** The starter record, which no story here changes. */
const site = onceForFile(starterSite)

async function pictureAt(url: string): Promise<string> {
  const { statusCode, headers, body } = await site().app.inject(url)
  expect([url, statusCode, headers['content-type']]).toEqual([
    url,
    200,
    'image/svg+xml; charset=utf-8',
  ])
  return body
}

it('the picture of a dashboard shows price and leading predictions, laid out for the screen', async () => {
  const wide = await pictureAt('/btc/picture.svg?size=wide')
  expect(wide).toContain('viewBox="0 0 960 600"')
  expect(wide).toContain('aria-label="Chart of the Bitcoin price with 12 predictions."')
  expect(await pictureAt('/mstr/picture.svg?size=phone')).toContain('viewBox="0 0 390 400"')
})

it('the picture of a past day shows nothing that came after it', async () => {
  const shown = await pictureAt('/btc/picture.svg?day=2020-03-12')
  // The one of May 2020 would be in view.
  expect(shown.match(/halving/g)).toHaveLength(1)
  const days = (shown.match(/\d\d\/\d\d\/\d{4}/g) ?? []).map((text) => readGivenDay(text) ?? 0)
  expect(days.length).toBeGreaterThan(0)
  expect(Math.max(...days)).toBeLessThanOrEqual(day('2020-03-12'))
})

it('the picture is refused where there is no price or no such size', async () => {
  for (const [url, status] of [
    ['/naka/picture.svg', 404],
    ['/btc/picture.svg?day=1999-01-01', 404],
    ['/btc/picture.svg?size=huge', 400],
  ] as const) {
    expect([url, (await site().app.inject(url)).statusCode]).toEqual([url, status])
  }
})

it('the landing page lists the newest calls, the last verdicts and the next deadlines of the record', async () => {
  const world = site()
  const { today, data } = (await world.get('/api/v1/page?url=/')).body as {
    readonly today: string
    readonly data: { readonly now: LandingNow }
  }
  const { now } = data
  const btc = (await world.get('/api/predictions')).body as readonly PredictionRow[]
  const mstr = (await world.get('/api/mstr/predictions')).body as {
    readonly data: readonly PredictionRow[]
  }
  const all = [...btc, ...mstr.data]
  const rowsOf = (calls: LandingNow['newest']) =>
    calls.map(({ id }) => all.find((row) => row.id === id))

  expect(now.closes.map(({ asset }) => asset)).toEqual(['btc', 'mstr'])
  for (const calls of Object.values({ ...now, closes: [] })) {
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  }

  const newest = rowsOf(now.newest)
  expect(newest[0]?.prediction_made).toBe(
    all
      .map((row) => row.prediction_made)
      .toSorted()
      .at(-1),
  )
  expect(new Set(newest.map((row) => row?.influencer.id)).size).toBe(5)

  const verdicts = all
    .map(({ verdicts: { touch } }) => touch)
    .filter(({ outcome }) => outcome === 'hit' || outcome === 'miss')
    .map(({ date }) => date ?? '')
    .toSorted((a, b) => (a < b ? -1 : 1))
  expect(rowsOf(now.decided).map((row) => row?.verdicts.touch.date)).toEqual(
    verdicts.slice(-5).toReversed(),
  )

  const due = rowsOf(now.due)
  const ahead = all
    .filter((row) => row.verdicts.touch.outcome === 'pending' && row.target_time >= today)
    .map((row) => row.target_time)
    .toSorted()
  expect(due[0]?.target_time).toBe(ahead[0])
  const deadlines = due.map((row) => row?.target_time ?? '')
  expect(deadlines).toEqual(deadlines.toSorted())
  const left = (readDay(ahead[0] ?? '') ?? 0) - (readDay(today) ?? 0)
  expect(now.due[0]?.note).toMatch(
    left === 0 ? /^ends today/ : new RegExp(`^${String(left)} days? left`),
  )
})
