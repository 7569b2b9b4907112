import { useQuery } from '@tanstack/react-query'
import { listReports } from '#contracts/reports.ts'
import { reportPath } from '#contracts/reports-log.ts'
import { REPORT_KIND_NAMES } from '#domain/report.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Panel } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Tick } from '#web/ui/tick.tsx'

const NONE: readonly number[] = []

/** The open reports about a prediction, and those of them that the next change accepts. */
export function useAnswered(
  id: string,
  version: number,
  ticked: readonly number[],
): { readonly open: readonly OpenReport[]; readonly reports: readonly number[] } {
  const query = useQuery({
    queryKey: ['reports', { prediction: id, version }],
    queryFn: ({ signal }) => adminCall(listReports, { query: { prediction: id }, signal }),
  })
  const open = query.data?.rows ?? []
  const reports = ticked.filter((number) => open.some((one) => one.number === number))
  return { open, reports: reports.length === 0 ? NONE : reports }
}

type OpenReport = {
  readonly number: number
  readonly kind: keyof typeof REPORT_KIND_NAMES
  readonly explanation: string
}

/** Says which reports the next public change accepts. */
export function AnsweredReports({
  open,
  reports,
  onChange,
}: {
  readonly open: readonly OpenReport[]
  readonly reports: readonly number[]
  readonly onChange: (reports: readonly number[]) => void
}) {
  if (open.length === 0) return null
  return (
    <Panel as="section" tone="wait" gap={2} size="small" aria-label="Open reports">
      <Text as="h2" size="lead">
        Open reports
      </Text>
      <Text>The next public change accepts those that are ticked, and names them in the log.</Text>
      {open.map(({ number, kind, explanation }) => (
        <div key={number}>
          <Tick
            label={`Report ${String(number)}: ${REPORT_KIND_NAMES[kind]}`}
            checked={reports.includes(number)}
            onChange={(isOn) =>
              onChange(isOn ? [...reports, number] : reports.filter((one) => one !== number))
            }
          />
          <Text tone="quiet" clip={2} dir="auto">
            {explanation}
          </Text>
          <a href={reportPath(number)} target="_blank">
            Its page
          </a>
        </div>
      ))}
    </Panel>
  )
}
