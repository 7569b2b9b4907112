import { onceForFile } from '#tests/support/once-for-file.ts'
import { type HedgehogData } from '#contracts/hedgehog.ts'
import { type PageInput } from '#contracts/page.ts'
import { isoDay } from '#domain/day.ts'
import { scoredStarterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { describe, expect, it } from 'vitest'

async function dataAt(world: TestApp, url: string): Promise<HedgehogData> {
  const asked = `/api/v1/page?url=${encodeURIComponent(url)}`
  const { data } = (await world.app.inject(asked)).json<PageInput>()
  if (data.page !== 'hedgehog') throw new Error(`no picture of all calls at ${url}`)
  return data
}

const site = onceForFile(scoredStarterSite)

describe('all calls of an asset', () => {
  it('all calls are shown from the close of the day they were made, and their error at the close of their deadline', async () => {
    const world = site()
    const { calls, assets, againstLuck, prices } = await dataAt(world, '/history')
    expect(assets).toEqual(['btc', 'mstr'])
    const listed = (await world.app.inject('/api/predictions')).json<{ id: string }[]>()
    // Every call that a log axis can show.
    expect(calls.length).toBeGreaterThan(listed.length - 5)
    expect(calls.map(({ made }) => made)).toEqual(
      calls.map(({ made }) => made).toSorted((a, b) => a - b),
    )
    const closes = new Map<string, number>()
    let at = prices.first
    for (const [i, close] of prices.closes.entries()) {
      if (i > 0) at += prices.steps[i - 1] ?? 1
      closes.set(isoDay(at as never), close)
    }
    // Days without a close, such as the latest one, take the last close before them; those are left out here.
    const known = calls.filter(
      ({ made, due }) => closes.has(isoDay(made)) && closes.has(isoDay(due)),
    )
    expect(known.length).toBeGreaterThan(150)
    for (const { id, made, from } of known) {
      expect([id, from]).toEqual([id, closes.get(isoDay(made))])
    }
    const off = known.filter(({ error }) => error !== null && error !== 0)
    expect(off.length).toBeGreaterThan(100)
    for (const { id, due, level, error } of off) {
      const last = closes.get(isoDay(due)) ?? 0
      expect([id, Math.sign(error ?? 0)]).toEqual([id, Math.sign(level - last)])
    }
    for (const { id, isDecided, error } of calls) {
      expect([id, isDecided]).toEqual([id, error !== null])
    }
    expect(againstLuck?.n).toBeGreaterThan(200)
    expect(againstLuck?.hits).toBe(62)
  })

  it('the page of all calls reads its asset and what was chosen from the address, and is in the sitemap', async () => {
    const world = site()
    const { view } = await dataAt(world, '/history?year=2021&person=planb')
    expect(view).toEqual({ year: 2021, person: 'planb' })
    expect((await dataAt(world, '/history?year=soon')).view.year).toBeNull()
    expect((await dataAt(world, '/history/mstr')).asset).toBe('mstr')
    for (const url of ['/history/btc', '/history/gold', '/history/mstr/x']) {
      const { data } = (await world.app.inject(`/api/v1/page?url=${url}`)).json<PageInput>()
      expect([url, data.page]).toEqual([url, 'missing'])
    }
    const sitemap = (await world.app.inject('/sitemap.xml')).body
    expect(sitemap).toContain('/history</loc>')
    expect(sitemap).toContain('/history/mstr</loc>')
  })

  it('the picture of all calls is sent as PNG and SVG, kept by its tag, and refused where there is none', async () => {
    const world = site()
    const png = await world.app.inject('/history/btc/picture.png?year=2021')
    expect([png.statusCode, png.headers['content-type']]).toEqual([200, 'image/png'])
    expect(png.rawPayload.subarray(1, 4).toString()).toBe('PNG')
    const again = await world.app.inject({
      url: '/history/btc/picture.png?year=2021',
      headers: { 'if-none-match': String(png.headers['etag']) },
    })
    expect(again.statusCode).toBe(304)
    const svg = await world.app.inject('/history/mstr/picture.svg')
    expect(svg.headers['content-type']).toContain('image/svg+xml')
    expect(svg.body).toContain('/history/mstr')
    for (const [url, status] of [
      ['/history/btc/picture.png?year=1999', 404],
      ['/history/naka/picture.png', 404],
      ['/history/btc/picture.png?year=soon', 400],
      ['/history/gold/picture.png', 400],
    ] as const) {
      expect([url, (await world.app.inject(url)).statusCode]).toEqual([url, status])
    }
  })
})
