import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import {
  acceptReport,
  declineReport,
  reopenReport,
  withholdReport,
  type AdminReport,
} from '#contracts/reports.ts'
import { reportPath } from '#contracts/reports-log.ts'
import { DECLINE_REASONS, LONGEST_REPORT, REPORT_KIND_NAMES } from '#domain/report.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { useMay } from '#web/api/role.ts'
import { hostOf, predictionPath } from '#web/address/addresses.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { ReportStateTag } from '#web/ui/report-state-tag.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { Away } from '#web/ui/source-link.tsx'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import css from './report-card.module.css'

type Sent = Promise<{ readonly message: string }>

/** One report with its words, and what can be decided about it. */
export function ReportCard({
  report,
  onChanged,
}: {
  readonly report: AdminReport
  /** Loads the list again. */
  readonly onChanged: () => Promise<void>
}) {
  const { number, at, kind, state, explanation, source, withheld } = report
  const [isDeclining, setDeclining] = useState(false)
  const [mayReview, mayCorrect] = [useMay('review'), useMay('publish')]
  const toasts = useToasts()
  const change = useChange()
  const params = { number }

  function send(work: () => Sent, undo?: () => Sent): Promise<boolean> {
    return change.run(async () => {
      const { message } = await work()
      setDeclining(false)
      if (undo) toasts.undoable(message, () => void send(undo))
      else toasts.done(message)
      await onChanged()
    })
  }

  const reopen = (): Sent => adminCall(reopenReport, { params })
  const withhold = (to: boolean) => (): Sent =>
    adminCall(withholdReport, { params, body: { withheld: to } })

  return (
    <Panel as="li" aria-label={`Report ${String(number)}`}>
      <Row gap={3} align="baseline" justify="between">
        <Text as="h2" size="lead">
          <a href={reportPath(number)} target="_blank">
            Report {number}
          </a>
          : {REPORT_KIND_NAMES[kind]}
        </Text>
        <ReportStateTag state={state} />
      </Row>
      <Stack gap={1}>
        <Entry entry={report.prediction} />
        {report.other && <Entry entry={report.other} before="Also on record as " />}
        <Text tone="quiet" size="small">
          {showMoment(at)}
          {source !== null && (
            <>
              {' · '}Source: <Away to={source}>{hostOf(source) ?? source}</Away>
            </>
          )}
          {withheld && ' · Text withheld'}
        </Text>
      </Stack>
      <blockquote className={css.words} dir="auto">
        {explanation}
      </blockquote>
      <Decided report={report} />
      {state === 'open' && mayCorrect && (
        <Since
          report={report}
          isBusy={change.isBusy}
          onAccept={(correction) =>
            void send(() => adminCall(acceptReport, { params, body: { correction } }))
          }
        />
      )}
      {isDeclining ? (
        <DeclineForm
          isWithheld={withheld}
          isBusy={change.isBusy}
          fault={change.faults['answer']}
          onDecline={(body) => void send(() => adminCall(declineReport, { params, body }), reopen)}
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
            <Button disabled={change.isBusy} onClick={() => setDeclining(true)}>
              Decline
            </Button>
          )}
          {state === 'declined' && mayReview && (
            <Button disabled={change.isBusy} onClick={() => void send(reopen)}>
              Open it again
            </Button>
          )}
          {mayReview && (
            <Button
              disabled={change.isBusy}
              onClick={() => void send(withhold(!withheld), withhold(withheld))}
            >
              {withheld ? 'Show its text' : 'Withhold its text'}
            </Button>
          )}
        </Row>
      )}
      {change.faults['answer'] === undefined && (
        <ChangeFailure change={change} onTakeTheirs={() => void onChanged()} />
      )}
    </Panel>
  )
}

function Entry({
  entry: { id, name, statement, withdrawn },
  before,
}: {
  readonly entry: AdminReport['prediction']
  readonly before?: string
}) {
  return (
    <p>
      {before}
      <a href={predictionPath({ id })} target="_blank">
        <bdi>{name}</bdi>: {statement}
      </a>
      {withdrawn && ', withdrawn'}
    </p>
  )
}

function Decided({
  report: { decided, corrections },
}: {
  readonly report: AdminReport
}): ReactNode {
  if (!decided) return null
  return (
    <Stack gap={1} size="small">
      <Text tone="quiet">
        {decided.by}, {showMoment(decided.at)}
        {decided.reason !== null && `: ${decided.reason}`}
      </Text>
      {decided.answer !== null && <bdi>{decided.answer}</bdi>}
      {corrections.map(({ number, text }) => (
        <bdi key={number}>{text}</bdi>
      ))}
    </Stack>
  )
}

/** Corrections that were made since it came: one of them may have answered it already. */
function Since({
  report: { number, since },
  isBusy,
  onAccept,
}: {
  readonly report: AdminReport
  readonly isBusy: boolean
  readonly onAccept: (correction: number) => void
}) {
  if (since.length === 0) return null
  return (
    <Stack
      gap={2}
      size="small"
      role="group"
      aria-label={`Corrected since report ${String(number)}`}
    >
      <Text as="h3" size="small">
        Corrected since it came
      </Text>
      {since.map((one) => (
        <Row key={one.number} gap={3} justify="between">
          <bdi>{one.text}</bdi>
          <Button size="small" disabled={isBusy} onClick={() => onAccept(one.number)}>
            Accept by this correction
          </Button>
        </Row>
      ))}
    </Stack>
  )
}

const REASONS = DECLINE_REASONS.map((one) => [one, one] as const)

function DeclineForm({
  isWithheld,
  isBusy,
  fault,
  onDecline,
  onCancel,
}: {
  readonly isWithheld: boolean
  readonly isBusy: boolean
  readonly fault: string | undefined
  readonly onDecline: (body: {
    readonly reason: (typeof DECLINE_REASONS)[number]
    readonly answer: string
    readonly withheld: boolean
  }) => void
  readonly onCancel: () => void
}) {
  const [reason, setReason] = useState<(typeof DECLINE_REASONS)[number]>(DECLINE_REASONS[0])
  const [answer, setAnswer] = useState('')
  const [withheld, setWithheld] = useState(isWithheld)
  return (
    <Stack
      as="form"
      noValidate
      aria-label="Decline"
      onSubmit={(event) => {
        event.preventDefault()
        onDecline({ reason, answer, withheld })
      }}
    >
      <Choice label="Reason" name="reason" value={reason} options={REASONS} onChange={setReason} />
      <TextField
        label="In a sentence"
        name="answer"
        rows={2}
        value={answer}
        maxLength={LONGEST_REPORT.answer}
        hint="Public, like the reason: it is shown on the page of the report."
        fault={fault}
        onChange={setAnswer}
      />
      <Tick
        label="Withhold the words and the source of the report"
        checked={withheld}
        onChange={setWithheld}
      />
      <Row>
        <Button look="primary" type="submit" disabled={isBusy}>
          {isBusy ? 'Declining...' : 'Decline'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </Row>
    </Stack>
  )
}
