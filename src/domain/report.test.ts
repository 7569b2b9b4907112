import { expect, it } from 'vitest'
import { words } from '#tests/support/words.ts'
import { readReport, REPORT_MESSAGES, type ReportInput, isSameReport } from './report.ts'

const GIVEN: ReportInput = {
  prediction: 'a',
  kind: 'date',
  explanation: 'It was said a year later.',
  source: 'https://example.org/said',
}
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'

it.each<readonly [string, Partial<ReportInput>, keyof typeof REPORT_MESSAGES]>([
  ['explanation', { explanation: ' \u202E\u200B \n' }, 'explanation'],
  ['explanation', { explanation: 'a'.repeat(2_001) }, 'long'],
  ['explanation', { explanation: `see ${NSEC}` }, 'secretKey'],
  ['source', { source: ' ' }, 'source'],
  ...words(`
    http://example.org/ javascript:alert(1) https://10.0.0.1/ https://a@example.org/
    https://example.org/${'a'.repeat(2_000)}
  `).map((source) => ['source', { source }, 'source'] as const),
  ['other', { kind: 'double' }, 'other'],
  ['other', { kind: 'double', other: 'https://example.org/' }, 'other'],
  ['other', { kind: 'double', other: '/predictions/a' }, 'same'],
])('a report is refused at its %s: %j', (field, input, message) => {
  const faults = { [field]: REPORT_MESSAGES[message] }
  expect(readReport({ ...GIVEN, ...input })).toEqual({ ok: false, faults })
})

it('a report preserves line breaks, without bidirectional or invisible characters', () => {
  const explanation = ' One\u202E\u0000\r\n\n<b>two</b> '
  // Only a report of a duplicate names another prediction.
  const report = { ...GIVEN, explanation: 'One\n\n<b>two</b>', other: null }
  expect(readReport({ ...GIVEN, explanation, other: 'b' })).toEqual({ ok: true, report })
})

it.each(['b%20c', 'https://here.example/predictions/b%2520c?x#y', '/predictions/b%2520c'])(
  'a report of a duplicate names the other one as %s',
  (other) => {
    const read = readReport({ ...GIVEN, kind: 'double', source: '', other })
    expect(read).toMatchObject({ ok: true, report: { other: 'b%20c', source: null } })
  },
)

const double = { kind: 'double', other: 'b' } as const
it.each<[boolean, Partial<ReportInput>, Partial<ReportInput>?]>([
  [true, { explanation: 'In other words' }],
  [true, { source: 'https://www.example.org/said/?utm_source=x' }],
  [false, { source: 'https://example.org/else' }],
  [false, { kind: 'words' }],
  [false, { prediction: 'b' }],
  [true, { source: 'https://example.org/else' }, double],
  [true, { prediction: 'b', other: 'a' }, double],
  [false, { other: 'c' }, double],
  [false, { prediction: 'b', other: 'c' }, double],
])('a report is the same as another one: %s for %o, both %o', (same, input, both = {}) => {
  const [a, b] = [readReport({ ...GIVEN, ...both }), readReport({ ...GIVEN, ...both, ...input })]
  if (!a.ok || !b.ok) throw new Error('not read')
  expect(isSameReport(a.report, b.report)).toBe(same)
})
