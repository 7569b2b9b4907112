import { expect, it } from 'vitest'
import { claimOf, openVerdict, published, statement, target } from '#tests/support/builders.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { editSentence, readEdit, reasonText, type Published } from './correction.ts'
import { day } from './day.ts'

const ON = { today: day('2026-11-20'), handle: null }
const DATES = { made: day('2026-01-05'), by: day('2027-12-31') }
const VERDICTS = { touch: openVerdict(), close: openVerdict() }
const NOW: Published = {
  ...published(statement(target(150_000), DATES), VERDICTS, { summary: 'Said so.' }),
  remarks: null,
}

it('edits and their sentences are read as stored', () =>
  storedCases('correction', {
    'an edit of a claim': (words, edit) => {
      const read = readEdit({ ...NOW, statedClaim: claimOf(words) }, jsonPart(edit), ON)
      if (!read.ok) return read.faults
      return { ...read.edited.statedClaim, isStatement: read.isStatement }
    },
    'an edit of a target, and its sentence': (edit, reason = '') => {
      const read = readEdit(NOW, jsonPart(edit), ON)
      if (!read.ok) return read.faults
      const { changes, isStatement } = read
      return { changes, isStatement, text: editSentence(changes, reason) }
    },
    'a reason': reasonText,
  }))

it('an edit removes a start date', () => {
  const now = { ...NOW, from: day('2026-06-01') }
  const read = readEdit(now, { start_date: null }, ON)
  expect(read).toMatchObject({ changes: [{ before: '01/06/2026', after: 'none' }] })
})
