import { expectReadable, wordsOf } from '#tests/support/picture-words.ts'
import { expect, it } from 'vitest'
import { yearPicture, type YearFact } from './people-picture.ts'

const LONG = 'Maximilian Bartholomew von Hohenstein-Ferguson the Younger of Upper Saxony'
const CALLS = [
  { luck: 0.1, outcome: 'hit' },
  { luck: 0.11, outcome: 'miss' },
] as const

function fact(given: Partial<YearFact> = {}): YearFact {
  return {
    name: 'Boldest hit',
    title: 'Expert A',
    isPerson: true,
    lines: ['$105,000', 'luck said 23%'],
    ...given,
  }
}

function picture(given: Partial<Parameters<typeof yearPicture>[0]> = {}): string {
  return yearPicture({
    finding: '6 of 53 Bitcoin calls due in 2025 came true. Luck expects 13.8.',
    calls: CALLS,
    facts: [fact(), fact({ name: 'Widest miss' }), fact({ name: 'Loudest consensus' })],
    replayed: null,
    asOf: '23/11/2026',
    address: 'example.org/years/2025',
    siteName: 'Proof of Price',
    ...given,
  })
}

const many = (length: number) =>
  Array.from({ length }, () => ({ luck: 0, outcome: 'miss' }) as const)

it.each([
  ['of a usual year', picture()],
  ['of a hundred calls at one place', picture({ calls: many(100) })],
  ['of ten thousand calls', picture({ calls: many(10_000) })],
  [
    'of long names and texts',
    picture({
      finding: `1,000 of 12,345 Nakamoto Games calls due so far in 2026 came true. Luck expects 1,234.5. ${LONG}`,
      facts: Array.from({ length: 3 }, () => fact({ title: LONG, lines: [LONG, LONG, LONG] })),
      address: `${'long-address.'.repeat(8)}example.org/years/2025/mstr`,
    }),
  ],
  [
    'without facts to tell',
    picture({ facts: [fact({ title: 'No call came true', isPerson: false, lines: [] })] }),
  ],
])('the picture %s can be read', (_, svg) => {
  expectReadable(svg)
  expect(svg).not.toContain('NaN')
  expect(svg.length).toBeLessThan(100_000)
  for (const [, y] of svg.matchAll(/<circle cx="[\d.]+" cy="([\d.]+)" r="11"/g)) {
    expect(Number(y)).toBeGreaterThan(150)
    expect(Number(y)).toBeLessThan(280)
  }
})

it('the picture of a year says the finding, the facts, where it is from and where it is', () => {
  const words = wordsOf(picture()).map(({ text }) => text)
  for (const text of [
    '6 of 53 Bitcoin calls due in 2025',
    'luck said 23%',
    'as of 23/11/2026',
    'example.org/years/2025',
  ]) {
    expect(words.join(' ')).toContain(text)
  }
  expect(words).not.toContain('open')
})

it.each([
  [0.04, 'Luck alone does as well in 4 of 100 replays, as of 23/11/2026.'],
  [0.001, 'Luck alone does as well in fewer than 1 of 100 replays, as of 23/11/2026.'],
  [null, 'Every call on record with its source, by intraday prices, as of 23/11/2026'],
])(
  'a year that luck does as well as in %s of all replays says so, in a line with room',
  (replayed, line) => {
    expect(wordsOf(picture({ replayed })).map(({ text }) => text)).toContain(line)
  },
)

it('a name in another script is written in it, and one without a font for it is said to be on the page', () => {
  const titles = ['日本', '\u{10920}\u{10921}']
  const svg = picture({ facts: titles.map((title) => fact({ title })) })
  expect(svg).toContain('>日本<')
  expect(svg).toContain('>Name: see the page<')
  expectReadable(svg)
})
