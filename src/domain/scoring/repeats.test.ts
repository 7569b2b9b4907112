import { describe, expect, it } from 'vitest'
import { addDays, day } from '#domain/day.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { atLeast, bar, quiet, range, target } from '#tests/support/builders.ts'
import {
  repeatsOf,
  type StatedCall,
  reachedAfterIn,
  revisionChains,
  type ReachedAfter,
  type RevisedCall,
} from './repeats.ts'

const START = day('2024-01-01')

/** A call for a level of $100,000 on the first day, until a year later; spread .6. */
let count = 0
function call(usd = 100_000, made = 0, overrides: Partial<StatedCall> = {}): StatedCall {
  count += 1
  return {
    id: `call-${String(count)}`,
    asset: 'btc',
    direction: 'up',
    window: { from: addDays(START, made + 1), to: addDays(START, 365) },
    logLevel: Math.log(usd),
    spread: 0.6,
    ...overrides,
  }
}

const within = (from: number, to: number): StatedCall =>
  call(100_000, 1, { window: { from: addDays(START, from), to: addDays(START, to) } })
const without = (usd: number, made: number): StatedCall => call(usd, made, { spread: null })

it.each<[string, StatedCall[], number[]]>([
  ['the same level again', [call(), call(100_000, 100)], [0, 0]],
  ['a level nearer than half of the spread', [call(), call(134_900, 10)], [0, 0]],
  ['a level farther than that', [call(), call(135_100, 10)], [0, 1]],
  ['the smaller spread of both counts', [call(), call(134_900, 10, { spread: 0.5 })], [0, 1]],
  ['another side', [call(), call(100_000, 10, { direction: 'never-above' })], [0, 1]],
  ['neither side', [call(), call(100_000, 10, { direction: 'inside' })], [0, 1]],
  ['the same side in other words', [call(), call(100_000, 10, { direction: 'above' })], [0, 0]],
  ['another asset', [call(), call(100_000, 10, { asset: 'mstr' })], [0, 1]],
  ['a window after the first one', [call(), within(401, 500)], [0, 1]],
  ['a window that begins on the last day of the first one', [call(), within(365, 500)], [0, 0]],
  ['a window that ends on the first day of the first one', [call(), within(-100, 1)], [0, 0]],
  ['small steps, not one statement', [call(), call(130_000, 10), call(160_000, 20)], [0, 0, 2]],
  ['without a spread only the same level', [1, 1, 1.01].map(without), [0, 0, 2]],
])('repeats are found: %s', (_, calls, firsts) => {
  const repeats = repeatsOf(calls)
  const found = calls.map(({ id }) => calls.findIndex((one) => one.id === (repeats.get(id) ?? id)))
  expect(found).toEqual(firsts)
})

type Touch = RevisedCall['verdicts']['touch']
type Overrides = Partial<Omit<RevisedCall, 'verdicts'>> & { readonly touch?: Partial<Touch> }

/** A call of one person for Bitcoin at $250,000 that was missed. */
function revision(made: string, by: string, { touch, ...rest }: Overrides = {}): RevisedCall {
  return {
    id: made,
    asset: 'btc',
    claim: target(250_000),
    made: day(made),
    by: day(by),
    deadlineAssumed: false,
    expert: { id: 1 },
    verdicts: { touch: { outcome: 'miss', direction: 'up', day: null, ...touch } },
    ...rest,
  }
}

const never: ReachedAfter = () => null

/** Chains as the days their calls were made, with links between: `2020-01-01 ~ 2022-06-01`; `=` where confirmed. */
function chains(
  calls: readonly RevisedCall[],
  decisions: Parameters<typeof revisionChains>[1] = [],
  reachedAfter = never,
): string[] {
  return revisionChains(calls, decisions, reachedAfter).map(({ calls: all, links }) =>
    all
      .map(({ id }, i) => (i === 0 ? id : `${links[i - 1] === 'confirmed' ? '=' : '~'} ${id}`))
      .join(' '),
  )
}

const FIRST = revision('2020-01-01', '2022-12-31')
/** Said again in June 2022, due a year later. */
const again = (overrides: Overrides = {}) => revision('2022-06-01', '2023-06-30', overrides)
const SECOND = again()
const THIRD = revision('2023-09-01', '2025-12-31', { touch: { outcome: 'pending' } })

it('a level repeated with a later deadline is a revision, however often', () => {
  const chain = { calls: [FIRST, SECOND, THIRD], links: ['suggested', 'suggested'], days: 1_096 }
  expect(revisionChains([THIRD, FIRST, SECOND], [], never)).toEqual([chain])
})

it.each<[string, RevisedCall]>([
  ['a level 5% higher', again({ claim: target(263_000) })],
  ['a level 5% lower', again({ claim: target(237_500) })],
  ['a range that begins at the level', again({ claim: range(250_000, 400_000) })],
  ['a level to be above', again({ claim: atLeast(250_000) })],
  ['a level said again 365 days after the deadline', revision('2023-12-31', '2024-06-30')],
])('%s is of the same thesis', (_, call) => {
  expect(chains([FIRST, call])).toEqual([`${FIRST.id} ~ ${call.id}`])
})

it.each<[string, RevisedCall]>([
  ['a level more than 5% higher', again({ claim: target(264_000) })],
  ['a level more than 5% lower', again({ claim: target(237_000) })],
  ['a range that ends at the level', again({ claim: range(200_000, 250_000) })],
  ['another person', again({ expert: { id: 2 } })],
  ['another asset', again({ asset: 'mstr' })],
  ['the other side', again({ touch: { direction: 'down' } })],
  ['an earlier deadline', revision('2022-06-01', '2022-11-30')],
  ['the same deadline', revision('2022-06-01', '2022-12-31')],
  ['the same day', revision('2020-01-01', '2023-06-30', { id: 'again' })],
  ['a deadline that the person did not name', again({ deadlineAssumed: true })],
  ['a void call', again({ touch: { outcome: 'void' } })],
  ['a level said again later than a year after its deadline', revision('2024-01-01', '2024-06-30')],
])('%s is no revision', (_, call) => {
  expect(chains([FIRST, call])).toEqual([])
})

it('a call below the price is compared by the upper edge of a range, which is reached first', () => {
  const touch = { direction: 'down' } as const
  const low = revision('2020-01-01', '2022-12-31', { touch, claim: target(10_000) })
  expect(chains([low, again({ touch, claim: range(8_000, 10_000) })])).toHaveLength(1)
  expect(chains([low, again({ touch, claim: range(10_000, 12_000) })])).toEqual([])
})

it.each<Direction>(['never-above', 'never-below', 'inside'])(
  'a statement that a price is %s has no deadline to move',
  (direction) => {
    const touch = { direction }
    const first = revision('2020-01-01', '2022-12-31', { touch })
    expect(chains([first, again({ touch })])).toEqual([])
  },
)

describe('a level that was reached', () => {
  it.each([
    ['2021-03-01', 0],
    ['2022-06-01', 0],
    ['2022-06-02', 1],
  ])('on %s and repeated on 2022-06-01 gives %i chains', (decided, n) => {
    const touch = { outcome: 'hit', day: day(decided) } as const
    const hit = revision('2020-01-01', '2022-12-31', { touch })
    expect(chains([hit, SECOND])).toHaveLength(n)
  })

  it('by hand, without a day, was reached by its deadline', () => {
    const hit = revision('2020-01-01', '2022-12-31', { touch: { outcome: 'hit' } })
    expect(chains([hit, revision('2023-01-01', '2023-06-30')])).toEqual([])
    expect(chains([hit, SECOND])).toHaveLength(1)
  })

  it.each([
    ['up', '2023-01-15', '100..260000>150000', 0],
    ['up', '2023-03-15', '100..260000>150000', 1],
    ['up', '2023-01-15', '100..240000>150000', 1],
    // Up to the deadline, the verdict says whether the level was reached.
    ['up', '2022-12-31', '100..260000>150000', 1],
    ['down', '2023-01-15', '240000..400000>300000', 0],
    ['down', '2023-01-15', '260000..400000>300000', 1],
  ] as const)(
    'late, %s on %s at %s, before it was repeated gives %i chains',
    (direction, on, price, n) => {
      const rest = direction === 'up' ? '95..105>100' : '400000..400000>400000'
      const bars = quiet('2022-12-01', '2023-04-30', rest)
      const late = bar(on, price)
      const series = seriesOf('every-day', bars.with(late.day - bars[0]!.day, late))
      const calls = [
        revision('2020-01-01', '2022-12-31', { touch: { direction } }),
        revision('2023-03-01', '2023-12-31', { touch: { direction } }),
      ]
      const reached = reachedAfterIn(() => series)
      expect(chains(calls, [], reached)).toHaveLength(n)
    },
  )

  it('is not known without prices', () => {
    expect(reachedAfterIn(() => null)(FIRST)).toBeNull()
  })
})

it('each call follows one call and is followed by one: the last available one', () => {
  const early = revision('2020-01-01', '2021-12-31')
  const late = revision('2020-06-01', '2021-06-30')
  const first = revision('2021-03-01', '2022-12-31')
  const second = revision('2021-04-01', '2022-06-30')
  expect(chains([early, late, first, second])).toEqual([
    `${late.id} ~ ${first.id}`,
    `${early.id} ~ ${second.id}`,
  ])
})

it('the longest delay comes first', () => {
  const claim = target(100_000)
  const near = revision('2020-01-01', '2020-12-31', { id: 'near', claim })
  const soon = revision('2020-06-01', '2021-01-31', { id: 'soon', claim })
  const found = chains([near, soon, FIRST, SECOND])
  expect(found).toEqual([`${FIRST.id} ~ ${SECOND.id}`, 'near ~ soon'])
})

describe('decisions of administrators', () => {
  const decided = (state: 'confirmed' | 'cut', earlier: RevisedCall, later: RevisedCall) => {
    return { earlier: earlier.id, later: later.id, state }
  }
  const between = revision('2023-01-01', '2023-12-31')
  const confirmed = decided('confirmed', FIRST, THIRD)

  it('marks confirmed links and suggests the others', () => {
    const found = chains([FIRST, SECOND, THIRD], [decided('confirmed', FIRST, SECOND)])
    expect(found).toEqual([`${FIRST.id} = ${SECOND.id} ~ ${THIRD.id}`])
  })

  it('a confirmed link survives a call in between, which then has no predecessor', () => {
    expect(chains([FIRST, between, THIRD], [confirmed])).toEqual([`${FIRST.id} = ${THIRD.id}`])
  })

  it('does not suggest a cut link again, but possibly another predecessor', () => {
    const cut = decided('cut', SECOND, THIRD)
    expect(chains([FIRST, SECOND, THIRD], [cut])).toEqual([`${FIRST.id} ~ ${SECOND.id}`])
    const both = [cut, decided('cut', FIRST, SECOND)]
    expect(chains([FIRST, SECOND, THIRD], both)).toEqual([`${FIRST.id} ~ ${THIRD.id}`])
  })

  it('a confirmed link ends when the calls no longer allow it, and of two the later pair gives way', () => {
    const edited = revision('2023-09-01', '2025-12-31', { claim: target(400_000) })
    expect(chains([FIRST, edited], [confirmed])).toEqual([])
    const two = chains([FIRST, between, THIRD], [confirmed, decided('confirmed', FIRST, between)])
    expect(two).toEqual([`${FIRST.id} = ${between.id} ~ ${THIRD.id}`])
  })
})
