import { describe, expect, it } from 'vitest'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import { atLeast, bar, bottom, range, target, top } from '#tests/support/builders.ts'
import { closes, marksOf, predicted, TODAY } from '#tests/support/charts.ts'
import { makeMarks, shortName, stacked, type Mark, factsOf, spokenMark } from './marks.ts'
import { medianTarget } from './open-targets.ts'

/** Said on the 1st at 100, followed by these closes from the 2nd to the 10th. */
const BARS = closes('2024-01-01', 100, 105, 110, 120, 115, 112, 108, 104, 98, 99)

const marksFor = (claim: Claim, overrides: Partial<Prediction> = {}) =>
  marksOf([predicted(claim, BARS, overrides)])
/** Such as `range hit 02-10 110..130 sign`: kind, outcome, days of January 2024, prices. */
const summaryOf = ({ kind, outcome, days, prices, sign }: Mark) => {
  const on = days.map((at) => isoDay(at as Day).replace('2024-01-', ''))
  const spans = [[...new Set(on)].join('-'), [...new Set(prices)].join('..')]
  return [kind, outcome, ...spans, ...(sign ? ['sign'] : [])].join(' ')
}

describe('marks of a claim', () => {
  const END = { timing: 'at_end' } as const
  const ALL = { timing: 'throughout' } as const
  it.each<[string, Claim, string]>([
    ['target that came true', target(118), 'target hit 10 118, success hit 04 118 sign'],
    ['target that failed', target(150), 'target miss 10 150 sign'],
    ['range from below', range(110, 130), 'range hit 02-10 110..130, success hit 03 110 sign'],
    ['range from above', range(90, 99), 'range hit 02-10 90..99, success hit 09 99 sign'],
    ['range kept to the end', range(90, 110), 'range hit 02-10 90..110, success hit 10 99 sign'],
    ['minimum by a date', atLeast(115), 'by-date hit 02-10 115, success hit 04 115 sign'],
    ['top that held', top(130), 'top hit 02-10 130, success hit 10 130 sign'],
    ['top that broke', top(112), 'top miss 02-10 112, break miss 04 112 sign'],
    ['bottom that broke', bottom(99), 'bottom miss 02-10 99, break miss 09 99 sign'],
    ['minimum at the end', { ...atLeast(98), ...END }, 'target hit 10 98, success hit 10 99 sign'],
    ['minimum missed at the end', { ...atLeast(115), ...END }, 'target miss 10 115 sign'],
    ['range at the end', { ...range(110, 130), ...END }, 'range miss 10 110..130 sign'],
    [
      'range all the time',
      { ...range(90, 118), ...ALL },
      'range miss 02-10 90..118, break miss 04 118 sign',
    ],
    ['void prediction', target(100), 'target void 10 100 sign'],
  ])('of a %s are, for %j: %s', (_name, claim, expected) => {
    expect(marksFor(claim).map(summaryOf).join(', ')).toBe(expected)
  })

  it('has exactly one sign for every claim', () => {
    for (const type of ['target', 'top', 'bottom'] as const) {
      for (const usd of [-5, 99, 100, 112, 500]) {
        expect(marksFor({ type, usd }).filter(({ sign }) => sign)).toHaveLength(1)
      }
    }
  })

  it('names and dates its success', () => {
    const texts = marksFor(target(118))[1]?.texts
    expect(texts).toEqual(['Expert A $118, 04/01/2024', '$118, Jan 2024'])
  })

  it('says how many days ahead it was made, if more than thirty', () => {
    const early = { made: day('2023-11-30'), from: day('2024-01-02') }
    const ahead = marksFor(target(150), early).find(({ kind }) => kind === 'ahead')
    expect(ahead?.texts).toEqual(['33 days ahead'])
    const late = { made: day('2023-12-03'), from: day('2024-01-02') }
    expect(marksFor(target(150), late)).toHaveLength(1)
  })

  it('is at the end of a named month or year', () => {
    const [mark] = marksFor(target(150), { byPrecision: 'year' })
    expect(mark && summaryOf(mark)).toContain('2024-12-31')
    const [assumed] = marksFor(target(150), { byPrecision: 'year', deadlineAssumed: true })
    expect(assumed && summaryOf(assumed)).toContain(' 10 ')
  })

  it('is drawn at the display level set by an administrator', () => {
    expect(marksFor(target(1_000), { chartValue: -1_000 })[0]?.prices).toEqual([-1_000, -1_000])
  })

  it('follows the judging mode: wicks count in touch mode only', () => {
    const prediction = predicted(target(170), BARS.with(4, bar('2024-01-05', '110..180>115')))
    const outcomes = (['touch', 'close'] as const).map((mode) => marksOf([prediction], mode)[0])
    expect(outcomes).toMatchObject([{ outcome: 'hit' }, { outcome: 'miss' }])
  })

  it.each<[Claim, string | undefined]>([
    [{ type: 'top', usd: 130, timing: 'at_end' }, '≤ $130'],
    [{ type: 'bottom', usd: 90, timing: 'at_end' }, '≥ $90'],
    [{ type: 'by-date', usd: 90, timing: 'throughout' }, 'bottom $90'],
  ])('a mark of %j is named %s', (claim, label) => {
    expect(marksFor(claim)[0]?.texts.at(-1)).toBe(label)
    expect(marksFor(claim)[0]?.tail).toBeNull()
  })

  it('extends tops to two years from now', () => {
    expect(marksFor(top(130))[0]?.tail).toBe(TODAY + 730)
  })
})

it('stacks a sign with another one close to it on any side', () => {
  const mark = marksFor(target(150))[0]!
  const steps = [-6, 0, 6]
  for (const [dx, dy] of steps.flatMap((x) => steps.map((y) => [x, y] as const))) {
    const signs = [0, 1].map((i) => ({ mark, signX: 105 + i * dx, signY: 105 + i * dy }))
    expect(stacked(signs, 10)).toEqual([signs])
  }
})

it('skips invalid points with a reason', () => {
  const bad = (id: string, claim: Claim, overrides: Partial<Prediction> = {}) =>
    predicted(claim, BARS, { id, ...overrides })
  const all = [
    bad('nan', target(NaN)),
    bad('upside-down', range(9, 5)),
    bad('zero', atLeast(0)),
    bad('backwards', top(5), { by: day('2023-01-01') }),
    bad('hidden', top(5), { excludeFromChart: true }),
  ]
  const { marks, skipped } = makeMarks(all, 'touch', TODAY)
  expect(marks).toEqual([])
  expect(skipped.map(({ id }) => id)).toEqual(['nan', 'upside-down', 'zero', 'backwards'])
})

it('averages pending targets due within the time frame', () => {
  const pending = (claim: Claim, by: string) =>
    predicted(claim, [], { made: day('2026-01-01'), by: day(by) })
  const drawn = [
    pending(target(100_000), '2027-06-30'),
    pending(range(200_000, 400_000), '2028-06-30'),
    pending(top(9_000_000), '2027-06-30'),
    pending(target(7_000_000), '2045-12-31'),
  ]
  const near = { usd: 100_000, count: 1, label: 'median target $100k' }
  expect(medianTarget(drawn, 'touch', '1Y', TODAY)).toMatchObject(near)
  expect(medianTarget(drawn, 'touch', '2Y', TODAY)).toMatchObject({ usd: 200_000, count: 2 })
  expect(medianTarget(drawn, 'touch', 'ALL', TODAY)).toMatchObject({ usd: 200_000, count: 2 })
  expect(medianTarget([], 'touch', 'ALL', TODAY)).toBeNull()
})

it.each([
  ['Tom Lee', 'Tom Lee'],
  ['Geoff Kendrick', 'G. Kendrick'],
  ['Standard Chartered', 'S. Chartered'],
  ['George Featherston', 'G. Featherston'],
  ['Mohamed Abdul-Rahman-Said', 'M. Abdul-Ra…'],
  ['Ω'.repeat(30), `${'Ω'.repeat(11)}…`],
  ['👩‍👩‍👧'.repeat(12), '👩‍👩‍👧'.repeat(12)],
])('shortens the name %s to %s', (name, expected) => {
  expect(shortName(name)).toBe(expected)
})

it('shows a split-adjusted level to the cent, like the cards', () => {
  const split = { asset: 'mstr', statedClaim: target(1_875), splitFactor: 10 } as const
  const stock = predicted(target(187.5), [], split)
  const levelNote = 'said $1,875 = $187.50 today'
  expect(factsOf(stock, 'touch')).toMatchObject({ type: 'Target', level: '$187.50', levelNote })
  expect(spokenMark(stock, 'target', [0, 0], 'touch')).toContain('target $187.50')
})

it.each([
  [top(150_000), 'Top', 'Never above $150,000'],
  [bottom(50_000), 'Bottom', 'Never below $50,000'],
  [atLeast(25_000), 'Price by', 'Above $25,000'],
  [range(80_000, 120_000), 'Range', '$80,000 – $120,000'],
] as const)('a mark has one wording for %o', (claim, type, level) => {
  expect(factsOf(predicted(claim), 'touch')).toMatchObject({ type, level })
})

it('calls an unnamed expert Unknown Expert in tooltip and label', () => {
  const expert = { id: 1, name: ' ', slug: 'nameless', handle: null }
  const nameless = predicted(target(5), [], { expert })
  expect(factsOf(nameless, 'touch').name).toBe('Unknown Expert')
  expect(marksOf([nameless])[0]?.texts[0]).toBe('Unknown Expert $5')
})
