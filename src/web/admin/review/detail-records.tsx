import { useMemo } from 'react'
import { showCount } from '#domain/price-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import { readAiNotes } from './ai-metadata.ts'
import { type Detail } from './calls.ts'
import css from './detail-records.module.css'
import { FIELD_NAMES } from './edit-fields.ts'
import { dateText } from './row-texts.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Fold } from '#web/ui/fold.tsx'

/** The same is on record, or waits beside it: said before anything is decided. */
export function Duplicates({
  duplicates,
  addressOf,
}: {
  readonly duplicates: Detail['duplicates']
  /** Where another submission is opened. */
  readonly addressOf: (id: string) => string
}) {
  if (duplicates.length === 0) return null
  return (
    <Callout as="section" tone="wait" gap={2} className={css.duplicates} aria-label="Duplicates">
      <Text as="h3" size="base">
        Probably a duplicate of
      </Text>
      <ul>
        {duplicates.map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            <a
              href={one.kind === 'prediction' ? predictionPath(one) : addressOf(one.id)}
              target="_blank"
              rel="noreferrer"
            >
              <bdi>{one.expert_name}</bdi>: {one.price_prediction} by {dateText(one.target_time)}
              <span className="aside-voice"> (opens in a new tab)</span>
            </a>{' '}
            ({one.status === 'published' ? 'published' : `${one.status} submission`})
          </li>
        ))}
      </ul>
    </Callout>
  )
}

/** What an assistant noted while it read the post. */
export function AiNotes({ json }: { readonly json: string | null }) {
  const notes = useMemo(() => readAiNotes(json), [json])
  if (!notes) return null
  return (
    <Fold title="Notes of the assistant">
      {notes.facts.length > 0 && (
        <Facts size="small">
          {notes.facts.map(([name, text]) => (
            <Fact key={name} name={name}>
              <bdi>{text}</bdi>
            </Fact>
          ))}
        </Facts>
      )}
      {notes.proposals.length > 0 && (
        <Stack as="ul" aria-label="Proposed posts">
          {notes.proposals.map(({ style, text }, i) => (
            <li key={`${String(i)} ${style}`}>
              <b>{style}</b>
              <p className={css.raw}>
                <bdi>{text}</bdi>
              </p>
            </li>
          ))}
        </Stack>
      )}
      {notes.raw !== null && <pre className={css.raw}>{notes.raw}</pre>}
    </Fold>
  )
}

/** Its payments, the notices to its submitter, and what administrators have done with it. */
export function DetailRecords({ detail }: { readonly detail: Detail }) {
  const { payments, notices, audit, told_by: noticesBy } = detail
  return (
    <Stack gap={0} size="small" className={css.folds}>
      {payments.length > 0 && (
        <Fold title={`Payments (${String(payments.length)})`}>
          <Stack as="ul" gap={2}>
            {payments.map((one) => (
              <Row as="li" gap={3} tight justify="between" key={one.id}>
                <span>
                  {showCount(one.sats)} sats, {one.status}
                  {one.counts && ' – brought it into review'}
                </span>
                <Text as="span" tone="quiet">
                  {one.wallet}, made {showMoment(one.created_at)}
                  {one.paid_at !== null && `, paid ${showMoment(one.paid_at)}`}
                </Text>
                {one.last_error !== null && (
                  <Text as="span" tone="bad" className={css.line}>
                    {one.last_error}
                  </Text>
                )}
              </Row>
            ))}
          </Stack>
        </Fold>
      )}
      {(notices.length > 0 || noticesBy !== null) && (
        <Fold title={`Notices (${String(notices.length)})`}>
          <Text tone="quiet">
            {noticesBy === null
              ? 'The submitter wants no more notices.'
              : `The submitter wants notices by ${noticesBy === 'email' ? 'e-mail' : 'Lightning'}.`}
          </Text>
          <Stack as="ul" gap={2}>
            {notices.map((one) => (
              <Row as="li" gap={3} tight justify="between" key={`${one.event} ${one.created_at}`}>
                <span>
                  {one.event}: {one.status}
                  {one.attempts > 1 && ` after ${String(one.attempts)} tries`}
                </span>
                <Text as="span" tone="quiet">
                  {showMoment(one.sent_at ?? one.created_at)}
                </Text>
                {one.last_error !== null && (
                  <Text as="span" tone="bad" className={css.line}>
                    {one.last_error}
                  </Text>
                )}
              </Row>
            ))}
          </Stack>
        </Fold>
      )}
      {audit.length > 0 && (
        <Fold title={`What was done (${String(audit.length)})`}>
          <Stack as="ul" gap={2}>
            {audit.map((one) => (
              <Row as="li" gap={3} tight justify="between" key={one.id}>
                <span>
                  <b>{one.username}</b>: {one.action}
                  {one.reason !== null && (
                    <>
                      {' '}
                      – <bdi>{one.reason}</bdi>
                    </>
                  )}
                </span>
                <Text as="span" tone="quiet">
                  {showMoment(one.at)}
                </Text>
                <Changes before={one.before} after={one.after} />
              </Row>
            ))}
          </Stack>
        </Fold>
      )}
    </Stack>
  )
}

type Values = Readonly<Record<string, unknown>> | null

function Changes({ before, after }: { readonly before: Values; readonly after: Values }) {
  const fields = Object.keys(after ?? {}).filter(
    (field) => field !== 'version' && before !== null && field in before,
  )
  if (fields.length === 0) return null
  const names: Readonly<Record<string, string>> = FIELD_NAMES
  return (
    <Text as="ul" tone="quiet" className={css.line}>
      {fields.map((field) => (
        <li key={field}>
          {names[field] ?? field.replaceAll('_', ' ')}: <bdi>{shown(before?.[field])}</bdi> →{' '}
          <bdi>{shown(after?.[field])}</bdi>
        </li>
      ))}
    </Text>
  )
}

const LONGEST = 160

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
