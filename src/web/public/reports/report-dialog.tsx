import { useRef, useState, type SubmitEvent } from 'react'
import {
  LONGEST_REPORT,
  readReport,
  REPORT_KIND_NAMES,
  REPORT_KINDS,
  type ReportKind,
} from '#domain/report.ts'
import { CallError } from '#web/api/call.ts'
import { newKey } from '#web/api/new-key.ts'
import { fetchOptions } from '#web/api/payments.ts'
import { sendReport, type FiledReport } from '#web/api/reports.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ChangeFailure } from '#web/ui/change-failure.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { useLoaded } from '#web/ui/use-loaded.ts'
import { type DepositStep, type Reportable } from './report-button.tsx'

/** The form to report an error, and the number of the report once it is there. */
export function ReportDialog({
  name,
  calls,
  deposit,
  onClose,
}: {
  readonly name: string
  readonly calls: readonly Reportable[]
  readonly deposit: DepositStep
  readonly onClose: () => void
}) {
  const [filed, setFiled] = useState<FiledReport | null>(null)
  return (
    <Dialog title="Report an error" size="form" onClose={onClose}>
      {filed ? (
        <Stack gap={4} role="status">
          <Text strong>{filed.message}</Text>
          <p>
            An administrator checks it. Its page says what came of it, and why: keep its address if
            you want to look again.
          </p>
          <Row gap={3}>
            <a className={buttonClass('primary')} href={filed.path}>
              See the report
            </a>
            <DialogClose className={buttonClass('plain')}>Close</DialogClose>
          </Row>
        </Stack>
      ) : (
        <ReportForm name={name} calls={calls} deposit={deposit} onFiled={setFiled} />
      )}
    </Dialog>
  )
}

/** Says what a report costs before it is written. */
function DepositNote() {
  const options = useLoaded(fetchOptions).data
  if (!options || options.report_deposit_sats === 0) return null
  return (
    <Text>
      A report costs a deposit of {satsText(options.report_deposit_sats)}, to keep noise out. It is
      not given back. You pay it in the next step.
    </Text>
  )
}

function ReportForm({
  name,
  calls,
  deposit: Deposit,
  onFiled,
}: {
  readonly name: string
  readonly calls: readonly Reportable[]
  readonly deposit: DepositStep
  readonly onFiled: (filed: FiledReport) => void
}) {
  const [prediction, setPrediction] = useState(calls[0]?.id ?? '')
  const [kind, setKind] = useState<ReportKind>('words')
  const [explanation, setExplanation] = useState('')
  const [source, setSource] = useState('')
  const [other, setOther] = useState('')
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [asked, setAsked] = useState<{ text: string; key: string } | null>(null)
  const [unpaid, setUnpaid] = useState<FiledReport | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const change = useChange({
    onFailed: ({ fields }) => showFaults(fields),
  })
  const isTwice = kind === 'double'

  function showFaults(found: Readonly<Record<string, string>>): void {
    setFaults(found)
    const first = ['other', 'explanation', 'source'].find((field) => found[field] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const body = { prediction, kind, explanation, source, other: isTwice ? other : null }
    const read = readReport(body)
    if (!read.ok) return showFaults({ ...read.faults })
    setFaults({})
    const text = JSON.stringify(body)
    const key = asked?.text === text ? asked.key : newKey()
    setAsked({ text, key })
    void change.run(async () => {
      const filed = await sendReport(body, key).catch((error: unknown) => {
        // An answer has come: asking once more is another request.
        if (error instanceof CallError && error.status !== 0) setAsked(null)
        throw error
      })
      setAsked(null)
      if (filed.deposit) setUnpaid(filed)
      else onFiled(filed)
    })
  }

  if (unpaid?.deposit) {
    const { number } = unpaid
    return (
      <Deposit
        made={unpaid.deposit}
        onPaid={() =>
          onFiled({ ...unpaid, message: `Thank you. This is report ${String(number)}.` })
        }
        onBack={() => setUnpaid(null)}
      />
    )
  }

  return (
    <Stack as="form" ref={form} gap={4} onSubmit={submit} noValidate aria-label="Report an error">
      {calls.length > 1 ? (
        <Choice
          label={`Which call by ${name}?`}
          name="prediction"
          value={prediction}
          options={calls.map(({ id, statement }) => [id, statement] as const)}
          onChange={setPrediction}
        />
      ) : (
        <Text strong>
          <bdi>{name}</bdi>: {calls[0]?.statement}
        </Text>
      )}
      <Choice
        label="Kind of error"
        name="kind"
        value={kind}
        options={REPORT_KINDS.map((one) => [one, REPORT_KIND_NAMES[one]] as const)}
        onChange={setKind}
      />
      {isTwice && (
        <TextField
          label="The other prediction"
          name="other"
          value={other}
          hint="The address of its page on this site."
          fault={faults['other']}
          onChange={setOther}
        />
      )}
      <TextField
        label="What is wrong, and what would be right?"
        name="explanation"
        rows={5}
        value={explanation}
        maxLength={LONGEST_REPORT.explanation}
        hint="Plain text. It is shown on the page of the report once an administrator has read and decided it."
        fault={faults['explanation']}
        onChange={setExplanation}
      />
      <TextField
        label="Source"
        name="source"
        type="url"
        optional={isTwice}
        value={source}
        maxLength={LONGEST_REPORT.source}
        hint="The https:// address of a public page that shows it. Its site is shown at once."
        fault={faults['source']}
        onChange={setSource}
      />
      <DepositNote />
      {Object.keys(faults).length === 0 && <ChangeFailure change={change} />}
      <Row gap={3} justify="end" whole>
        <DialogClose className={buttonClass('plain')}>Cancel</DialogClose>
        <Button look="primary" type="submit" aria-disabled={change.isBusy}>
          {change.isBusy ? 'Sending...' : 'Send the report'}
        </Button>
      </Row>
    </Stack>
  )
}
