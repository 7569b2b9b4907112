import { describe, expect, it } from 'vitest'
import { ScoresReply, type ScoredCallRow } from '#contracts/scores.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { failure } from '#server/kit/failure.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { correct, scoredSite } from '#tests/support/scored-site.ts'
import { newStarterSite, starterSite } from '#tests/support/starter-site.ts'
import { testApp, type TestApp, pageAt, plainPages } from '#tests/support/test-app.ts'
import { words } from '#tests/support/words.ts'

async function cardAt(world: TestApp, url: string): Promise<YearCardReply> {
  const data = await pageAt(world, url)
  if (data.page !== 'year' || !data.card) throw new Error(`no card at ${url}`)
  return data.card
}

async function scoresAt(world: TestApp): Promise<ScoresReply> {
  return ScoresReply.parse((await world.app.inject('/api/v1/scores')).json())
}

function sum(calls: readonly ScoredCallRow[], valueOf: (call: ScoredCallRow) => number): number {
  return calls.reduce((total, call) => total + valueOf(call), 0)
}

/** The starter record with its scores. */
const scored = onceForFile(() => starterSite({ options: { pages: plainPages() } }))

describe('cards of the year', () => {
  it("a card shows the scores of its asset's calls that were due in its year", async () => {
    const world = scored()
    const { people, as_of, years } = await scoresAt(world)
    const calls = people.flatMap((one) => one.calls.filter(({ repeats }) => repeats === null))
    const data = await pageAt(world, '/years')
    if (data.page !== 'years' || !data.years) throw new Error('no years')
    expect(data.years.as_of).toBe(as_of)
    expect(data.years.assets.map(({ asset }) => asset)).toEqual(['btc', 'mstr'])
    for (const { asset, years: rows } of data.years.assets) {
      expect(sum(calls, (call) => Number(call.asset_type === asset))).toBe(
        rows.reduce((total, { due }) => total + due, 0),
      )
      for (const row of rows) {
        const due = calls.filter(
          (call) => call.asset_type === asset && call.deadline.startsWith(`${String(row.year)}-`),
        )
        const decided = due.filter((call) => call.time_is_up && call.luck)
        const path = `/years/${String(row.year)}${asset === 'btc' ? '' : `/${asset}`}`
        const card = await cardAt(world, path)
        const { replayed, ...tally } = row
        expect([path, card.tally, card.replayed]).toEqual([path, tally, replayed])
        const score = years.find((one) => one.asset_type === asset && one.year === row.year)
        expect([path, replayed]).toEqual([path, score?.replayed ?? null])
        expect([path, score?.calls ?? 0, score?.hits ?? 0]).toEqual([path, row.n, row.hits])
        expect([path, replayed === null]).toEqual([path, row.n < 5])
        expect([path, row.due, row.n]).toEqual([path, due.length, decided.length])
        expect(row.hits).toBe(decided.filter(({ outcome }) => outcome === 'hit').length)
        expect(row.expected).toBeCloseTo(
          sum(decided, ({ luck }) => luck ?? 0),
          9,
        )
        expect(card.calls.map(({ id }) => id).toSorted()).toEqual(
          decided.map(({ id }) => id).toSorted(),
        )
        expect(card.open).toHaveLength(row.open)
      }
    }
  })

  it('the card of 2025 names its boldest hit, its widest miss and its loudest consensus', async () => {
    const world = scored()
    const card = await cardAt(world, '/years/2025')
    expect(card).toMatchObject({
      so_far: false,
      finding: '16 of 85 Bitcoin calls due in 2025 came true. Luck expects 21.2.',
      boldest: { name: 'TradingShot', text: 'Above $125,000', outcome: 'hit' },
      widest: { name: 'Samson Mow', text: '$1,000,000', outcome: 'miss', deadline: '2025-12-31' },
      consensus: { direction: 'up', low: 130_000, high: 150_000, people: 15, calls: 16, hits: 0 },
      price: { first: 94_420, last: 87_509, day: '2025-12-31' },
      open: [],
    })
    expect(card.widest?.error).toBeCloseTo(1_000_000 / 87_509 - 1, 9)
    expect(card.consensus?.by).toHaveLength(15)
    expect(await pageAt(world, '/years/2025')).toMatchObject({
      place: { before: 2024, after: 2026, assets: ['btc', 'mstr'] },
    })
    // The site's clock says November 2026.
    expect(await cardAt(world, '/years/2026')).toMatchObject({
      so_far: true,
      finding: expect.stringContaining('due so far in 2026'),
    })
    expect(await cardAt(world, '/years/2030')).toMatchObject({
      finding: '11 Bitcoin calls are due in 2030. Their time is not up yet.',
      calls: [],
      boldest: null,
      widest: null,
      consensus: null,
      price: null,
    })
  })

  it('years without calls and invalid addresses are not found, other spellings redirect', async () => {
    const world = scored()
    const wrong = words(`
      /years/1999 /years/2015 /years/2020/mstr /years/2025/naka /years/2025/doge
      /years/2025/mstr/more /years/02025 /years/x /years/2025%20
    `)
    for (const url of wrong) {
      expect([url, await pageAt(world, url)]).toEqual([url, { page: 'missing', what: 'page' }])
    }
    for (const [url, status, to] of [
      ['/years/2025/btc', 301, '/years/2025'],
      ['/years/2025/MSTR', 301, '/years/2025/mstr'],
      ['/years/2020/mstr', 404, undefined],
      ['/history/btc?year=2021', 301, '/history?year=2021'],
      ['/years/2025', 200, undefined],
    ] as const) {
      const { statusCode, headers } = await world.app.inject(url)
      expect([url, statusCode, headers.location]).toEqual([url, status, to])
    }
    const sitemap = (await world.app.inject('/sitemap.xml')).body
    for (const path of ['/years', '/years/2025', '/years/2025/mstr', '/years/2030']) {
      expect(sitemap).toContain(`<loc>http://localhost:3001${path}</loc>`)
    }
    expect(sitemap).not.toContain('/years/2015')
  })

  it('years without a decided call and invalid years have no picture', async () => {
    const world = scored()
    for (const place of ['2030', '1999', 'x', '2025/doge', '2020/mstr']) {
      const { statusCode, body } = await world.app.inject(`/years/${place}/picture.png`)
      const missing = [place, 404, { code: 'not_found' }]
      expect([place, statusCode, JSON.parse(body)]).toMatchObject(missing)
    }
    expect((await world.app.inject('/years/2025/mstr/picture.png')).statusCode).toBe(200)
  })

  it('one address can request at most 60 pictures a minute', async () => {
    const statuses: number[] = []
    const request = { url: '/years/2030/picture.png', remoteAddress: '10.1.1.1' }
    for (let i = 0; i <= 60; i += 1) statuses.push((await scored().app.inject(request)).statusCode)
    expect(statuses.indexOf(429)).toBe(60)
  })

  it('a correction changes the card and its picture, which is drawn again', async () => {
    await using world = await scoredSite()
    await scoresAt(world)
    const url = '/years/2025/picture.png'
    const pictureAt = (etag = '') => world.app.inject({ url, headers: { 'if-none-match': etag } })
    expect((await cardAt(world, '/years/2025')).tally).toMatchObject({ n: 3, hits: 1 })
    const first = await pictureAt()
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'image/png'])
    const { rawPayload: png } = first
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630])
    const etag = String(first.headers.etag)
    const again = await pictureAt(etag)
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])

    await correct(world)
    await world.refresh()
    // A page waits for scores only a few seconds.
    await scoresAt(world)
    // The same as another call of this person, it is not counted any more.
    expect((await cardAt(world, '/years/2025')).tally).toMatchObject({ n: 2, hits: 1 })
    const fresh = await pictureAt(etag)
    expect(fresh.statusCode).toBe(200)
    expect(fresh.headers.etag).not.toBe(etag)
  })

  it('a year is shown while its scores are computed', async () => {
    const worker = () => ({
      compute: () => Promise.reject(failure('too_many', 'Too many days are being computed.')),
      close: () => Promise.resolve(),
    })
    await using world = await newStarterSite({ options: { scores: { worker } } })
    const early = await world.app.inject('/years/2014/picture.png')
    expect([early.statusCode, early.json()]).toMatchObject([503, { code: 'unavailable' }])
    expect(await pageAt(world, '/years')).toEqual({ page: 'years', years: null })
    expect(await pageAt(world, '/years/2025/mstr')).toEqual({
      page: 'year',
      asset: 'mstr',
      year: 2025,
      place: { before: 2024, after: 2026, assets: ['btc', 'mstr'] },
      card: null,
    })
  })

  it('a site without predictions has no years', async () => {
    await using world = await testApp()
    expect(await pageAt(world, '/years')).toMatchObject({ page: 'years', years: { assets: [] } })
    expect(await pageAt(world, '/years/2025')).toEqual({ page: 'missing', what: 'page' })
  })
})
