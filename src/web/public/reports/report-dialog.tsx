import { useState, type SubmitEvent } from 'react'
import { type z } from 'zod'
import { fileReport } from '#contracts/reports.ts'
import {
  LONGEST_REPORT,
  readReport,
  REPORT_KIND_NAMES,
  REPORT_KINDS,
  type ReportKind,
} from '#domain/report.ts'
import { call } from '#web/api/call.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Choice, TextField } from '#web/ui/field.tsx'
import { Row, Stack, Callout, Text } from '#web/ui/primitives.tsx'
import { useChange, useFaults, useFields } from '#web/ui/use-change.ts'
import { type Reportable } from './report-button.tsx'

type FiledReport = z.infer<typeof fileReport.reply>

/** The error report form; after sending, the number of the report. */
export function ReportDialog({
  name,
  calls,
  onClose,
}: {
  readonly name: string
  readonly calls: readonly Reportable[]
  readonly onClose: () => void
}) {
  const [filed, setFiled] = useState<FiledReport | null>(null)
  const { values, field } = useFields({
    prediction: calls[0]?.id ?? '',
    kind: 'words' as ReportKind,
    explanation: '',
    source: '',
    other: '',
  })
  const { element, faults, show } = useFaults()
  const change = useChange({ onFailed: ({ fields }) => show(fields) })
  const isTwice = values.kind === 'double'

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const body = { ...values, other: isTwice ? values.other : null }
    const read = readReport(body)
    if (!read.ok) return show({ ...read.faults })
    show({})
    void change.run(async () => setFiled(await call(fileReport, { body })))
  }

  return (
    <Dialog title="Report an error" size="form" onClose={onClose}>
      {filed ? (
        <Stack gap={4} role="status">
          <Text strong>{filed.message}</Text>
          <p>We’ll check it. Bookmark the report’s page to see the outcome and the reason.</p>
          <Row gap={3}>
            <a className={buttonClass('primary')} href={filed.path}>
              See the report
            </a>
            <DialogClose className={buttonClass('plain')}>Close</DialogClose>
          </Row>
        </Stack>
      ) : (
        <Stack
          as="form"
          ref={element}
          gap={4}
          onSubmit={submit}
          noValidate
          aria-label="Report an error"
        >
          {calls.length > 1 ? (
            <Choice
              label={`Which call by ${name}?`}
              {...field('prediction')}
              options={calls.map(({ id, statement }) => [id, statement] as const)}
            />
          ) : (
            <Text strong>
              <bdi>{name}</bdi>: {calls[0]?.statement}
            </Text>
          )}
          <Choice
            label="Kind of error"
            {...field('kind')}
            options={REPORT_KINDS.map((one) => [one, REPORT_KIND_NAMES[one]] as const)}
          />
          {isTwice && (
            <TextField
              label="The other prediction"
              {...field('other', faults)}
              hint="The address of its page on this site."
            />
          )}
          <TextField
            label="What is wrong, and what would be right?"
            {...field('explanation', faults)}
            rows={5}
            maxLength={LONGEST_REPORT.explanation}
            hint="Plain text. It is shown on the page of the report once an administrator has read and decided it."
          />
          <TextField
            label="Source"
            {...field('source', faults)}
            type="url"
            optional={isTwice}
            maxLength={LONGEST_REPORT.source}
            hint="A public page that proves it (https://). Its domain is shown immediately."
          />
          {change.message !== null && Object.keys(faults).length === 0 && (
            <Callout tone="wait" role="alert">
              {change.message}
            </Callout>
          )}
          <Row gap={3} justify="end" whole>
            <DialogClose className={buttonClass('plain')}>Cancel</DialogClose>
            <Button look="primary" type="submit" aria-disabled={change.isBusy}>
              {change.isBusy ? 'Sending...' : 'Send the report'}
            </Button>
          </Row>
        </Stack>
      )}
    </Dialog>
  )
}
