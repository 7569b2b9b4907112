import { useState } from 'react'
import { Link } from 'wouter'
import { reportPath } from '#contracts/public-logs.ts'
import * as calls from '#contracts/reports.ts'
import { type AdminReport } from '#contracts/reports.ts'
import {
  DECLINE_REASONS,
  LONGEST_REPORT,
  REPORT_KIND_NAMES,
  REPORT_STATE_NAMES,
  REPORT_STATES,
} from '#domain/report.ts'
import { hostOf, predictionPath } from '#web/address/addresses.ts'
import { useMay } from '#web/admin/hints.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { AdminList, FilterChips, useList } from '#web/admin/kit/list.tsx'
import { AdminPage, Detail, NewTab, Words } from '#web/admin/kit/screen.tsx'
import { Act } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { REPORT_TONES, Tag } from '#web/ui/chip.tsx'
import { Row, Text, Note } from '#web/ui/primitives.tsx'
import { showMoment } from '#web/ui/show.ts'
import { Away } from '#web/ui/source-link.tsx'

const STATES = [...REPORT_STATES, 'all'] as const
const NAMES = { ...REPORT_STATE_NAMES, all: 'All' }
const REASONS = DECLINE_REASONS.map((one) => [one, one] as const)

const COLUMNS: readonly Column<AdminReport>[] = [
  column.title(
    'Report',
    ({ number, kind }) => `Report ${String(number)}: ${REPORT_KIND_NAMES[kind]}`,
  ),
  column.text('Prediction', ({ prediction }) => <Entry entry={prediction} />),
  column.text('Words', ({ explanation, withheld }) => (
    <Text clip={2} dir="auto">
      {withheld && '(withheld) '}
      {explanation}
    </Text>
  )),
  column.moment('Received', ({ at }) => at),
  column.short('State', ({ state }) => (
    <Tag tone={REPORT_TONES[state]}>{REPORT_STATE_NAMES[state]}</Tag>
  )),
]

export function ReportsView() {
  const list = useList(calls.listReports, { state: STATES })
  const { state } = list.values
  return (
    <AdminPage>
      <Note>
        Errors that visitors reported. “Correct it” opens the prediction; the correction accepts the
        report. The words of a report are public once it is decided, unless you withhold them.
      </Note>
      <FilterChips label="Reports by state" name="state" names={NAMES} list={list} />
      <AdminList
        label="Reports"
        list={list}
        columns={COLUMNS}
        idOf={({ number }) => String(number)}
        empty={state === 'open' ? 'No open reports.' : 'No matching reports.'}
        renderDetail={(report) => <Report report={report} />}
      />
    </AdminPage>
  )
}

function Report({ report }: { readonly report: AdminReport }) {
  const { number, kind, state, source, withheld, decided } = report
  const [isDeclining, setDeclining] = useState(false)
  const [mayReview, mayCorrect] = [useMay('review'), useMay('publish')]
  const params = { number }
  const reopen = () => adminCall(calls.reopenReport, { params })
  const withhold = (to: boolean) => () =>
    adminCall(calls.withholdReport, { params, body: { withheld: to } })
  return (
    <Detail
      title={
        <NewTab to={reportPath(number)}>
          Report {number}: {REPORT_KIND_NAMES[kind]}
        </NewTab>
      }
      facts={[
        ['Prediction', <Entry key="1" entry={report.prediction} />],
        ['Also on record as', report.other && <Entry entry={report.other} />],
        ['Source', source && <Away to={source}>{hostOf(source) ?? source}</Away>],
        ['Decided', decided && `${decided.by}, ${showMoment(decided.at)}`],
        ['Reason', decided?.reason],
        ['Answer', decided?.answer],
        ['Corrections', report.corrections.map(({ text }) => text).join(' ')],
      ]}
    >
      <Words>{report.explanation}</Words>
      {withheld && <Text tone="quiet">Its text is withheld.</Text>}
      {state === 'open' &&
        mayCorrect &&
        report.since.map((one) => (
          <Row key={one.number} gap={3} role="group" aria-label="Corrected since it was received">
            <bdi>{one.text}</bdi>
            <Act
              size="small"
              send={() =>
                adminCall(calls.acceptReport, { params, body: { correction: one.number } })
              }
            >
              Accept by this correction
            </Act>
          </Row>
        ))}
      {isDeclining ? (
        <AdminForm
          label="Decline"
          route={calls.declineReport}
          params={params}
          start={{ reason: DECLINE_REASONS[0], answer: '', withheld }}
          fields={{
            reason: { label: 'Reason', options: REASONS },
            answer: {
              label: 'In a sentence',
              rows: 2,
              maxLength: LONGEST_REPORT.answer,
              hint: 'Public, like the reason: it is shown on the page of the report.',
            },
            withheld: { label: 'Withhold the words and the source of the report' },
          }}
          send="Decline"
          sending="Declining..."
          undo={reopen}
          onDone={() => setDeclining(false)}
          onCancel={() => setDeclining(false)}
        />
      ) : (
        <Row role="group" aria-label={`Decide about report ${String(number)}`}>
          {state === 'open' && mayCorrect && (
            <Link
              to={`/admin/predictions?open=${encodeURIComponent(report.prediction.id)}&report=${String(number)}`}
              className={buttonClass('primary')}
            >
              Correct it
            </Link>
          )}
          {state === 'open' && mayReview && (
            <Button onClick={() => setDeclining(true)}>Decline</Button>
          )}
          {state === 'declined' && mayReview && <Act send={reopen}>Open it again</Act>}
          {mayReview && (
            <Act send={withhold(!withheld)} undo={withhold(withheld)}>
              {withheld ? 'Show its text' : 'Withhold its text'}
            </Act>
          )}
        </Row>
      )}
    </Detail>
  )
}

function Entry({
  entry: { id, name, statement, withdrawn },
}: {
  readonly entry: AdminReport['prediction']
}) {
  return (
    <>
      <NewTab to={predictionPath({ id })}>
        <bdi>{name}</bdi>: {statement}
      </NewTab>
      {withdrawn && ', withdrawn'}
    </>
  )
}
