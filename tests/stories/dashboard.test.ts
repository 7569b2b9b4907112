import { openingDays } from '#chart/axes.ts'
import { openTargets, type OpenTarget } from '#chart/open-targets.ts'
import {
  dashboardPart,
  listedCalls,
  people,
  targets,
  type DashboardPart,
} from '#contracts/dashboard.ts'
import { PastReply as pastReply } from '#contracts/past.ts'
import { type PageInput } from '#contracts/page.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { ASSETS } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import {
  historyFigures,
  historyYears,
  PAGE_ROWS,
  shownRows,
  yearsOf,
} from '#domain/listing/history-rows.ts'
import {
  CLAIM_KINDS,
  HISTORY_COLUMNS,
  OPENING_HISTORY,
  OUTCOMES,
  type HistoryView,
} from '#domain/listing/history-view.ts'
import { countsOf, expertsOf, listed } from '#domain/listing/listing.ts'
import { CARDS, MORE_CARDS, MOST_DRAWN, MOST_WHOLE, type Part } from '#domain/listing/part.ts'
import { questionParams, type Question } from '#domain/listing/question.ts'
import {
  activeOnes,
  OPENING_SELECTION,
  STATUS_FILTERS,
  type Active,
  type Selection,
} from '#domain/listing/selection.ts'
import { randomOf } from '#domain/scoring/random.ts'
import { givenPart, partOfRows } from '#web/api/part.ts'
import { pastRecord } from '#web/api/past.ts'
import { unpackPrices } from '#web/api/prices.ts'
import { rounds } from '#tests/support/deep.ts'
import { manyEntries, walk } from '#tests/support/many.ts'
import { TEST_DAY } from '#tests/support/test-site.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const MANY = 900
const OPENING: Question = {
  selection: OPENING_SELECTION,
  mode: 'touch',
  history: OPENING_HISTORY,
  days: null,
  past: null,
}
const PATH = '/api/v1/assets/btc/dashboard'

let world: TestApp
/** All rows, as the list call gives them. */
let all: readonly Prediction[]
let prices: ReturnType<typeof unpackPrices>

beforeAll(async () => {
  world = await testApp()
  await world.imports.prices('btc', walk(), 'test')
  await world.imports.predictions(JSON.stringify(manyEntries(MANY)))
  await world.database.pool.query(
    `update predictions set vote_score = 21 * length(id) where id like 'many-1%'`,
  )
  await world.refresh()
  const rows = (await world.get('/api/predictions')).body as PredictionRow[]
  all = predictionsOfRows(rows)
  const { data } = (await world.get('/api/v1/page?url=/btc')).body as PageInput
  if (data.page !== 'asset') throw new Error('this is another page')
  prices = unpackPrices(data.prices)
})
afterAll(() => world[Symbol.asyncDispose]())

const pathOf = (question: Question) =>
  `${PATH}?${new URLSearchParams(questionParams(question)).toString()}`

async function answered(question: Question, on = world): Promise<DashboardPart> {
  const { status, body } = await on.get(pathOf(question))
  expect([status, question]).toEqual([200, question])
  return dashboardPart.reply.parse(body)
}

/** What a browser shows that has all rows. */
function shownOf({ selection, mode, history, past }: Question, of = { all, prices }) {
  const { all, prices } = of
  const rows = shownRows(history, historyFigures(all, mode, prices))
  const page = Math.min(history.page, Math.max(0, Math.ceil(rows.length / PAGE_ROWS) - 1))
  const opening = openingDays(ASSETS.btc.axis, past ?? day(TEST_DAY))
  const cards = listed(selection, all, mode)
  const drawn = activeOnes(selection, {
    predictions: all,
    mode,
    opening,
    isPast: past !== null,
  })
  const { active } = selection
  const byHand = drawn.filter(({ id }) => 'status' in active && active.and?.includes(id))
  const kept = new Set([...new Set([...byHand, ...drawn])].slice(0, MOST_DRAWN))
  return {
    total: all.length,
    counts: {
      touch: countsOf(selection, all, 'touch'),
      close: countsOf(selection, all, 'close'),
    },
    chosen: expertsOf(all).filter(({ slug }) => selection.experts.includes(slug)),
    listed: { total: cards.length, ones: cards.slice(0, CARDS) },
    drawn: { total: drawn.length, ones: drawn.filter((one) => kept.has(one)) },
    history: {
      total: rows.length,
      page,
      ones: rows
        .slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
        .map(({ prediction }) => prediction),
      hasLuck: all.some(({ odds }) => odds),
      made: yearsOf(all, ({ made }) => made),
      due: yearsOf(all, ({ by }) => by),
      years: history.byYear ? historyYears(rows) : [],
    },
  }
}

/** With ids instead of predictions. */
function inShort({ listed: cards, drawn, history, ...rest }: Omit<Part, 'totals' | 'first'>) {
  const idsOf = ({ ones }: { readonly ones: readonly Prediction[] }) => ones.map(({ id }) => id)
  return {
    ...rest,
    listed: { ...cards, ones: idsOf(cards) },
    drawn: { ...drawn, ones: idsOf(drawn) },
    history: { ...history, ones: idsOf(history) },
  }
}

/** Questions of every kind, always the same ones. */
function questions(count: number): Question[] {
  const random = randomOf('questions')
  const one = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)] as Value
  const ids = () => Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(all).id)
  const activeOf = (): Active => {
    const status = one(STATUS_FILTERS)
    return one<Active>([
      { leading: 12 },
      { status },
      { status, without: ids() },
      { status, and: ids() },
      { ids: ids() },
      { ids: [] },
    ])
  }
  const selectionOf = (): Selection => ({
    filter: one(STATUS_FILTERS),
    experts: one([[], [], [one(all).expert.slug], [one(all).expert.slug, one(all).expert.slug]]),
    multiple: false,
    search: one(['', '', 'expert 1', '100k', '2021', 'target', 'said 30', 'no such words']),
    active: activeOf(),
  })
  const historyOf = (): HistoryView => ({
    sort: one(HISTORY_COLUMNS),
    descending: one([true, false]),
    status: one([null, null, ...OUTCOMES]),
    kind: one([null, null, ...CLAIM_KINDS]),
    made: one([null, null, 2018, 2021]),
    due: one([null, null, 2020, 2024]),
    search: one(['', '', '', 'expert 2']),
    byYear: one([false, false, true]),
    page: one([0, 0, 1, 4, 99]),
  })
  return Array.from({ length: count }, () => ({
    selection: { ...selectionOf() },
    mode: one(['touch', 'close'] as const),
    history: historyOf(),
    days: null,
    past: null,
  })).map((question) => ({
    ...question,
    selection: {
      ...question.selection,
      experts: [...new Set(question.selection.experts)],
      // Whoever chooses experts sees all of theirs.
      ...('leading' in question.selection.active && { experts: [] }),
    },
  }))
}

describe('what a dashboard asks of a large record', () => {
  it('is what it would show if it had all of it, for whatever a visitor chose', async () => {
    expect(all.length).toBeGreaterThan(2 * MOST_WHOLE)
    const byId = new Map(all.map((one) => [one.id, one]))
    for (const question of [OPENING, ...questions(rounds(50, 150))]) {
      const reply = await answered(question)
      const given = givenPart(reply)
      const { totals: _totals, first: _first, ...part } = partOfRows(given, given.rows)
      expect([question, inShort(part)]).toEqual([question, inShort(shownOf(question))])
      for (const row of given.rows) expect(row).toEqual(byId.get(row.id))
    }
  })

  it('says of all what the time machine says', async () => {
    const { totals, first } = await answered({
      ...OPENING,
      selection: { ...OPENING_SELECTION, search: 'no such words' },
    })
    expect(totals.touch).toEqual(countsOf(OPENING_SELECTION, all, 'touch'))
    expect(totals.close).toEqual(countsOf(OPENING_SELECTION, all, 'close'))
    expect(first).toBe(isoDay(Math.min(...all.map(({ made }) => made)) as Day))
  })

  it('is of a past day what it would show if it had all of that day', async () => {
    await using small = await testApp()
    await small.imports.prices('btc', walk(), 'test')
    await small.imports.predictions(JSON.stringify(manyEntries(MOST_WHOLE - 10)))
    await small.refresh()
    const past = day('2021-06-30')
    const { body } = await small.get(`/api/v1/past/btc?day=${isoDay(past)}`)
    const then = pastRecord(pastReply.parse(body), null)
    expect([then.isLarge, then.predictions.length > 100]).toEqual([false, true])
    const of = { all: then.predictions, prices: then.prices }
    for (const asked of [OPENING, ...questions(rounds(15, 40))]) {
      const question = { ...asked, past }
      const given = givenPart(await answered(question, small))
      const { totals: _totals, first: _first, ...part } = partOfRows(given, given.rows)
      expect([question, inShort(part)]).toEqual([question, inShort(shownOf(question, of))])
    }
    // Of a large one the past itself has prices alone.
    const large = pastReply.parse((await world.get('/api/v1/past/btc?day=2021-06-30')).body)
    expect([large.more, large.predictions]).toEqual([true, []])
    expect(large.prices.closes.length).toBeGreaterThan(1_000)
    const page = (await world.get('/api/v1/page?url=/btc%3Fday=2021-06-30')).body as PageInput
    expect(page.data).toMatchObject({ past: { more: true }, part: { question: 'day=2021-06-30' } })
  })

  it('is inlined into its page, for the address of the page, and a smaller record as a whole', async () => {
    const page = async (url: string) =>
      (await world.get(`/api/v1/page?url=${encodeURIComponent(url)}`)).body as PageInput
    const address = '/btc?status=miss&q=2021&on=miss&hsort=-error&hpage=2&judge=close'
    const { data, version } = await page(address)
    const { body } = await world.get(`${PATH}?${address.split('?')[1] ?? ''}`)
    expect(data).toMatchObject({ page: 'asset', predictions: [], part: { version } })
    expect((data as { part: unknown }).part).toEqual(body)
    expect((await page('/mstr')).data).toMatchObject({ predictions: [], part: null })
  })

  it('has no more marks than a chart can show: first what was put on by hand, then what is in view, then the first others', async () => {
    const and = [all.at(-1)?.id ?? '']
    const selection = { ...OPENING_SELECTION, active: { status: 'all' as const, and } }
    const whole = await answered({ ...OPENING, selection })
    expect(whole.drawn.total).toBeGreaterThan(MOST_DRAWN)
    expect(whole.drawn.rows).toHaveLength(MOST_DRAWN)
    const days = [day('2018-03-01'), day('2018-05-31')] as const
    const { drawn, rows } = await answered({ ...OPENING, selection, days })
    expect([drawn.total, drawn.rows.length]).toEqual([whole.drawn.total, MOST_DRAWN])
    const ids = new Set(drawn.rows.map((place) => rows[place]?.id))
    expect(ids).toContain(and[0])
    const due = all.filter(
      ({ by, verdicts }) => by >= days[0] && by <= days[1] && verdicts.touch.outcome !== 'void',
    )
    expect(due.length).toBeGreaterThan(10)
    expect(due.filter(({ id }) => !ids.has(id))).toEqual([])
    // Those beyond the view are the most supported ones.
    const wholeIds = new Set(whole.drawn.rows.map((place) => whole.rows[place]?.id))
    expect([...ids].filter((id) => wholeIds.has(id ?? '')).length).toBeGreaterThan(100)
  })

  it('goes on with the list for as long as there are more', async () => {
    const seen: string[] = []
    for (let skip = 0; skip < all.length; skip += MORE_CARDS) {
      const { body } = await world.get(
        `/api/v1/assets/btc/calls?status=miss&q=expert&judge=close&skip=${String(skip)}`,
      )
      const reply = listedCalls.reply.parse(body)
      seen.push(...reply.rows.map(({ id }) => id))
    }
    const selection = { ...OPENING_SELECTION, filter: 'miss' as const, search: 'expert' }
    expect(seen).toEqual(listed(selection, all, 'close').map(({ id }) => id))
  })

  it('says where the open ones aim, as the chart counts them', async () => {
    const { body } = await world.get('/api/v1/assets/btc/targets?judge=close')
    const reply = targets.reply.parse(body)
    const found = openTargets(all, 'close', day(TEST_DAY))
    expect(found.targets.length).toBeGreaterThan(20)
    expect([reply.total, reply.limits]).toEqual([found.targets.length, found.limits])
    const inText = (one: OpenTarget) => JSON.stringify([one.name, one.votes, one.days, one.prices])
    const given = reply.targets.map(([from, to, low, high, votes, place]) =>
      inText({ name: reply.names[place] ?? '', votes, days: [from, to], prices: [low, high] }),
    )
    expect(given.toSorted()).toEqual(found.targets.map(inText).toSorted())
  })

  it('names those with the most predictions, and others by a part of their name', async () => {
    const asked = async (q: string) =>
      people.reply.parse((await world.get(`/api/v1/assets/btc/people?q=${q}`)).body)
    const everyone = expertsOf(all)
    const first = await asked('')
    expect(first.total).toBe(everyone.length)
    expect(first.people[0]?.predictions).toBe(
      Math.max(...everyone.map(({ predictions }) => predictions)),
    )
    const some = await asked('EXPÉRT%2017')
    expect(some.people.map(({ name }) => name)).toEqual(['Expert 17'])
  })

  it.each([
    ['status=good', 'status: Please give one of all, pending, success, miss.'],
    ['judge=high', 'judge: Please give touch or close.'],
    [
      'hsort=score',
      'hsort: Please give one of expert, prediction, made, price, target, error, luck, status, with a - for the other way round.',
    ],
    ['hpage=0', 'hpage: Please give the number of a page, from 1 to 99999.'],
    ['hmade=soon', 'hmade: Please give the year in which predictions were made, such as 2024.'],
    ['hby=month', 'hby: Please give year, or nothing.'],
    [`q=${'x'.repeat(201)}`, 'q: Please search for at most 200 characters.'],
    ['first_day=2024-02-30', 'first_day: '],
  ])('%s is refused with a sentence', async (query, sentence) => {
    const { status, body } = await world.get(`${PATH}?${query}`)
    expect([status, (body as { message: string }).message]).toEqual([
      400,
      expect.stringContaining(sentence),
    ])
  })

  it('is asked for in vain of an asset that there is not, and answered for one without predictions', async () => {
    expect((await world.get('/api/v1/assets/doge/dashboard')).status).toBe(400)
    const { body } = await world.get('/api/v1/assets/naka/dashboard')
    expect(dashboardPart.reply.parse(body)).toMatchObject({ total: 0, first: null, rows: [] })
  })
})
