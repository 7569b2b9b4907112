import { expect, it } from 'vitest'
import { expectReadable, wordsOf } from '#tests/support/charts.ts'
import {
  boardPicture,
  personPicture,
  yearPicture,
  type PicturedPerson,
  type YearFact,
} from './people-picture.ts'
import { widthOf } from './picture-text.ts'
import { THEMES } from './theme.ts'

function person(overrides: Partial<PicturedPerson> = {}): PicturedPerson {
  return {
    name: 'Expert A',
    calls: [
      { luck: 0.1, outcome: 'hit' },
      { luck: 0.11, outcome: 'miss' },
      { luck: null, outcome: 'pending' },
    ],
    timeIsUp: '3 of 8 came true',
    againstLuck: '3 where luck expects 2.5',
    compared: { hits: '123 of 1,234', luck: '1,234.5' },
    ...overrides,
  }
}

const many = (length: number) =>
  Array.from({ length }, () => ({ luck: 0, outcome: 'miss' }) as const)
const NO_FIGURES = { timeIsUp: 'None decided yet', againstLuck: 'No call to compare yet' }
const LARGE = { timeIsUp: '123 of 1,234 came true', againstLuck: '123 where luck expects 1234.5' }
const LONG = 'Maximilian Bartholomew von Hohenstein-Ferguson the Younger of Upper Saxony'
const FINDING = 'Nobody has yet beaten luck beyond doubt.'
const REST = {
  asOf: '23/11/2026',
  selection: 'All calls before 23/11/2026 were collected afterwards.',
  site: { siteName: 'Proof of Price', address: 'example.org/experts' },
}

function board(people: readonly PicturedPerson[], finding = FINDING): string {
  return boardPicture({ finding, otherwise: '5 calls are decided.', people, ...REST })
}

it.each([
  ['without people', board([])],
  ['of one', board([person()])],
  ['of more than there is room for', board(Array.from({ length: 20 }, () => person()))],
  ['of long names', board([person({ name: LONG })], `${FINDING} ${LONG} leads with 3 hits.`)],
])('the picture of the board %s is readable', (_, svg) => {
  expectReadable(svg)
  expect(svg).toContain('As of 23/11/2026. All calls before')
  // Figures are beside the strip, not on it.
  const strip = /<path d="M(\d+),[\d.]+h(\d+)"/.exec(svg)
  const end = strip ? Number(strip[1]) + Number(strip[2]) : 0
  const figures = wordsOf(svg).filter(({ text }) => text === '123 of 1,234')
  expect(figures.every(({ text, x, size }) => x - widthOf(text, size) > end)).toBe(true)
})

it('the picture of the board shows the finding and as many people as fit', () => {
  const svg = board(Array.from({ length: 20 }, (_, i) => person({ name: `Expert ${String(i)}` })))
  const words = wordsOf(svg).map(({ text }) => text)
  expect(words.join(' ')).toContain(FINDING)
  expect(words).toContain('example.org/experts')
  const names = words.filter((text) => /^Expert \d+$/.test(text))
  expect(names.length).toBeGreaterThanOrEqual(6)
  expect(names[0]).toBe('Expert 0')
})

it('findings and names keep their script if there is a font for it', () => {
  const svg = board([person({ name: '日本' })], '日本 leads.')
  expect(svg).toContain('>日本 leads.<')
  expect(svg).toContain('>日本<')
})

it('without a font, totals replace the finding and a placeholder the name', () => {
  const svg = board([person({ name: '𐎠𐎭𐎠' })], '𐎠𐎭𐎠 leads.')
  expect(svg).toContain('5 calls are decided.')
  expect(svg).toContain('>Name: see the page<')
  expect(svg).not.toContain('𐎠')
})

it.each([
  ['a short name', person(), true],
  ['a long name', person({ name: LONG }), true],
  ['too few calls', person(), false],
  ['a hundred calls at one place', person({ calls: many(100) }), true],
  ['no call', person({ calls: [], ...NO_FIGURES }), false],
  ['large figures', person(LARGE), true],
])('the picture of a person with %s is readable', (_, name, isRanked) => {
  const svg = personPicture({ person: name, isRanked, ...REST })
  expectReadable(svg)
  expect(svg.includes('too few are decided to say more')).toBe(!isRanked)
  for (const [, y] of svg.matchAll(/<circle cx="[\d.]+" cy="([\d.]+)" r="13"/g)) {
    expect(Number(y)).toBeGreaterThan(200)
    expect(Number(y)).toBeLessThan(400)
  }
  expect(svg).not.toContain('NaN')
})

it('a call that came true is filled, a missed one is not, and one without luck has no mark', () => {
  const svg = personPicture({ person: person(), isRanked: true, ...REST })
  const marks = [...svg.matchAll(/<circle cx="[\d.]+" cy="[\d.]+" r="13" fill="(#\w+)"/g)]
  expect(marks.map(([, fill]) => fill)).toEqual([THEMES.light.hit, THEMES.light.page])
})

function fact(overrides: Partial<YearFact> = {}): YearFact {
  const lines = ['$105,000', 'luck said 23%']
  return { name: 'Boldest hit', title: 'Expert A', isPerson: true, lines, ...overrides }
}

const NO_FACT = fact({ title: 'None', isPerson: false, lines: [] })

function picture(overrides: Partial<Parameters<typeof yearPicture>[0]> = {}): string {
  return yearPicture({
    finding: '6 of 53 Bitcoin calls due in 2025 came true. Luck expects 13.8.',
    calls: person().calls.slice(0, 2),
    facts: [fact(), fact({ name: 'Widest miss' }), fact({ name: 'Loudest consensus' })],
    replayed: null,
    asOf: '23/11/2026',
    address: 'example.org/years/2025',
    siteName: 'Proof of Price',
    ...overrides,
  })
}

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
  ['without facts to tell', picture({ facts: [NO_FACT] })],
])('the picture %s is readable', (_, svg) => {
  expectReadable(svg)
  expect(svg).not.toContain('NaN')
  expect(svg.length).toBeLessThan(100_000)
  for (const [, y] of svg.matchAll(/<circle cx="[\d.]+" cy="([\d.]+)" r="11"/g)) {
    expect(Number(y)).toBeGreaterThan(150)
    expect(Number(y)).toBeLessThan(280)
  }
})

it('the year picture shows finding, facts, source and address', () => {
  const words = wordsOf(picture()).map(({ text }) => text)
  const finding = '6 of 53 Bitcoin calls due in 2025'
  for (const text of [finding, 'luck said 23%', 'as of 23/11/2026', 'example.org/years/2025']) {
    expect(words.join(' ')).toContain(text)
  }
  expect(words).not.toContain('open')
})

it.each([
  [0.04, 'Luck alone does as well in 4 of 100 replays, as of 23/11/2026.'],
  [0.001, 'Luck alone does as well in fewer than 1 of 100 replays, as of 23/11/2026.'],
  [null, 'Every call on record with its source, by intraday prices, as of 23/11/2026'],
])('a year that luck matches in %s of all replays says so on one line', (replayed, line) => {
  expect(wordsOf(picture({ replayed })).map(({ text }) => text)).toContain(line)
})

it('a name in another script is drawn in it, or replaced by a link to the page', () => {
  const titles = ['日本', '\u{10920}\u{10921}']
  const svg = picture({ facts: titles.map((title) => fact({ title })) })
  expect(svg).toContain('>日本<')
  expect(svg).toContain('>Name: see the page<')
  expectReadable(svg)
})
