import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { factsOf, spokenMark } from './mark-text.ts'
import { makeMarks } from './marks.ts'
import { predicted } from './testing.ts'

const STOCK = predicted({ type: 'target', usd: 187.5 }, [], {
  asset: 'mstr',
  said: { type: 'target', usd: 1_875 },
  splitFactor: 10,
})

it('a mark shows a level after a split to the cent, in the words of the cards', () => {
  const { type, level, levelNote } = factsOf(STOCK, 'touch')
  expect({ type, level, levelNote }).toEqual({
    type: 'Target',
    level: '$187.50',
    levelNote: 'said $1,875 = $187.50 today',
  })
  expect(spokenMark(STOCK, 'target', [0, 0], 'touch')).toContain('target $187.50')
})

it.each([
  [{ type: 'top', usd: 150_000 }, 'Top', 'Never above $150,000'],
  [{ type: 'bottom', usd: 50_000 }, 'Bottom', 'Never below $50,000'],
  [{ type: 'by-date', usd: 25_000 }, 'Price by', 'Above $25,000'],
  [{ type: 'range', min: 80_000, max: 120_000 }, 'Range', '$80,000 – $120,000'],
] as const)('a mark has one wording for %o', (claim, type, level) => {
  expect(factsOf(predicted(claim), 'touch')).toMatchObject({ type, level })
})

it('a mark without a name is called Unknown Expert, in the tooltip and beside it', () => {
  const nameless = predicted({ type: 'target', usd: 5 }, [], {
    expert: { id: 1, name: ' ', slug: 'nameless', handle: null },
  })
  expect(factsOf(nameless, 'touch').name).toBe('Unknown Expert')
  const { marks } = makeMarks([nameless], 'touch', day('2026-11-20'))
  expect(marks[0]?.texts[0]).toBe('Unknown Expert $5')
})
