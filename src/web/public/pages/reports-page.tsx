import { type PageData } from '#contracts/page.ts'
import {
  REPORTS_ADDRESS,
  REPORTS_PATH,
  reportPath,
  type ReportsPage as Log,
  type ReportsView,
} from '#contracts/public-logs.ts'
import { counted, showCount } from '#domain/price-text.ts'
import { REPORT_KIND_NAMES, REPORT_STATE_NAMES, REPORT_STATES } from '#domain/report.ts'
import { addressIn, useAddressState } from '#web/address/address-state.ts'
import { useNarrowed } from '#web/api/use-narrowed.ts'
import { type PageProps } from '#web/head/site.ts'
import { REPORT_TONES, Tag } from '#web/ui/chip.tsx'
import { Text, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { FilterLinks, LogEntry, PagedLog } from './paged-log.tsx'

const addressOf = (view: ReportsView): string => addressIn(REPORTS_PATH, REPORTS_ADDRESS, view)
const reportsIn = (data: PageData) => (data.page === 'reports' ? data.reports : undefined)

export function ReportsPage({ content: { reports } }: PageProps<'reports'>) {
  const [view] = useAddressState(REPORTS_ADDRESS)
  const log = useNarrowed(reports, addressOf(reports.view), addressOf(view), reportsIn)
  const { open, accepted, declined } = log.visible.counts
  const link = (part: Partial<ReportsView>, text: string, isCurrent: boolean) =>
    [text, addressOf({ ...view, page: 1, ...part }), isCurrent] as const
  return (
    <PagedLog
      of="reports"
      title="Reported errors"
      lead="Anyone may report an error of the record, on the page of the prediction. Each report gets a number; an administrator corrects the record, or declines the report and says why."
      filters={
        <>
          <FilterLinks
            label="State"
            links={[
              link({ state: null }, 'All reports', view.state === null),
              ...REPORT_STATES.map((state) =>
                link({ state }, REPORT_STATE_NAMES[state], view.state === state),
              ),
            ]}
          />
          {view.prediction !== null && (
            <FilterLinks
              label="Prediction"
              about={
                <span>
                  Only about <bdi>{view.prediction}</bdi>
                </span>
              }
              links={[link({ prediction: null }, 'Show all predictions', false)]}
            />
          )}
        </>
      }
      log={log}
      count={totalText(log.visible)}
      addressOf={(page) => addressOf({ ...view, page })}
      entry={({ number, at, kind, state, prediction, decided, sourceHost }) => (
        <LogEntry
          key={number}
          at={at}
          tag={<Tag tone={REPORT_TONES[state]}>{REPORT_STATE_NAMES[state]}</Tag>}
          asset={prediction.asset}
          title={
            <a
              href={reportPath(number)}
            >{`Report ${String(number)}: ${REPORT_KIND_NAMES[kind]}`}</a>
          }
        >
          <Text className="measure">
            <bdi>{prediction.person.name}</bdi>: {prediction.statement}
          </Text>
          <Note>
            {[
              sourceHost !== null && `Source: ${sourceHost}`,
              decided && `decided on ${showDate(decided.at)}`,
              decided?.reason,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Note>
        </LogEntry>
      )}
    >
      <Text tone="quiet">
        {`So far ${showCount(accepted)} accepted, ${showCount(declined)} declined, ${showCount(open)} open.`}
      </Text>
      <Note>
        Follow the reports: <a href={`${REPORTS_PATH}/feed.xml`}>RSS</a> ·{' '}
        <a href={`${REPORTS_PATH}/feed.json`}>JSON feed</a>. What was changed is under{' '}
        <a href="/corrections">Corrections</a>.
      </Note>
    </PagedLog>
  )
}

function totalText({ total, view }: Log): string {
  if (total > 0) return `${counted(total, 'report')}.`
  return view.state === null && view.prediction === null
    ? 'No error has been reported yet.'
    : 'There are no reports in this selection.'
}
