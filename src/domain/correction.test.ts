import { expect, it } from 'vitest'
import {
  atLeast,
  bottom,
  openVerdict,
  published,
  range,
  statement,
  target,
  top,
} from '#tests/support/builders.ts'
import { type Claim } from './claim/claim.ts'
import { editSentence, readEdit, reasonText, type Edit, type Published } from './correction.ts'
import { day } from './day.ts'

const ON = { today: day('2026-11-20'), handle: null }
const DATES = { made: day('2026-01-05'), by: day('2027-12-31') }
const VERDICTS = { touch: openVerdict(), close: openVerdict() }
const NOW: Published = {
  ...published(statement(target(150_000), DATES), VERDICTS, { summary: 'Said so.' }),
  remarks: null,
}
const RANGE: Published = { ...NOW, statedClaim: range(80_000, 120_000) }

const of = (statedClaim: Claim): Published => ({ ...NOW, statedClaim })
const throughout: Claim = { ...range(1, 2), timing: 'throughout' }
it.each<[Published, Edit, Claim]>([
  [NOW, { price_target: '$100.000' }, target(100_000)],
  [RANGE, { price_max: 130_000 }, range(80_000, 130_000)],
  [RANGE, { prediction_type: 'top', price_target: '200,000' }, top(200_000)],
  [of(top(1)), { price_target: 2 }, top(2)],
  [of(bottom(1)), { price_target: 2 }, bottom(2)],
  [of(atLeast(5)), { price_min: '6' }, atLeast(6)],
  [NOW, { timing: 'at_end' }, { type: 'target', usd: 150_000, timing: 'at_end' }],
  [NOW, { direction: 'up' }, { type: 'target', usd: 150_000, direction: 'up' }],
  // Another type starts with its own default timing.
  [of(throughout), { prediction_type: 'target', price_target: 3 }, target(3)],
])('an edit of %j by %j is read as %j', (now, edit, message) => {
  const read = readEdit(now, edit, ON)
  expect(read).toMatchObject({ ok: true, isStatement: true, edited: { statedClaim: message } })
})

it.each<[Edit, string]>([
  [{ prediction_type: 'range' }, 'price_min'],
  [{ price_target: null }, 'price_target'],
  [{ timing: 'throughout' }, 'timing'],
  [{ price_target: '' }, 'price_target'],
  [{ price_target: '1.2.3' }, 'price_target'],
  [{ chart_value: '-1' }, 'chart_value'],
  [{ target_time: 'soon' }, 'target_time'],
  [{ source_url: 'ftp://example.org' }, 'source_url'],
  [{ source_url: 'https://evil.example\\@good.com' }, 'source_url'],
  [{ source_url: 'http://127.0.0.1/.x' }, 'source_url'],
])('an edit %j is refused at its field', (edit, field) => {
  const faults = { [field]: expect.any(String) }
  expect(readEdit(NOW, edit, ON)).toMatchObject({ ok: false, faults })
})

it('an edit of texts only leaves the verdict; retyping the published value changes nothing', () => {
  const changes = [{ field: 'quote', before: 'Said so.', after: 'Better.' }]
  const edit = { quote: 'Better.', remarks: '' }
  expect(readEdit(NOW, edit, ON)).toMatchObject({ isStatement: false, changes })
  const same = readEdit(NOW, { price_target: '150,000', target_time: '2027-12-31' }, ON)
  expect(same).toMatchObject({ ok: true, changes: [], isStatement: false })
})

it('an edit of timing and direction names them, but not the level', () => {
  const read = readEdit(NOW, { timing: 'at_end', direction: 'up' }, ON)
  expect(read.ok && editSentence(read.changes, '')).toBe(
    'Corrected: when it must be true from “At any time until then” to “On that day”; the direction said from none to up.',
  )
  const other = readEdit(NOW, { prediction_type: 'top', price_target: 150_000 }, ON)
  expect(other).toMatchObject({ changes: [{ field: 'level' }] })
})

it("an edit of the day's precision is judged again", () => {
  expect(readEdit(NOW, { made_precision: 'month' }, ON)).toMatchObject({ isStatement: true })
})

it('an edit distinguishes two levels that look the same as text', () => {
  const now = { ...NOW, statedClaim: target(150_000.001) } as const
  expect(readEdit(now, { price_target: 150_000 }, ON)).toMatchObject({ isStatement: true })
})

it('an edit removes a start date', () => {
  const now = { ...NOW, from: day('2026-06-01') }
  const read = readEdit(now, { start_date: null }, ON)
  expect(read).toMatchObject({ changes: [{ before: '01/06/2026', after: 'none' }] })
})

it('the sentence of a correction states changes and reason; it only names long texts, and omits private ones', () => {
  const texts = { quote: 'x'.repeat(500), remarks: 'secret' }
  const read = readEdit(NOW, { price_target: 1, ...texts, exclude_from_chart: true }, ON)
  expect(editSentence(read.ok ? read.changes : [], 'A slip')).toBe(
    'Corrected: the level from Target $150,000 to Target $1; the summary; its place on the chart from drawn to not drawn. Reason: A slip.',
  )
})

it.each([
  ['', ''],
  ['Why not?', ' Reason: Why not?'],
  ['So', ' Reason: So.'],
])('a correction for %j ends with one sign', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})
