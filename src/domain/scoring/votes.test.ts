import { describe, expect, it } from 'vitest'
import { addDays, day } from '#domain/day.ts'
import { groupRepeated, votesOf, type VotedCall } from './votes.ts'

const START = day('2024-01-01')

/** A call for a level of $100,000 on the first day, until a year later; spread .6. */
function call(usd = 100_000, made = 0, given: Partial<VotedCall> = {}): VotedCall {
  return {
    asset: 'btc',
    direction: 'up',
    made: addDays(START, made),
    window: { from: addDays(START, made + 1), to: addDays(START, 365) },
    logLevel: Math.log(usd),
    spread: 0.6,
    ...given,
  }
}

describe('one vote', () => {
  it.each<[string, VotedCall[], number[]]>([
    ['the same level again', [call(), call(100_000, 100)], [0, 0]],
    ['a level nearer than half of the spread', [call(), call(134_900, 10)], [0, 0]],
    ['a level farther than that', [call(), call(135_100, 10)], [0, 1]],
    ['the smaller spread of both counts', [call(), call(134_900, 10, { spread: 0.5 })], [0, 1]],
    ['another side', [call(), call(100_000, 10, { direction: 'never-above' })], [0, 1]],
    ['another asset', [call(), call(100_000, 10, { asset: 'mstr' })], [0, 1]],
    [
      'a window after the first one',
      [
        call(),
        call(100_000, 400, { window: { from: addDays(START, 401), to: addDays(START, 500) } }),
      ],
      [0, 1],
    ],
    ...(
      [
        [365, 500],
        [-100, 1],
      ] as const
    ).map(([from, to]): [string, VotedCall[], number[]] => [
      `a window from day ${String(from)} to ${String(to)}, which shares one day with the first one`,
      [
        call(),
        call(100_000, 1, { window: { from: addDays(START, from), to: addDays(START, to) } }),
      ],
      [0, 0],
    ]),
    [
      'small steps are not one statement',
      [call(), call(130_000, 10), call(160_000, 20)],
      [0, 0, 1],
    ],
    ['a call given before the one that it repeats', [call(100_000, 50), call(100_000, 0)], [0, 0]],
    [
      'without a spread only the very same level',
      [call(1, 0, { spread: null }), call(1, 1, { spread: null }), call(1.01, 2, { spread: null })],
      [0, 0, 1],
    ],
  ])('%s', (_, calls, groups) => {
    expect(groupRepeated(calls)).toEqual(groups)
  })

  it('is shared evenly', () => {
    expect(votesOf([0, 1, 0, 0])).toEqual([1 / 3, 1, 1 / 3, 1 / 3])
    expect(votesOf([])).toEqual([])
  })
})
