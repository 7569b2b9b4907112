import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import {
  published,
  statement,
  atLeast,
  bottom,
  range,
  target,
  top,
  openVerdict,
} from '#tests/support/builders.ts'
import { type Claim } from './claim.ts'
import {
  type Prediction,
  headline,
  statementText,
  readPublicText,
  writePublicText,
  type PublicText,
} from './prediction.ts'

function predictionOf(
  claim: Claim,
  direction: Direction,
  overrides: Partial<Prediction> = {},
): Prediction {
  const touch = openVerdict({ direction })
  const stated = statement(claim, { by: day('2025-12-31') })
  return published(stated, { touch, close: { ...touch, mode: 'close' } }, overrides)
}

it.each([
  [target(5), 'down', 'Bitcoin at $5 by 31/12/2025'],
  [range(5, 9), 'up', 'Bitcoin between $5 and $9 by 31/12/2025'],
  // Touched on many days of the window and still a miss: its end decides.
  [range(5, 9), 'inside', 'Bitcoin between $5 and $9 at the end of 31/12/2025'],
  [atLeast(5), 'up', 'Bitcoin above $5 by 31/12/2025'],
  [atLeast(5), 'above', 'Bitcoin above $5 at the end of 31/12/2025'],
  [top(5), 'never-above', 'Bitcoin never above $5 until 31/12/2025'],
  [bottom(5), 'never-below', 'Bitcoin never below $5 until 31/12/2025'],
] as const)('a claim of %j, seen from %s, reads as it is judged', (claim, direction, text) => {
  expect(statementText(predictionOf(claim, direction))).toBe(text)
  const ofYear = predictionOf(claim, direction, { byPrecision: 'year' })
  expect(statementText(ofYear)).toMatch(/(?:by|until|at) the end of 2025$/)
})

it.each([
  ['Expert A', 'Expert A: Bitcoin'],
  ['محمد العربي', '\u2068محمد العربي\u2069: Bitcoin'],
  ['\u202eExpert A', '\u2068\u202eExpert A\u2069: Bitcoin'],
])('a name cannot reverse the direction of a headline: %s', (name, start) => {
  const expert = { id: 1, name, slug: 'a', handle: null }
  expect(headline(predictionOf(target(5), 'up', { expert })).startsWith(start)).toBe(true)
})

const quotation = (text: string): PublicText => ({ kind: 'said', text, speaker: 'Jane Doe' })

it.each([
  [{ kind: 'summary', text: ' She names a level. ' } as const, 'She names a level.'],
  [{ kind: 'summary', text: '' } as const, ''],
  [quotation('We will see 150k.'), '“We will see 150k.” – Jane Doe'],
  [quotation('"We will see 150k."'), '“We will see 150k.” – Jane Doe'],
  [quotation('They say “to the moon” now'), '“They say ‘to the moon’ now” – Jane Doe'],
  [quotation('two\nlines'), '“two\nlines” – Jane Doe'],
  [quotation('  '), ''],
])('a public text %j is stored as %j', (input, stored) => {
  expect(writePublicText(input)).toBe(stored)
})

it.each([
  ['', null],
  ['She names a level.', { kind: 'summary', text: 'She names a level.' }],
  ['“150k” – Jane Doe', { kind: 'said', text: '150k', speaker: 'Jane Doe' }],
  ['“two\nlines” – Jane Doe', { kind: 'said', text: 'two\nlines', speaker: 'Jane Doe' }],
  // Quotation marks without a speaker, or two quotations, are not a quotation.
  ['“150k”', { kind: 'summary', text: '“150k”' }],
  ['“a” and “b” – Jane', { kind: 'summary', text: '“a” and “b” – Jane' }],
])('a stored text %j is read as %j', (stored, read) => {
  expect(readPublicText(stored)).toEqual(read)
})
