import { describe, expect, it } from 'vitest'
import { readReport, REPORT_MESSAGES, type ReportInput, isSameReport } from './report.ts'

const GIVEN: ReportInput = {
  prediction: 'a',
  kind: 'date',
  explanation: 'It was said a year later.',
  source: 'https://example.org/said',
}
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'

describe('a report', () => {
  it.each<[string, Partial<ReportInput>, object]>([
    [
      'without words',
      { explanation: ' \u202E\u200B \n' },
      { explanation: REPORT_MESSAGES.explanation },
    ],
    ['with too many', { explanation: 'a'.repeat(2_001) }, { explanation: REPORT_MESSAGES.long }],
    [
      'with a secret key',
      { explanation: `see ${NSEC}` },
      { explanation: REPORT_MESSAGES.secretKey },
    ],
    ['without a source', { source: ' ' }, { source: REPORT_MESSAGES.source }],
    [
      'of a page that is not private',
      { source: 'http://example.org/' },
      { source: REPORT_MESSAGES.source },
    ],
    ['of a script', { source: 'javascript:alert(1)' }, { source: REPORT_MESSAGES.source }],
    [
      'of a machine in a network',
      { source: 'https://10.0.0.1/' },
      { source: REPORT_MESSAGES.source },
    ],
    [
      'of an address with a name in it',
      { source: 'https://a@example.org/' },
      { source: REPORT_MESSAGES.source },
    ],
    [
      'of an endless address',
      { source: `https://example.org/${'a'.repeat(2_000)}` },
      { source: REPORT_MESSAGES.source },
    ],
    ['of a double without the other', { kind: 'double' }, { other: REPORT_MESSAGES.other }],
    [
      'of a double of some page',
      { kind: 'double', other: 'https://example.org/' },
      { other: REPORT_MESSAGES.other },
    ],
    [
      'of a double of itself',
      { kind: 'double', other: '/predictions/a' },
      { other: REPORT_MESSAGES.same },
    ],
  ])('%s is refused in a sentence', (_, input, faults) => {
    expect(readReport({ ...GIVEN, ...input })).toEqual({ ok: false, faults })
  })

  it('preserves line breaks, without bidirectional or invisible characters', () => {
    const read = readReport({
      ...GIVEN,
      explanation: ' One\u202E\u0000\r\n\n<b>two</b> ',
      other: 'b',
    })
    expect(read).toEqual({
      ok: true,
      report: {
        prediction: 'a',
        kind: 'date',
        explanation: 'One\n\n<b>two</b>',
        source: 'https://example.org/said',
        // Only for a double.
        other: null,
      },
    })
  })

  it.each(['b%20c', 'https://here.example/predictions/b%2520c?x#y', '/predictions/b%2520c'])(
    'of a duplicate names the other one as %s',
    (other) => {
      const read = readReport({ ...GIVEN, kind: 'double', source: '', other })
      expect(read).toMatchObject({ ok: true, report: { other: 'b%20c', source: null } })
    },
  )

  it.each<[boolean, Partial<ReportInput>]>([
    [true, { explanation: 'In other words' }],
    [true, { source: 'https://www.example.org/said/?utm_source=x' }],
    [false, { source: 'https://example.org/else' }],
    [false, { kind: 'words' }],
    [false, { prediction: 'b' }],
  ])('is the same as another one: %s for %o', (same, input) => {
    const [a, b] = [readReport(GIVEN), readReport({ ...GIVEN, ...input })]
    if (!a.ok || !b.ok) throw new Error('not read')
    expect(isSameReport(a.report, b.report)).toBe(same)
  })

  it.each<[boolean, Partial<ReportInput>]>([
    [true, { source: 'https://example.org/else' }],
    [true, { prediction: 'b', other: 'a' }],
    [false, { other: 'c' }],
    [false, { prediction: 'b', other: 'c' }],
  ])('is the same double as another one: %s for %o', (same, input) => {
    const double = { ...GIVEN, kind: 'double', other: 'b' } as const
    const [a, b] = [readReport(double), readReport({ ...double, ...input })]
    if (!a.ok || !b.ok) throw new Error('not read')
    expect(isSameReport(a.report, b.report)).toBe(same)
  })
})
