import { type Direction } from '#domain/judging/verdict.ts'
import { randomOf } from './random.ts'
import { describe, expect, it } from 'vitest'
import { loudestConsensus, type SharedCall } from './consensus.ts'

type Given = readonly [who: string, usd: number, direction?: Direction, isMinimum?: boolean]

function calls(...given: readonly Given[]): SharedCall[] {
  return given.map(([slug, usd, direction = 'up', isMinimum = false]) => ({
    slug,
    direction,
    isMinimum,
    level: { min: usd, max: usd },
  }))
}

function found(...given: readonly Given[]): string | null {
  const loudest = loudestConsensus(calls(...given))
  if (!loudest) return null
  const { direction, low, high, people, calls: of } = loudest
  return `${direction} ${String(low)}–${String(high)}: ${String(people)} people, ${String(of.length)} calls`
}

describe('the loudest consensus', () => {
  it.each<[string, string | null, readonly Given[]]>([
    ['of no call', null, []],
    [
      'of two people is none',
      null,
      [
        ['a', 100],
        ['b', 100],
        ['a', 101],
      ],
    ],
    [
      'counts people, not how often they say it',
      'up 200–200: 3 people, 3 calls',
      [
        ['a', 100],
        ['a', 100],
        ['a', 101],
        ['b', 102],
        ['a', 103],
        ['a', 200],
        ['b', 200],
        ['c', 200],
      ],
    ],
    [
      'of as many people is that of more calls',
      'up 200–200: 3 people, 4 calls',
      [
        ['a', 100],
        ['b', 100],
        ['c', 100],
        ['a', 200],
        ['b', 200],
        ['c', 200],
        ['c', 200],
      ],
    ],
    [
      'of equal ones is the lower level',
      'up 100–100: 3 people, 3 calls',
      [
        ['a', 200],
        ['b', 200],
        ['c', 200],
        ['a', 100],
        ['b', 100],
        ['c', 100],
      ],
    ],
    [
      'holds levels up to 10 % from one of them',
      'up 91–110: 3 people, 3 calls',
      [
        ['a', 100],
        ['b', 110],
        ['c', 91],
        ['d', 121.2],
      ],
    ],
    [
      'does not hold levels that are farther away',
      null,
      [
        ['a', 100],
        ['b', 111],
        ['c', 90],
      ],
    ],
    [
      'is in one direction',
      null,
      [
        ['a', 100],
        ['b', 100, 'down'],
        ['c', 100, 'never-above'],
      ],
    ],
    [
      'downwards',
      'down 50–52: 3 people, 3 calls',
      [
        ['a', 50, 'down'],
        ['b', 52, 'down'],
        ['c', 51, 'down'],
      ],
    ],
    [
      'counts a minimum that was met when it was said',
      'up 100–100: 3 people, 3 calls',
      [
        ['a', 100],
        ['b', 100, 'inside', true],
        ['c', 100],
      ],
    ],
    [
      'leaves out ranges with the price inside',
      null,
      [
        ['a', 100],
        ['b', 100, 'inside'],
        ['c', 100],
      ],
    ],
  ])('the loudest consensus %s', (_, expected, given) => {
    expect(found(...given)).toBe(expected)
  })

  it('the loudest consensus counts the end of a range that the price meets first', () => {
    const range = (slug: string, direction: Direction): SharedCall => ({
      slug,
      direction,
      isMinimum: false,
      level: { min: 100, max: 200 },
    })
    const up = loudestConsensus([...calls(['a', 100], ['b', 101]), range('c', 'up')])
    expect([up?.low, up?.high]).toEqual([100, 101])
    const down = loudestConsensus([
      ...calls(['a', 200, 'down'], ['b', 201, 'down']),
      range('c', 'down'),
    ])
    expect([down?.low, down?.high]).toEqual([200, 201])
  })

  it('the loudest consensus is the one that looking around every call finds', () => {
    const random = randomOf('consensus')
    for (let round = 0; round < 200; round += 1) {
      const given = calls(
        ...Array.from({ length: 40 }, (): Given => {
          const who = String.fromCharCode(97 + Math.floor(random() * 12))
          return [who, Math.round(50 * Math.exp(random() * 2))]
        }),
      )
      const around = given.map(({ level: { min: middle } }) => {
        const near = given.filter(
          ({ level: { min } }) => min <= middle * 1.1 && min * 1.1 >= middle,
        )
        return { people: new Set(near.map(({ slug }) => slug)).size, calls: near.length }
      })
      const most = Math.max(...around.map(({ people }) => people))
      const loudest = Math.max(
        ...around.filter(({ people }) => people === most).map((one) => one.calls),
      )
      const consensus = loudestConsensus(given)
      expect([consensus?.people, consensus?.calls.length]).toEqual([most, loudest])
    }
  })
})
