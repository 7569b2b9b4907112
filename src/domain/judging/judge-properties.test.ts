import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DIRECTIONS, levelsOf, makeClaim, scaleClaim, timingsOf } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { addDays, day, isoDay } from '#domain/day.ts'
import { atLeast, bar, bottom, range, target, top } from '#tests/support/builders.ts'
import { rounds } from '#tests/support/deep.ts'
import { naiveJudge } from '#tests/support/naive-judge.ts'
import { type AgreedBar, splitFactor } from './bar.ts'
import { type Calendar, isTradingDay } from './calendar.ts'
import { dependsOn, judge } from './judge.ts'
import { seriesOf } from './series.ts'
import { JUDGE_MODES, type Verdict } from './verdict.ts'

const LATER = day('2026-11-20')

function summaryOf(verdict: Verdict): string {
  const on = verdict.day === null ? '-' : isoDay(verdict.day)
  return `${verdict.outcome} ${verdict.reason} ${on}`
}

const START = day('2024-01-01')

/** Whole dollars, so that levels and prices often meet exactly. */
const price = fc.integer({ min: 1, max: 60 })
const someBar = fc.tuple(price, price, price, fc.boolean()).map(([a, b, c, full]) => {
  const [low = 0, close = 0, high = 0] = [a, b, c].toSorted((x, y) => x - y)
  return full ? `${String(low)}..${String(high)}>${String(close)}` : close
})
const bareClaim = fc.oneof(
  ...[target, top, bottom, atLeast].map((of) => price.map(of)),
  fc.tuple(price, price).map(([a, b]) => range(Math.min(a, b), Math.max(a, b) + 1)),
)
const someClaim = fc
  .tuple(bareClaim, fc.nat(2), fc.constantFrom(undefined, undefined, ...DIRECTIONS))
  .map(([claim, nth, direction]) => {
    const timing = timingsOf(claim.type)[nth]
    const terms = { ...(timing && { timing }), ...(direction && { direction }) }
    return makeClaim(claim.type, levelsOf(claim), terms)
  })
const someStatement = fc
  .record({
    claim: someClaim,
    made: fc.integer({ min: -5, max: 50 }),
    wait: fc.option(fc.integer({ min: -3, max: 20 })),
    length: fc.integer({ min: 1, max: 50 }),
  })
  .map(({ claim, made, wait, length }): Statement => {
    const madeOn = addDays(START, made)
    const from = wait === null ? null : addDays(madeOn, wait)
    const by = addDays(madeOn, length + Math.max(0, wait ?? 0))
    return { asset: 'btc', claim, made: madeOn, from, by }
  })
const someSeries = fc.record({
  calendar: fc.constantFrom<Calendar[]>('every-day', 'new-york'),
  bars: fc
    .array(fc.tuple(someBar, fc.integer({ min: 0, max: 19 })), { maxLength: 60 })
    .map((rows) =>
      rows
        // One bar in twenty is missing.
        .flatMap(([text, drop], i) => (drop === 0 ? [] : [bar(addDays(START, i), text)])),
    ),
})

/** From before the first bar to long after the last; a day may have prices before it is over. */
const someToday = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: -10, max: 60 }).map((days) => addDays(START, days)) },
  { weight: 1, arbitrary: fc.constant(LATER) },
)

function trading(calendar: Calendar, bars: readonly AgreedBar[]): AgreedBar[] {
  return bars.filter((one) => isTradingDay(calendar, one.day))
}

it('judging agrees with a plain scan of every bar', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      someSeries,
      someStatement,
      fc.constantFrom(...JUDGE_MODES),
      someToday,
      (series, stated, mode, today) => {
        const bars = trading(series.calendar, series.bars)
        const found = judge(seriesOf(series.calendar, bars), stated, mode, today)
        expect(found).toMatchObject(naiveJudge(series.calendar, bars, stated, mode, today))
        seen.add(found.reason)
      },
    ),
    { numRuns: rounds(500, 5_000) },
  )
  // The reasons of pending verdicts are compared only when they come up, as they do in dozens of these runs.
  expect([...seen]).toEqual(expect.arrayContaining(['awaiting-prices', 'not-started', 'open']))
})

it('judging never changes a decided verdict when later bars arrive', () => {
  fc.assert(
    fc.property(someSeries, someStatement, fc.nat(60), (series, stated, cut) => {
      const bars = trading(series.calendar, series.bars)
      const early = judge(seriesOf(series.calendar, bars.slice(0, cut)), stated, 'touch', LATER)
      fc.pre(early.outcome !== 'pending')
      expect(judge(seriesOf(series.calendar, bars), stated, 'touch', LATER)).toEqual(early)
    }),
    { numRuns: rounds(300, 5_000) },
  )
})

it('judging never changes a decided outcome when missing bars are filled in', () => {
  fc.assert(
    fc.property(
      someSeries,
      someStatement,
      fc.constantFrom(...JUDGE_MODES),
      (bars, stated, mode) => {
        const before = judge(seriesOf('every-day', bars.bars), stated, mode, LATER)
        fc.pre(before.outcome !== 'pending' && before.reference !== null)
        const known = new Map(bars.bars.map((one) => [one.day, one]))
        const first = bars.bars[0]?.day ?? START
        const last = bars.bars.at(-1)?.day ?? START
        const filled = Array.from({ length: last - first + 1 }, (_, i) => {
          const at = addDays(first, i)
          return known.get(at) ?? bar(at, 1 + ((i * 7) % 60))
        })
        const after = judge(seriesOf('every-day', filled), stated, mode, LATER)
        expect(after.outcome).toBe(before.outcome)
      },
    ),
    { numRuns: rounds(500, 5_000) },
  )
})

it('judging gives the same verdict before and after a split', () => {
  fc.assert(
    fc.property(someSeries, someStatement, fc.constantFrom(2, 4, 10), (series, stated, ratio) => {
      const bars = series.bars
      const unsplit = judge(seriesOf('every-day', bars), stated, 'touch', LATER)
      const actions = [{ asset: stated.asset, day: addDays(stated.made, 1), ratio }]
      const factor = splitFactor(stated.asset, stated.made, actions)
      expect(factor).toBe(ratio)
      const after = bars.map((one) => divided(one, ratio))
      const restated = { ...stated, claim: scaleClaim(stated.claim, 1 / factor) }
      const split = judge(seriesOf('every-day', after), restated, 'touch', LATER)
      expect(summaryOf(split)).toBe(summaryOf(unsplit))
    }),
    { numRuns: rounds(200, 5_000) },
  )
})

it('judging depends on no bar outside its declared range', () => {
  fc.assert(
    fc.property(someSeries, someStatement, fc.nat(59), someBar, (bars, stated, index, text) => {
      const at = addDays(START, index)
      const before = judge(seriesOf('every-day', bars.bars), stated, 'touch', LATER)
      const changed = [...bars.bars.filter((one) => one.day !== at), bar(at, text)]
      const after = judge(seriesOf('every-day', changed), stated, 'touch', LATER)
      const isSame = summaryOf(before) === summaryOf(after)
      expect(isSame || dependsOn(before, stated, at, at)).toBe(true)
    }),
    { numRuns: rounds(300, 5_000) },
  )
})

function divided(one: AgreedBar, ratio: number): AgreedBar {
  const by = (usd: number | null): number | null =>
    usd === null ? null : Number((usd / ratio).toPrecision(12))
  const { open, high, low, close } = one
  return { ...one, open: by(open), high: by(high), low: by(low), close: by(close)! }
}
