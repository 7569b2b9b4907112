import { describe, expect, it } from 'vitest'
import { unpackCalls } from '#contracts/hedgehog.ts'
import { type LandingNow } from '#contracts/page.ts'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { PredictionEnvelope, PredictionList, type PredictionRow } from '#contracts/predictions.ts'
import { barOfJudgedRow } from '#contracts/prices.ts'
import { judgedBars } from '#contracts/prices.ts'
import { type SearchReply } from '#contracts/search.ts'
import { ASSETS } from '#domain/asset.ts'
import { day, isoDay, readDay, readDayInput } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { isSame } from '#domain/judging/same-verdict.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { stepsOf } from '#domain/judging/steps.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { rounds } from '#tests/support/deep.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp, pageAt } from '#tests/support/test-app.ts'
import { TEST_DAY } from '#tests/support/test-site.ts'

/** One in so many predictions is judged again from its bars. */
const EVERY = rounds(15, 1)

/** The starter record, not changed by any story here. */
const site = onceForFile(starterSite)

async function dataAt(world: TestApp, url: string) {
  const data = await pageAt(world, url, 'hedgehog')
  return { ...data, calls: unpackCalls(data.calls) }
}

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
    // Days without a close, such as the latest one, use the last close before them; those are omitted here.
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
    expect(againstLuck?.n).toBe(313)
    expect(againstLuck?.hits).toBe(102)
  })

  it('the page of all calls reads its asset and selection from the address, and is in the sitemap', async () => {
    const world = site()
    const { view } = await dataAt(world, '/history?year=2021&person=planb')
    expect(view).toEqual({ year: 2021, person: 'planb' })
    expect((await dataAt(world, '/history?year=soon')).view.year).toBeNull()
    expect((await dataAt(world, '/history/mstr')).asset).toBe('mstr')
    for (const url of ['/history/gold', '/history/mstr/x']) {
      expect([url, (await pageAt(world, url)).page]).toEqual([url, 'missing'])
    }
    const sitemap = (await world.app.inject('/sitemap.xml')).body
    expect(sitemap).toContain('/history</loc>')
    expect(sitemap).toContain('/history/mstr</loc>')
  })

  it('the picture of all calls is sent as PNG and SVG, and refused without calls', async () => {
    const world = site()
    const png = await world.app.inject('/history/btc/picture.png?year=2021')
    expect([png.statusCode, png.headers['content-type']]).toEqual([200, 'image/png'])
    expect(png.rawPayload.subarray(1, 4).toString()).toBe('PNG')
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

async function search(world: TestApp, q: string, more = ''): Promise<SearchReply['groups']> {
  const answer = await world.app.inject(`/api/v1/search?q=${encodeURIComponent(q)}${more}`)
  expect([q, answer.statusCode]).toEqual([q, 200])
  return answer.json<SearchReply>().groups
}

describe('searching the record', () => {
  it('a search finds people first, then years, then predictions by level, deadline and day made', async () => {
    const world = site()
    const [people, calls] = await search(world, 'saylor')
    expect([people?.title, people?.found[0]?.path]).toEqual(['People', '/experts/michael-saylor'])
    expect(people?.found[0]?.text).toMatch(
      /^\d+ predictions?: \d+ came true, \d+ missed, \d+ open$/,
    )
    expect(calls?.found[0]?.title).toMatch(/^Michael Saylor: /)

    for (const [q, path] of [
      ['methodology', '/methodology'],
      ['api', '/api/docs'],
      ['@saylor', '/experts/michael-saylor'],
    ] as const) {
      expect([q, (await search(world, q))[0]?.found[0]?.path]).toEqual([q, path])
    }
    const [spoken] = await search(world, 'someone said a quarter million', '&most=300')
    expect(spoken?.total).toBe((await search(world, '250k'))[0]?.total)
    expect(spoken?.found).toHaveLength(spoken?.total ?? 0)

    const [levels] = await search(world, '150k')
    const exact = levels?.found.findLastIndex(({ title }) => title.includes('$150,000')) ?? -1
    const around = levels?.found.findIndex(({ title }) => !title.includes('$150,000')) ?? -1
    expect(exact).toBeGreaterThan(0)
    expect(around === -1 || around > exact).toBe(true)
    expect(await search(world, '$150,000')).toEqual(await search(world, '150k'))

    const [years, due, made] = await search(world, '2026')
    expect(years?.found.map(({ path }) => path)).toContain('/years/2026')
    expect([due?.title, made?.title]).toEqual([
      'Predictions due in 2026',
      'Predictions made in 2026',
    ])
    expect(due?.total).toBeGreaterThanOrEqual(9)
    expect(due?.found.length).toBe(8)
    const [, all, others] = await search(world, '2026', '&most=300')
    expect(all?.found.length).toBe(due?.total)
    const paths = [all, others].flatMap((group) => group?.found.map(({ path }) => path))
    expect(new Set(paths).size, 'each in one group').toBe(paths.length)

    const [person, inYear] = await search(world, 'planb 2021')
    expect(person?.found.map(({ path }) => path)).toEqual(['/experts/planb'])
    expect(inYear?.found.length).toBeGreaterThan(0)
    for (const { title, text } of inYear?.found ?? []) {
      expect([title, text]).toEqual([
        expect.stringMatching(/^PlanB: /),
        expect.stringContaining('2021'),
      ])
    }
  })

  it('a search for a year shows the error of the calls made that year', async () => {
    const world = site()
    const [years] = await search(world, '2021 btc')
    expect(years?.found.map(({ path }) => path)).toEqual(['/years/2021', '/history?year=2021'])
    expect(years?.found[1]?.text).toMatch(
      /^\d+ of \d+ decided calls came true; the middle one was \d/,
    )
  })

  it('a blank search, and one without matches, finds nothing; an overlong one is refused', async () => {
    const world = site()
    for (const q of ['', '  ', '$', 'zzzz', '$1.23456', 'zzzz 1999', '%', '((', '\u0000']) {
      expect([q, await search(world, q)]).toEqual([q, []])
    }
    expect((await world.app.inject(`/api/v1/search?q=${'a'.repeat(101)}`)).statusCode).toBe(400)
  })
})

it('the bars of a prediction of the starter record give its verdicts again, with the same evidence', async () => {
  const world = site()
  const all = [
    ...PredictionList.parse((await world.get('/api/predictions')).body),
    ...PredictionEnvelope.parse((await world.get('/api/mstr/predictions')).body).data,
  ]
  const rows = all.filter((_, n) => n % EVERY === 0)
  expect(rows.length).toBeGreaterThan(35)
  const today = day(TEST_DAY)
  const texts = new Set<string>()
  for (const [i, row] of rows.entries()) {
    const prediction = predictionOfRow(row)
    if (!prediction) throw new Error(`${row.id} cannot be read`)
    const answer = await world.app.inject({
      url: `/api/v1/predictions/${encodeURIComponent(row.id)}/bars`,
      // One network may request sixty a minute.
      remoteAddress: `127.0.1.${String(Math.floor(i / 50))}`,
    })
    expect(answer.statusCode).toBe(200)
    const { bars, final_through: final, asset } = judgedBars.reply.parse(answer.json())
    const { calendar } = ASSETS[asset]
    const series = seriesOf(calendar, bars.map(barOfJudgedRow), final === null ? null : day(final))
    for (const mode of JUDGE_MODES) {
      const verdict = judge(series, prediction, mode, today)
      expect(isSame(prediction.verdicts[mode], verdict)).toBe(true)
      for (const { text } of stepsOf(prediction, series, verdict)) {
        expect(text).toMatch(/^[A-Z$\d].*[.)\d]$/)
        expect(text).not.toMatch(/undefined|NaN|null/)
        texts.add(text)
      }
    }
  }
  expect(texts.size).toBeGreaterThan(80)
  expect(await world.get('/api/v1/predictions/nothing/bars')).toMatchObject({
    status: 404,
    body: { error: 'There is no prediction at this address.' },
  })
})

async function pictureAt(url: string): Promise<string> {
  const { statusCode, headers, body } = await site().app.inject(url)
  expect([url, statusCode, headers['content-type']]).toEqual([
    url,
    200,
    'image/svg+xml; charset=utf-8',
  ])
  return body
}

it('the picture of a past day shows nothing later', async () => {
  const picture = await pictureAt('/btc/picture.svg?day=2020-03-12')
  // The one of May 2020 would be in view.
  expect(picture.match(/halving/g)).toHaveLength(1)
  const days = (picture.match(/\d\d\/\d\d\/\d{4}/g) ?? []).map((text) => readDayInput(text) ?? 0)
  expect(days.length).toBeGreaterThan(0)
  expect(Math.max(...days)).toBeLessThanOrEqual(day('2020-03-12'))
})

it('the picture is refused without prices or for an unknown size', async () => {
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
  const made = all.map((row) => row.prediction_made).toSorted()
  expect(newest[0]?.prediction_made).toBe(made.at(-1))
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
