import {
  REPORTS_ADDRESS,
  REPORTS_PATH,
  reportPath,
  type PublicReport,
  type ReportsPage as Log,
  type ReportsView,
} from '#contracts/public-logs.ts'
import { type PageData } from '#contracts/page.ts'
import { ASSETS } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { REPORT_KIND_NAMES, REPORT_STATE_NAMES, REPORT_STATES } from '#domain/report.ts'
import { addressIn, useAddressState } from '#web/address/address-state.ts'
import { useNarrowed } from '#web/api/use-narrowed.ts'
import { type PageProps } from '#web/head/site.ts'
import { Notice } from '#web/ui/notice.tsx'
import { REPORT_TONES, Tag } from '#web/ui/chip.tsx'
import { showDate } from '#web/ui/show.ts'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'
import { PagesNav } from './pages-nav.tsx'

const reportsAddress = (view: ReportsView): string => addressIn(REPORTS_PATH, REPORTS_ADDRESS, view)
const addressOf = ({ view }: Log): string => reportsAddress(view)
const reportsIn = (data: PageData): Log | null => (data.page === 'reports' ? data.reports : null)

export function ReportsPage({ content }: PageProps<'reports'>) {
  const [view] = useAddressState(REPORTS_ADDRESS)
  const { visible, state, retry } = useNarrowed(
    content.reports,
    reportsAddress(view),
    addressOf,
    reportsIn,
  )
  return (
    <Stack as="article" gap={6}>
      <Stack as="header" gap={3}>
        <h1>Reported errors</h1>
        <Text tone="quiet" size="lead">
          Anyone may report an error of the record, on the page of the prediction. Each report gets
          a number; an administrator corrects the record, or declines the report and says why.
        </Text>
        <Text tone="quiet">{countsText(visible)}</Text>
        <Text tone="quiet" size="small">
          Follow the reports: <a href={`${REPORTS_PATH}/feed.xml`}>RSS</a> ·{' '}
          <a href={`${REPORTS_PATH}/feed.json`}>JSON feed</a>. What was changed is under{' '}
          <a href="/corrections">Corrections</a>.
        </Text>
      </Stack>
      <Filters view={view} />
      {state === 'failed' && (
        <Notice
          alert
          title="These reports could not be loaded"
          text="You still see the previous selection."
          onRetry={retry}
        />
      )}
      <Stack gap={4} aria-busy={state === 'loading'} className="dims">
        <Text role="status">{totalText(visible)}</Text>
        {visible.rows.length > 0 && (
          <ol>
            {visible.rows.map((row) => (
              <Entry key={row.number} row={row} />
            ))}
          </ol>
        )}
        <PagesNav
          of="reports"
          at={visible}
          addressOf={(page) => reportsAddress({ ...view, page })}
        />
      </Stack>
    </Stack>
  )
}

function countsText({ counts }: Log): string {
  const { open, accepted, declined } = counts
  return `So far ${showCount(accepted)} accepted, ${showCount(declined)} declined, ${showCount(open)} open.`
}

function totalText({ total, view }: Log): string {
  if (total > 0) return total === 1 ? '1 report.' : `${showCount(total)} reports.`
  return view.state === null && view.prediction === null
    ? 'No error has been reported yet.'
    : 'There are no reports in this selection.'
}

function Filters({ view }: { readonly view: ReportsView }) {
  const link = (change: Partial<ReportsView>, text: string, isCurrent: boolean) => (
    <a
      key={text}
      href={reportsAddress({ ...view, page: 1, ...change })}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {text}
    </a>
  )
  return (
    <Stack gap={1} className="taps">
      <Row as="nav" gap={4} tight aria-label="State">
        {link({ state: null }, 'All reports', view.state === null)}
        {REPORT_STATES.map((state) =>
          link({ state }, REPORT_STATE_NAMES[state], view.state === state),
        )}
      </Row>
      {view.prediction !== null && (
        <Row as="nav" gap={4} tight aria-label="Prediction">
          <span>
            Only about <bdi>{view.prediction}</bdi>
          </span>
          {link({ prediction: null }, 'Show all predictions', false)}
        </Row>
      )}
    </Stack>
  )
}

function Entry({ row }: { readonly row: PublicReport }) {
  const { number, at, kind, state, prediction, decided, sourceHost } = row
  return (
    <li className="dated">
      <Text as="time" tone="quiet" size="small" dateTime={at}>
        {showDate(at)}
      </Text>
      <Stack gap={1}>
        <Row gap={3}>
          <Tag tone={REPORT_TONES[state]}>{REPORT_STATE_NAMES[state]}</Tag>
          <Text as="span" tone="quiet" size="small">
            {ASSETS[prediction.asset].symbol}
          </Text>
        </Row>
        <Text strong>
          <a href={reportPath(number)}>{`Report ${String(number)}: ${REPORT_KIND_NAMES[kind]}`}</a>
        </Text>
        <Text className="measure">
          <bdi>{prediction.person.name}</bdi>: {prediction.statement}
        </Text>
        <Text tone="quiet" size="small">
          {[
            sourceHost === null ? null : `Source: ${sourceHost}`,
            decided && `decided on ${showDate(decided.at)}`,
            decided?.reason,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Stack>
    </li>
  )
}
