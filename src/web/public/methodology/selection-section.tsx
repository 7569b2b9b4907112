import { REPORTS_PATH } from '#contracts/reports-log.ts'
import { CORRECTIONS_PATH } from '#contracts/corrections-log.ts'
import { type Selection } from '#contracts/page.ts'
import { readDay, showDay } from '#domain/day.ts'
import { Stack } from '#web/ui/primitives.tsx'
import { showCount } from '#domain/price-text.ts'

export function SelectionSection({ selection }: { readonly selection: Selection }) {
  return (
    <Stack gap={4}>
      <h2>How claims get in</h2>
      <p>
        Anyone may submit anyone’s prediction, bullish or bearish. A visitor pays for the review in
        sats, which keeps spam out; it buys no entry and no verdict, and hits and misses cost the
        same. Administrators also add posts, which are read by fixed rules and, where it is set up,
        by a language model.
      </p>
      <p>
        Either way, a person checks each submission before it is published: that it was said in
        public by the one named, that the source shows it, that it has a price and a date that can
        be checked, and that it is not on record yet. What anyone thinks of the person or the
        prediction plays no part. {importedText(selection)}
      </p>
      <Counts selection={selection} />
      <p>
        What is changed after it was published is listed under{' '}
        <a href={CORRECTIONS_PATH}>Corrections</a>, with the reason. Anyone may report an error on
        the page of a prediction. <a href={REPORTS_PATH}>Reported so far</a>:{' '}
        {reportsText(selection)}
      </p>
      <h3>Who runs this site</h3>
      <ul>
        <li>Run by: {selection.operator.name ?? NOT_STATED}</li>
        <li>Holdings in these assets: {selection.operator.holdings ?? 'not disclosed'}</li>
      </ul>
    </Stack>
  )
}

const NOT_STATED = 'not stated'

function importedText({ imported }: Selection): string {
  if (imported === 0) return ''
  return imported === 1
    ? '1 prediction on record came in a file, not as a submission.'
    : `${showCount(imported)} predictions on record came in files, not as submissions: they were collected from public sources.`
}

function reportsText({ reports: { open, accepted, declined } }: Selection): string {
  return `${showCount(accepted)} accepted, ${showCount(declined)} declined, ${showCount(open)} open.`
}

function Counts({ selection }: { readonly selection: Selection }) {
  const { accepted, rejected, waiting, since, reasons } = selection
  const day = since === null ? null : readDay(since)
  if (day === null) {
    return (
      <p>
        {waiting === 0
          ? 'No submission has been decided yet.'
          : `No submission has been decided yet; ${countText(waiting, 'waits', 'wait')} for review.`}
      </p>
    )
  }
  return (
    <>
      <p>
        {`Since ${showDay(day)}: ${countText(accepted, 'submission', 'submissions')} published, ${showCount(rejected)} rejected, ${showCount(waiting)} waiting for review.`}
        {rejected > 0 && ' Rejected, by reason:'}
      </p>
      {rejected > 0 && (
        <ul>
          {reasons.map(({ reason, count }) => (
            <li key={reason}>{`${reason ?? 'Another reason'}: ${showCount(count)}`}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function countText(count: number, one: string, many: string): string {
  return `${showCount(count)} ${count === 1 ? one : many}`
}
