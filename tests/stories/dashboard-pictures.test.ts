import { readGivenDay } from '#domain/given-day.ts'
import { day } from '#domain/day.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** The starter record, which no story here changes. */
let world: TestApp
beforeAll(async () => {
  world = await starterSite()
})
afterAll(() => world[Symbol.asyncDispose]())

async function pictureAt(url: string): Promise<string> {
  const { statusCode, headers, body } = await world.app.inject(url)
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

it('the picture is kept by its tag, and refused where there is no price or no such size', async () => {
  const { headers } = await world.app.inject('/btc/picture.svg')
  const again = await world.app.inject({
    url: '/btc/picture.svg',
    headers: { 'if-none-match': String(headers['etag']) },
  })
  expect(again.statusCode).toBe(304)
  for (const [url, status] of [
    ['/naka/picture.svg', 404],
    ['/btc/picture.svg?day=1999-01-01', 404],
    ['/btc/picture.svg?size=huge', 400],
  ] as const) {
    expect([url, (await world.app.inject(url)).statusCode]).toEqual([url, status])
  }
})
