import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { listReports, type AdminReport } from '#contracts/reports.ts'
import { REPORT_STATE_NAMES, REPORT_STATES } from '#domain/report.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { AddressPager } from '#web/ui/address-pager.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { ReportCard } from './report-card.tsx'

const SIZE = 50
const STATES = [...REPORT_STATES, 'all'] as const

/** Errors that visitors reported, to be corrected or declined. */
export function ReportsView() {
  const [param, change] = useParams()
  const state = STATES.find((one) => one === param('state')) ?? 'open'
  const page = pageOf(param('page'))
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ['reports', { state, page }],
    queryFn: ({ signal }) => adminCall(listReports, { query: { state, page }, signal }),
    placeholderData: keepPreviousData,
  })
  const counts = query.data?.counts
  const countOf = (one: (typeof STATES)[number]): number | null =>
    counts === undefined
      ? null
      : one === 'all'
        ? counts.open + counts.accepted + counts.declined
        : counts[one]
  return (
    <AdminPage title="Reports">
      <Text tone="quiet" size="small">
        Errors that visitors reported. “Correct it” opens the prediction; the correction accepts the
        report. The words of a report are public once it is decided, unless you withhold them.
      </Text>
      <Row role="group" aria-label="Reports by state">
        {STATES.map((one) => (
          <Chip
            key={one}
            pressed={one === state}
            count={countOf(one)}
            onPress={() => change({ state: one === 'open' ? null : one, page: null })}
          >
            {one === 'all' ? 'All' : REPORT_STATE_NAMES[one]}
          </Chip>
        ))}
      </Row>
      <Loaded query={query} loading="Loading reports..." failed="The reports could not be loaded.">
        {({ total, rows }) =>
          rows.length === 0 ? (
            <Notice title={state === 'open' ? 'No open reports.' : 'No matching reports.'} />
          ) : (
            <>
              <Stack as="ul" gap={4} aria-label="Reports">
                {rows.map((row: AdminReport) => (
                  <ReportCard
                    key={row.number}
                    report={row}
                    onChanged={() => client.invalidateQueries({ queryKey: ['reports'] })}
                  />
                ))}
              </Stack>
              <AddressPager label="Pages of reports" size={SIZE} total={total} />
            </>
          )
        }
      </Loaded>
    </AdminPage>
  )
}
