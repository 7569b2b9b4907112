import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, day, dayFromNumber, partsOf, type Day } from '#domain/day.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { bar } from '#tests/support/builders.ts'
import { closesBy } from '#tests/support/charts.ts'
import { randomBars, randomCalls } from '#tests/support/random-callers.ts'
import { at, BARS, call, randomRecord, scores, rounded } from '#tests/support/scores.ts'
import { ALL_CALLS, type CallFilter } from './call-filter.ts'
import { priceHistory } from './price-history.ts'
import { randomOf } from './replay.ts'
import { findingSentence, scoreNotes, totalsSentence } from './score-text.ts'
import { type ScoredPrediction } from './scored-call.ts'
import { trueDiscoveries, yearScores, narrow } from './scores.ts'

const five = (who: string, overrides: Parameters<typeof call>[0] = {}): ScoredPrediction[] =>
  [0, 1, 2, 3, 4].map((i) =>
    call({ who, made: at(100 + 120 * i), by: at(210 + 120 * i), ...overrides }),
  )

describe('scores', () => {
  it('exclude people with fewer than five decided calls, and list them by name', () => {
    const found = scores([...five('Zoe'), ...five('Bob').slice(1), call({ who: 'Ann' })])
    const bands = found.people.map(({ name, band }) => `${name} ${band}`)
    expect(bands).toEqual(['Zoe unclear', 'Ann null', 'Bob null'])
    // With too few earlier prices: it is decided, but has no luck.
    const [first, ...rest] = five('Kim')
    const [kim] = scores([{ ...first!, made: at(5) }, ...rest]).people
    expect(kim).toMatchObject({ band: null, timeIsUp: { n: 5 }, decided: { calls: 4 } })
  })

  it('count a thesis once, by its first statement, even for 40 calls', () => {
    const later = Array.from({ length: 39 }, (_, i) => call({ who: 'Bob', made: at(201 + i) }))
    const found = scores([...later, call({ who: 'Bob', id: 'first' }), ...five('Zoe')])
    const bob = found.people.find(({ name }) => name === 'Bob')
    expect(bob?.calls.map(({ repeats }) => repeats)).toEqual([null, ...later.map(() => 'first')])
    expect(bob).toMatchObject({ band: null, timeIsUp: { n: 1 }, againstLuck: { calls: 1 } })
    expect(bob?.decided.expected).toBe(bob?.calls[0]?.luck)
    const all = found.people.reduce((sum, { decided }) => sum + decided.calls, 0)
    const years = found.years.reduce((sum, { calls }) => sum + calls, 0)
    expect([all, found.totals[0]?.calls, years]).toEqual([6, 6, 6])
  })

  it('do not depend on the order in which predictions arrive', () => {
    // Three statements of one day: the middle one resembles both others, which do not resemble each other.
    const stated = [130, 142, 155].map((usd) => call({ who: 'Bob', usd }))
    const repeats = (input: ScoredPrediction[]) =>
      scores(input).people.map(({ calls }) => calls.map((one) => [one.id, one.repeats]))
    expect(repeats(stated)[0]?.map(([, first]) => first)).toEqual([null, stated[0]?.id, null])
    expect(repeats(stated.toReversed())).toEqual(repeats(stated))
    expect(repeats([1, 0, 2].flatMap((i) => stated[i] ?? []))).toEqual(repeats(stated))
  })

  it('rate bold calls above easy ones, and order by the number of decided calls', () => {
    const sixth = call({ who: 'Easy', usd: 101, made: at(700), by: at(715) })
    const easy = [...five('Easy', { usd: 101 }), sixth]
    // On one day of each of these windows the price is at 150.
    const jumping = BARS.map((one, i) => (i % 120 === 85 ? { ...one, close: 150 } : one))
    const found = scores([...easy, ...five('Bold')], { bars: { btc: jumping } })
    const [first, second] = [found.people[0]!, found.people[1]!]
    expect([first.name, second.name]).toEqual(['Easy', 'Bold'])
    expect(second.skill?.odds).toBeGreaterThan(first.skill!.odds)
    expect(second.boldness).toBeGreaterThan(first.boldness!)
    expect(second.sats).toBeGreaterThan(100)
  })

  it('omit people without a decided call', () => {
    const [person] = scores([call({ by: at(1_000), usd: 500 })]).people
    const none = { band: null, shrunken: null, sats: null, medianDaysToHit: null, replayed: null }
    const timeIsUp = { hits: 0, n: 0, low: null, high: null }
    expect(person).toMatchObject({ ...none, timeIsUp })
    expect(findingSentence(scores([]).people)).toBe('Nobody has five comparable calls yet.')
  })

  it('pay at the odds of luck, at most for one in fifty, and count the days to a hit', () => {
    const jumping = BARS.map((one, i) => (i === 110 || i === 240 ? { ...one, close: 150 } : one))
    const calls = [
      call({ made: at(100), by: at(120) }),
      call({ made: at(210), by: at(250) }),
      call({ made: at(300), by: at(320) }),
    ]
    const [person] = scores(calls, { bars: { btc: jumping } }).people
    const lucks = person?.calls.map(({ luck }) => luck ?? 0) ?? []
    expect(lucks[0]).toBeLessThan(0.02)
    const paid = [50 + 50 / 0.02, 50 + 50 / Math.max(lucks[1] ?? 0, 0.02), 50]
    expect(person?.sats).toBeCloseTo(paid.reduce((sum, one) => sum + one, 0) / 3, 6)
    expect(person?.medianDaysToHit).toBe(10)
    expect(person?.boldness).toBeCloseTo(1 - lucks.reduce((sum, luck) => sum + luck, 0) / 3, 9)
  })

  it('omit a bar without a price', () => {
    const broken = BARS.map((one, i) => (i === 150 ? { ...one, close: 0 } : one))
    const [person] = scores([call()], { bars: { btc: broken } }).people
    expect(person?.calls[0]?.motion?.sigma).toBeLessThan(0.5)
  })

  it('put the two house callers on the same days, and never rank them', () => {
    const found = scores([...five('Zoe'), call({ who: 'Ann', made: at(100) })])
    expect(found.yardsticks.map(({ name, calls, band }) => [name, calls.length, band])).toEqual([
      ['Random guesser', 5, null],
      ['Always ×2 in a year', 5, null],
    ])
    const [coin, double] = found.yardsticks
    const first = { claim: { usd: 200 }, window: { to: day('2023-04-11') } }
    expect(double?.calls[0]).toMatchObject(first)
    // Sampled once a day, the level is reached in slightly less than half of the cases.
    expect(coin?.calls[0]?.luck).toBeCloseTo(0.5, 1)
    const rare = Array.from({ length: 8 }, (_, i) => call({ made: dayFromNumber(100 + 370 * i) }))
    const long = { btc: randomBars(randomOf('yardsticks'), 3_200) }
    const many = scores(rare, { bars: long, asOf: dayFromNumber(3_199) }).yardsticks
    const unranked = { band: null, timeIsUp: { n: 8 } }
    expect(many).toMatchObject([unranked, unranked])
  })

  it('separate calls recorded before their outcome from those looked up afterwards', () => {
    const early = { createdAt: '2022-01-02T00:00:00Z' }
    const before = ['A', 'B', 'C', 'D', 'E'].flatMap((who) => five(who, early))
    const found = scores([...before, ...five('F')])
    expect(found.hasRecordedBefore).toBe(true)
    const recorded = (who: string) => found.people.find(({ name }) => name === who)?.recorded
    expect(recorded('A')).toMatchObject({ before: { calls: 5 }, after: { calls: 0 } })
    expect(recorded('F')).toMatchObject({ before: { calls: 0 }, after: { calls: 5 } })
    expect(scores([...before.slice(5), ...five('F')]).hasRecordedBefore).toBe(false)
  })

  it('total all ended calls, by tenths of their luck', () => {
    const open = call({ by: at(1_000), usd: 500 })
    const { totals } = scores([...five('Zoe'), call({ usd: 101 }), open, call({ asset: 'naka' })])
    expect(totals.map(({ asset }) => asset)).toEqual([null, 'btc', 'naka'])
    const all = totals[0]!
    expect(all).toMatchObject({ calls: 6, hits: 1 })
    expect(all.bins.reduce((sum, bin) => sum + bin.calls, 0)).toBe(6)
    expect(totalsSentence(all)).toBe('6 calls are decided. 1 came true. Luck expects 1.')
    expect(totalsSentence(totals[2]!)).toBe('No Nakamoto Games call has been decided yet.')
  })

  it('of a past day are those of that day', () => {
    const calls = [...five('Zoe'), ...five('Bob', { usd: 130 })]
    const bars = { btc: BARS.filter((one) => one.day <= at(400)) }
    const made = calls.filter((one) => one.made <= at(400))
    expect(scores(calls, { asOf: at(400) })).toEqual(scores(made, { bars, asOf: at(400) }))
  })

  it('do not change with later bars and calls', () => {
    const random = randomOf('scores')
    const bars = randomBars(random, 900)
    const of = { asOf: dayFromNumber(880), callers: 6, each: 12, since: dayFromNumber(150) }
    const calls = randomCalls(random, bars, of)
    const asOfs = fc.integer({ min: 200, max: 898 }).map(dayFromNumber)
    fc.assert(
      fc.property(asOfs, fc.constantFrom('touch', 'close'), (asOf, mode) => {
        const input = { asOf, mode, histories: 3 } as const
        const cut = bars.filter((one) => one.day <= asOf)
        const then = calls.filter(({ made }) => made <= asOf)
        const known = scores(then, { ...input, bars: { btc: cut } })
        expect(scores(calls, { ...input, bars: { btc: bars } })).toEqual(known)
      }),
      { numRuns: 15 },
    )
  })

  it('are as of the last complete day, which they name', () => {
    const moving = [...BARS, { ...bar(at(730), 200), moving: true as const }]
    const calls = [call({ by: at(900), usd: 180 }), call({ asset: 'naka' })]
    const found = scores(calls, { asOf: at(800), bars: { btc: moving } })
    expect(found.pricesThrough).toEqual({ btc: at(729), naka: null })
    expect(scoreNotes(found)).toEqual([
      'Bitcoin scores use prices up to 31/12/2023.',
      'There are no prices of Nakamoto Games by 11/03/2024.',
    ])
    expect(scoreNotes(scores([call()]))).toEqual([])
    // The last day is not over: what it has touched does not count yet.
    const [then] = scores(calls.slice(0, 1)).people
    const expected = then?.calls[0]?.expected
    expect(found.people[0]?.calls[0]).toMatchObject({ observed: 0, expected })
  })

  it('before the first call are empty, and say so', () => {
    const found = scores([call()], { asOf: at(100), histories: 5 })
    expect(found).toMatchObject({ people: [], yardsticks: [] })
    expect(scoreNotes(found)).toEqual(['No prediction had been made by 11/04/2022.'])
  })

  it('of a stock before and after it began to follow Bitcoin are numbers', () => {
    const isTraded = (one: { day: Day }) => isTradingDay('new-york', one.day)
    const bars = {
      btc: closesBy('2019-06-01', 900, (i) => 9_000 + 500 * (i % 3)),
      mstr: closesBy('2019-06-01', 900, (i) => 14 + (i % 2)).filter(isTraded),
    }
    const calls = ['2019-06-03', '2020-08-10', '2020-08-11', '2021-01-04', '2021-10-01'].map(
      (made) => call({ asset: 'mstr', made: day(made), by: addDays(day(made), 90), usd: 18 }),
    )
    const [person] = scores(calls, { bars, asOf: day('2021-11-01') }).people
    const reasons = person?.calls.map(({ noLuck }) => noLuck)
    expect(reasons).toEqual(['little-history', null, null, null, null])
    const sigmas = person?.calls.map(({ motion }) => motion?.sigma ?? 0) ?? []
    expect(sigmas[2]).toBeGreaterThanOrEqual(sigmas[1] ?? 9)
  })

  it('replay everybody, and say whether luck explains them', () => {
    const random = randomOf('replayed scores')
    const bars = randomBars(random, 1_500)
    const of = { asOf: dayFromNumber(1_499), callers: 8, each: 25, since: dayFromNumber(700) }
    const calls = randomCalls(random, bars, of)
    const input = { bars: { btc: bars }, asOf: dayFromNumber(1_499), histories: 200 }
    const found = scores(calls, input)
    expect(found.people.every(({ replayed }) => replayed !== null && replayed > 0.005)).toBe(true)
    expect(found.people.every(({ band }) => band === 'unclear')).toBe(true)
    const [all] = found.totals
    expect(all?.margin?.low).toBeLessThan(all?.expected ?? 0)
    expect(all?.margin?.high).toBeGreaterThan(all?.expected ?? 0)
    // One person who knows the future.
    const knowing = (who: string) =>
      Array.from({ length: 12 }, (_, i) => {
        const made = dayFromNumber(750 + 50 * i)
        const [now, then] = [bars[made]!.close, bars[made + 45]!.close]
        const usd = then > now ? then * 0.999 : then * 1.001
        return call({ who, made, by: addDays(made, 45), usd })
      })
    const seen = scores([...calls, ...knowing('Seer')], { ...input, histories: 400 })
    expect(seen.people[0]).toMatchObject({ name: 'Seer', band: 'above' })
    expect(seen.people.filter(({ band }) => band !== 'unclear')).toHaveLength(1)
    expect(findingSentence(seen.people)).toBe(
      'Of 9 people with five or more comparable calls, luck does not explain Seer.',
    )
  })
})

it.each<[string, (number | null)[], boolean[]]>([
  ['none is small enough', [0.2, 0.06, 0.9], [false, false, false]],
  ['one is small enough for all', [0.2, 0.03, 0.9], [false, true, false]],
  // 0.06 is above 0.1 / 3, but the second smallest may be up to 0.2 / 3.
  ['a second one brings the first along', [0.06, 0.05, 0.9], [true, true, false]],
  ['some were not tested', [null, 0.09, null], [false, true, false]],
  ['no p-value', [], []],
])('keeps what is hardly chance when %s', (_, ps, remaining) => {
  expect(trueDiscoveries(ps)).toEqual(remaining)
})

const { bars, asOf: AS_OF, histories, calls } = randomRecord('years')
const decided = calls.filter((call) => call.timeIsUp && call.luck)

/** A call that is decided, neither easy nor very bold. */
const ONE = decided.find(
  ({ luck, direction }) => direction === 'up' && luck && luck > 0.2 && luck < 0.4,
)!

describe('scores of years', () => {
  it('count the decided calls of each year in which they were due', () => {
    const years = yearScores(histories, calls, 0, 'x')
    const numbers = years.map(({ year }) => year)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a))
    expect(numbers.length).toBeGreaterThan(2)
    for (const { asset, year, ...row } of years) {
      const due = decided.filter(({ window }) => partsOf(window.to).year === year)
      expect(asset).toBe('btc')
      const hits = due.filter(({ outcome }) => outcome === 'hit').length
      expect(row).toMatchObject({ calls: due.length, hits, replayed: null })
      const expected = due.reduce((total, { luck }) => total + luck!, 0)
      expect(row.expected).toBeCloseTo(expected, 9)
    }
  })

  it('let calls about one price come true together, in the record and by luck alike', () => {
    const call = { ...ONE, outcome: 'hit', observed: 1 } as const
    const five = Array.from({ length: 5 }, () => call)
    const [year] = yearScores(histories, five, 1_000, 'x')
    const chance = call.luck ?? 0
    expect(year).toMatchObject({ calls: 5, hits: 5 })
    expect(Math.abs((year?.replayed ?? 0) - chance)).toBeLessThan(0.08)
    const none = five.map((hit) => ({ ...hit, outcome: 'miss', observed: 0 }) as const)
    expect(yearScores(histories, none, 1_000, 'x')[0]?.replayed).toBe(1)
  })

  it('have no chance below five calls, nor with too little history to draw from', () => {
    const of = (length: number) => Array.from({ length }, () => ONE)
    expect(yearScores(histories, of(4), 10, 'x')[0]?.replayed).toBeNull()
    expect(yearScores(histories, of(5), 10, 'x')[0]?.replayed).not.toBeNull()
    const short = { ...histories, mstr: priceHistory('mstr', bars.slice(0, 300), AS_OF) }
    const calledBoth = [...of(5), ...of(5).map((call) => ({ ...call, asset: 'mstr' as const }))]
    const [btc, mstr] = yearScores(short, calledBoth, 10, 'x')
    expect([btc?.asset, mstr?.asset]).toEqual(['btc', 'mstr'])
    expect(btc?.replayed).not.toBeNull()
    expect(mstr?.replayed).toBeNull()
  })

  it('leave out open calls, calls without luck, repeats, and other years', () => {
    const later = { ...ONE.window, to: addDays(ONE.window.to, 366) }
    const omitted = [{ timeIsUp: false }, { luck: null }, { repeats: 'first' }, { window: later }]
    const all = [ONE, ...omitted.map((part) => ({ ...ONE, ...part }))]
    expect(yearScores(histories, all, 0, 'x').map((year) => year.calls)).toEqual([1, 1])
  })
})

function people(predictions: readonly ScoredPrediction[]) {
  return scores(predictions).people.map(({ slug, name, calls }) => ({ slug, name, calls }))
}

describe('filtered calls', () => {
  const ANN = five('Ann', { usd: 130 })
  const ANN_AND_BOB = [...ANN, ...five('Bob', { usd: 70 })]

  it('all calls score as they do everywhere', () => {
    const predictions = [...ANN_AND_BOB, call({ who: 'Cleo' })]
    const whole = scores(predictions)
    const found = narrow(people(predictions), ALL_CALLS)
    const figuresOf = (all: typeof found.people | typeof whole.people) =>
      rounded(all.map(({ calls: _calls, replayed: _replayed, band: _band, ...figures }) => figures))
    expect(figuresOf(found.people)).toEqual(figuresOf(whole.people))
    expect(rounded(found.totals)).toEqual(rounded(whole.totals[0]))
  })

  it('leaves out people without such a call, and compares the others', () => {
    const bull = narrow(people(ANN_AND_BOB), { ...ALL_CALLS, side: 'bull' })
    expect(bull.people.map(({ name, band }) => [name, band])).toEqual([['Ann', 'untested']])
    expect(findingSentence(bull.people)).toMatch(/^1 person with .* tested over all calls only\.$/)
    expect(bull.totals.calls).toBe(5)
    const bear = narrow(people(ANN_AND_BOB), { ...ALL_CALLS, side: 'bear' })
    expect(bear.people.map(({ name }) => name)).toEqual(['Bob'])
  })

  it('a call that repeats a filtered one still counts nowhere', () => {
    const early = call({ who: 'Ann', made: at(100), by: at(500) })
    const late = call({ who: 'Ann', made: at(480), by: at(560) })
    const since = { ...ALL_CALLS, fromYear: 2023 }
    const { people: found, totals } = narrow(people([early, late]), since)
    expect(found[0]?.calls.map(({ repeats }) => repeats)).toEqual([early.id])
    expect([found[0]?.timeIsUp.n, totals.calls]).toEqual([0, 0])
  })

  it.each<[Partial<CallFilter>, number]>([
    [{ asset: 'btc' }, 1],
    [{ asset: 'mstr' }, 0],
    [{ recorded: 'after' }, 1],
    [{ recorded: 'before' }, 0],
    [{ fromYear: 1999 }, 1],
    [{ fromYear: 2099 }, 0],
    [{ toYear: 1999 }, 0],
  ])('%j finds %i people', (input, count) => {
    expect(narrow(people(ANN), { ...ALL_CALLS, ...input }).people).toHaveLength(count)
  })
})
