import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTargets, type OpenTarget } from '#chart/open-targets.ts'
import { dashboardPart, people, targets } from '#contracts/dashboard.ts'
import { type PageInput } from '#contracts/page.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { ranges } from '#contracts/prices.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { FIRST_ROWS, PAGE_ROWS, OPENING_HISTORY } from '#domain/listing/history-view.ts'
import { questionParams, type Question } from '#domain/listing/part.ts'
import { OPENING_SELECTION } from '#domain/listing/selection.ts'
import { cardLine } from '#domain/scoring/score-text.ts'
import { manyEntries, walk } from '#tests/support/many.ts'
import { sharedApp } from '#tests/support/once-for-file.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { TEST_DAY } from '#tests/support/test-site.ts'
import { loadedPart } from '#web/api/part.ts'

const MANY = 400
const OPENING: Question = {
  selection: OPENING_SELECTION,
  mode: 'touch',
  history: OPENING_HISTORY,
  days: null,
  past: null,
  isWholePage: true,
}
const PATH = '/api/v1/assets/btc/dashboard'

let world: TestApp
/** All rows of the list call. */
let all: readonly Prediction[]

beforeAll(async () => {
  world = await testApp()
  await world.imports.prices('btc', walk(), 'test')
  await world.imports.predictions(JSON.stringify(manyEntries(MANY)))
  await world.sql(`update predictions set vote_score = 21 * length(id) where id like 'many-1%'`)
  await world.refresh()
  const rows = (await world.get('/api/predictions')).body as PredictionRow[]
  all = predictionsOfRows(rows)
})
afterAll(() => world[Symbol.asyncDispose]())

const pathOf = (question: Question) =>
  `${PATH}?${new URLSearchParams(questionParams(question)).toString()}`

const answered = (question: Question) => world.read(dashboardPart, pathOf(question))

describe('dashboard data', () => {
  it("agrees with each prediction's page", async () => {
    const byId = new Map(all.map((one) => [one.id, one]))
    const { rows } = loadedPart(await answered(OPENING), 'btc')
    expect(rows.length).toBeGreaterThan(100)
    for (const { texts, verdicts, ...row } of rows) {
      const one = byId.get(row.id)
      expect(one).toMatchObject(row)
      for (const mode of JUDGE_MODES) {
        const { bar, ...verdict } = verdicts[mode]
        expect(one?.verdicts[mode]).toMatchObject(verdict)
        expect(bar?.close).toBe(one?.verdicts[mode].bar?.close)
        expect(texts[mode].sentence).toBe(one && verdictSentence(one, mode))
        expect(texts[mode].line).toBe(one && cardLine(one, mode, day(TEST_DAY)))
      }
    }
  })

  it('has only the first rows of a page of the table unless all are requested', async () => {
    const whole = await answered(OPENING)
    const { history } = await answered({ ...OPENING, isWholePage: false })
    expect([whole.history.rows.length, history.rows.length]).toEqual([PAGE_ROWS, FIRST_ROWS])
    expect(history.total).toBe(whole.history.total)
  })

  it('is inlined into its page, as its address selects, without the closes', async () => {
    const page = async (url: string) =>
      (await world.get(`/api/v1/page?url=${encodeURIComponent(url)}`)).body as PageInput
    const address = '/btc?status=miss&q=2021&on=miss&hsort=-error&hpage=2&judge=close'
    const { data, version } = await page(address)
    const { body } = await world.get(`${PATH}?${address.split('?')[1] ?? ''}`)
    expect(data).toEqual({ page: 'asset', asset: 'btc', past: null, part: body })
    expect(body).toMatchObject({ version })
    expect((await page('/mstr')).data).toMatchObject({ part: { total: 0, rows: [] } })
  })

  it('says where the open calls aim, as the chart counts them', async () => {
    const reply = await world.read(targets, '/api/v1/assets/btc/targets?judge=close')
    const found = openTargets(all, 'close', day(TEST_DAY))
    expect(found.targets.length).toBeGreaterThan(20)
    expect([reply.total, reply.limits]).toEqual([found.targets.length, found.limits])
    const inText = (one: OpenTarget) => JSON.stringify([one.name, one.votes, one.days, one.prices])
    const input = reply.targets.map(([from, to, low, high, votes, place]) =>
      inText({ name: reply.names[place] ?? '', votes, days: [from, to], prices: [low, high] }),
    )
    expect(input.toSorted()).toEqual(found.targets.map(inText).toSorted())
  })

  it('is not found for an unknown asset, and empty for an asset without predictions', async () => {
    expect((await world.get('/api/v1/assets/doge/dashboard')).status).toBe(400)
    const none = { total: 0, first: null, rows: [] }
    expect(await world.read(dashboardPart, 'naka')).toMatchObject(none)
  })

  it('finds people by part of their name, with or without accents', async () => {
    const found = await world.read(people, '/api/v1/assets/btc/people?q=EXPÉRT%2017')
    expect(found.people.map(({ name }) => name)).toEqual(['Expert 17'])
  })

  it.each([
    ['status=good', 'status: Please give one of all, pending, success, miss.'],
    ['hpage=0', 'hpage: Please give the number of a page, from 1 to 99999.'],
    [`q=${'x'.repeat(10_000)}`, 'q: Please search for at most 200 characters.'],
    ['first_day=2024-02-30', 'first_day: '],
  ])('%s is refused with a sentence', async (query, sentence) => {
    const { status, body } = await world.get(`${PATH}?${query}`)
    expect([status, (body as { message: string }).message]).toEqual([
      400,
      expect.stringContaining(sentence),
    ])
  })
})

const FILE = `date,open,high,low,close
2024-01-01,100,110,95,105
2024-01-02,,,,106
2024-01-03,106,108,101,102
2024-01-04,,107,100,103
`

describe('highs and lows', () => {
  const priced = sharedApp({}, ({ imports }) => imports.prices('btc', FILE, 'mine'))

  const path = (from: string, to: string, asset = 'btc') =>
    `/api/v1/ranges/${asset}?from=${from}&to=${to}`

  it('the highs and lows of days are returned for a range, without days with only a close', async () => {
    expect(await priced.read(ranges, path('2023-12-01', '2024-12-31'))).toEqual([
      { date: '2024-01-01', open: 100, high: 110, low: 95, close: 105 },
      { date: '2024-01-03', open: 106, high: 108, low: 101, close: 102 },
      { date: '2024-01-04', open: null, high: 107, low: 100, close: 103 },
    ])
    const some = await priced.read(ranges, path('2024-01-02', '2024-01-03'))
    expect(some.map(({ date }) => date)).toEqual(['2024-01-03'])
    expect((await priced.get(path('2024-01-01', '2024-01-01', 'naka'))).body).toEqual([])
  })

  it('a day whose sources agree on no price has no high and low', async () => {
    const bar = (range: string) => `date,open,high,low,close\n2024-02-01,${range}\n`
    await priced.imports.prices('btc', bar('100,110,95,105'), 'one')
    await priced.imports.prices('btc', bar('150,160,145,155'), 'other')
    await priced.refresh()
    expect((await priced.get(path('2024-02-01', '2024-02-02'))).body).toEqual([])
  })

  it.each([
    ['2024-01-02', '2024-01-01', 'to: Please give a last day that is not before the first.'],
    ['2022-01-01', '2024-03-11', 'to: Please ask for at most 800 days at once.'],
    ['yesterday', '2024-01-01', 'from: Please give a day such as 2026-11-20.'],
    ['2024-01-01', '', 'to: Please give a day such as 2026-11-20.'],
    [
      '1024-01-01',
      '1024-01-02',
      'from: Please give a day between 1900 and 2299, such as 2026-11-20.',
    ],
  ])('highs and lows from %s to %s are refused in a sentence', async (from, to, error) => {
    expect(await priced.get(path(from, to))).toMatchObject({ status: 400, body: { error } })
  })

  it('accepts 800 days', async () => {
    expect((await priced.get(path('2022-01-01', '2024-03-10'))).status).toBe(200)
  })

  it('as of a past day no later day is known, and a later split has not happened yet', async () => {
    const file = `date,open,high,low,close
2024-08-06,12,13,11,12.5
2024-08-07,12.5,14.1,12,13.3
2024-08-08,13,15,12,14
`
    await priced.imports.prices('mstr', file, 'mine')
    await priced.refresh()
    const asOf = async (date: string) =>
      await priced.read(ranges, `${path('2024-08-01', '2024-08-31', 'mstr')}&as_of=${date}`)
    expect(await asOf('2024-08-07')).toEqual([
      { date: '2024-08-06', open: 120, high: 130, low: 110, close: 125 },
      { date: '2024-08-07', open: 125, high: 141, low: 120, close: 133 },
    ])
    expect((await asOf('2024-08-08')).map(({ close }) => close)).toEqual([12.5, 13.3, 14])
  })
})
