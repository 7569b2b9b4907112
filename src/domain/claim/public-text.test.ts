import { expect, it } from 'vitest'
import { readPublicText, writePublicText, type PublicText } from './public-text.ts'

const said = (text: string): PublicText => ({ kind: 'said', text, speaker: 'Jane Doe' })

it.each([
  [{ kind: 'summary', text: ' She names a level. ' } as const, 'She names a level.'],
  [{ kind: 'summary', text: '' } as const, ''],
  [said('We will see 150k.'), '“We will see 150k.” – Jane Doe'],
  [said('"We will see 150k."'), '“We will see 150k.” – Jane Doe'],
  [said('They say “to the moon” now'), '“They say ‘to the moon’ now” – Jane Doe'],
  [said('two\nlines'), '“two\nlines” – Jane Doe'],
  [said('  '), ''],
])('a public text %j is stored as %j', (given, stored) => {
  expect(writePublicText(given)).toBe(stored)
})

it.each([
  ['', null],
  ['She names a level.', { kind: 'summary', text: 'She names a level.' }],
  ['“150k” – Jane Doe', { kind: 'said', text: '150k', speaker: 'Jane Doe' }],
  ['“two\nlines” – Jane Doe', { kind: 'said', text: 'two\nlines', speaker: 'Jane Doe' }],
  // Quotation marks alone name no speaker, and two quotations are no single one.
  ['“150k”', { kind: 'summary', text: '“150k”' }],
  ['“a” and “b” – Jane', { kind: 'summary', text: '“a” and “b” – Jane' }],
])('a stored text %j is read as %j', (stored, read) => {
  expect(readPublicText(stored)).toEqual(read)
})
