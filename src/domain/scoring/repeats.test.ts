import { describe, expect, it } from 'vitest'
import { addDays, day } from '#domain/day.ts'
import { repeatsOf, sideOf, type StatedCall } from './repeats.ts'

const START = day('2024-01-01')

/** A call for a level of $100,000 on the first day, until a year later; spread .6. */
let count = 0
function call(usd = 100_000, made = 0, given: Partial<StatedCall> = {}): StatedCall {
  count += 1
  return {
    id: `call-${String(count)}`,
    asset: 'btc',
    direction: 'up',
    made: addDays(START, made),
    window: { from: addDays(START, made + 1), to: addDays(START, 365) },
    logLevel: Math.log(usd),
    spread: 0.6,
    ...given,
  }
}

describe('what is said again', () => {
  it.each<[string, StatedCall[], number[]]>([
    ['the same level again', [call(), call(100_000, 100)], [0, 0]],
    ['a level nearer than half of the spread', [call(), call(134_900, 10)], [0, 0]],
    ['a level farther than that', [call(), call(135_100, 10)], [0, 1]],
    ['the smaller spread of both counts', [call(), call(134_900, 10, { spread: 0.5 })], [0, 1]],
    ['another side', [call(), call(100_000, 10, { direction: 'never-above' })], [0, 1]],
    ['neither side', [call(), call(100_000, 10, { direction: 'inside' })], [0, 1]],
    ['the same side in other words', [call(), call(100_000, 10, { direction: 'above' })], [0, 0]],
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
    ).map(([from, to]): [string, StatedCall[], number[]] => [
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
      [0, 0, 2],
    ],
    [
      'without a spread only the very same level',
      [call(1, 0, { spread: null }), call(1, 1, { spread: null }), call(1.01, 2, { spread: null })],
      [0, 0, 2],
    ],
  ])('%s', (_, calls, firsts) => {
    const repeats = repeatsOf(calls)
    const found = calls.map(({ id }) =>
      calls.findIndex((one) => one.id === (repeats.get(id) ?? id)),
    )
    expect(found).toEqual(firsts)
  })
})

it.each([
  ['up', 'bull'],
  ['above', 'bull'],
  ['never-below', 'bull'],
  ['down', 'bear'],
  ['below', 'bear'],
  ['never-above', 'bear'],
  ['inside', null],
  ['stays', null],
] as const)('a call whose price has to go %s is for a %s', (direction, side) => {
  expect(sideOf({ direction })).toBe(side)
})
