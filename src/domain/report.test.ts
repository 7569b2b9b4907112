import { it } from 'vitest'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { readReport, type ReportInput, isSameReport } from './report.ts'

const GIVEN: ReportInput = {
  prediction: 'a',
  kind: 'date',
  explanation: 'It was said a year later.',
  source: 'https://example.org/said',
}
const given = (input: string): ReportInput => ({ ...GIVEN, ...jsonPart<object>(input) })

it('reports are read and compared as stored', () =>
  storedCases('report', {
    'a report': (input) => {
      const read = readReport(given(input))
      return read.ok ? read.report : read.faults
    },
    'whether it is the same as another one': (input, both) => {
      const [a, b] = [
        readReport(given(both)),
        readReport({ ...given(both), ...jsonPart<object>(input) }),
      ]
      return a.ok && b.ok ? isSameReport(a.report, b.report) : 'not read'
    },
  }))
