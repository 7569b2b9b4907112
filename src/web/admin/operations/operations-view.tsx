import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { type z } from 'zod'
import * as calls from '#contracts/operations.ts'
import { ASSETS } from '#domain/asset.ts'
import { MODE_PRICES } from '#domain/judging/verdict.ts'
import { counted, showCount, showUsd } from '#domain/price-text.ts'
import { openSubmission, PUBLISH } from '#web/admin/addresses.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { AdminTable, type Column, column } from '#web/admin/kit/admin-table.tsx'
import { Load } from '#web/admin/kit/list.tsx'
import { AdminPage, Confirm, NewTab, Section } from '#web/admin/kit/screen.tsx'
import { Act } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { type Callable } from '#web/api/call.ts'
import { Tag, type TagTone } from '#web/ui/chip.tsx'
import { Panel, Stack, Callout, Text, Note } from '#web/ui/primitives.tsx'
import { dateOr, showDate, momentOr, showMoment } from '#web/ui/show.ts'
import { Away } from '#web/ui/source-link.tsx'

type Job = z.infer<typeof calls.listJobs.reply>['jobs'][number]
type Failed = z.infer<typeof calls.listJobs.reply>['failed'][number]
type Earlier = z.infer<typeof calls.listEarlierDays.reply>['waiting'][number]
type Sources = z.infer<typeof calls.listSources.reply>
type Jump = z.infer<typeof calls.listJumps.reply>['jumps'][number]

export function OperationsView() {
  return (
    <AdminPage aside={<NewTab to="/metrics">Metrics</NewTab>}>
      <Live id="failed" title="Failed jobs and deliveries" route={calls.listJobs}>
        {({ failed }) => (
          <>
            {failed.length > 0 && (
              <Note>
                A delivery in doubt may have arrived; it is not sent again unless you say so.
              </Note>
            )}
            <AdminTable
              label="Failed jobs and deliveries"
              rows={failed}
              empty="Nothing has failed."
              idOf={({ id }) => id}
              columns={FAILED}
            />
          </>
        )}
      </Live>
      <Live title="Price jumps" route={calls.listJumps}>
        {({ jumps }) => {
          const answered = jumps.filter(({ answer }) => answer !== null)
          return (
            <>
              {answered.length === jumps.length && <Note>No price jumps to review.</Note>}
              {jumps
                .filter(({ answer }) => answer === null)
                .map((jump) => (
                  <Question key={`${jump.asset} ${jump.date}`} jump={jump} />
                ))}
              {answered.length > 0 && (
                <Stack as="ul" gap={2} size="small" aria-label="Answered">
                  {answered.map((jump) => (
                    <li key={`${jump.asset} ${jump.date}`}>
                      {jumpText(jump)} <b>{jump.answer}</b>
                      {jump.answered_at !== null && `, ${showMoment(jump.answered_at)}`}
                    </li>
                  ))}
                </Stack>
              )}
            </>
          )
        }}
      </Live>
      <Live title="Highs and lows of earlier days" route={calls.listEarlierDays}>
        {({ waiting }) => (
          <>
            <Note>
              Days that have only a close get highs and lows from the price sources. Where a verdict
              would change, an administrator has to publish them here first.
              {waiting.length === 0 && ' None wait now.'}
            </Note>
            {waiting.map((one) => (
              <EarlierDays key={one.asset} {...one} />
            ))}
          </>
        )}
      </Live>
      <Live title="Jobs" route={calls.listJobs}>
        {({ jobs, warnings }) => (
          <>
            {warnings.map(({ name, text }) => (
              <Callout key={name} tone="wait">
                {text}
              </Callout>
            ))}
            <AdminTable
              label="Jobs"
              rows={jobs}
              empty="No jobs are set up."
              idOf={({ name }) => name}
              columns={JOBS}
            />
          </>
        )}
      </Live>
      <Live title="Price sources" route={calls.listSources}>
        {(status) => (
          <>
            <Text size="small">{stateOfSources(status)}</Text>
            <AdminTable
              label="Price sources"
              rows={status.sources}
              empty="No sources are in use."
              idOf={({ asset, source, kind }) => `${asset} ${source} ${kind}`}
              columns={SOURCES}
            />
          </>
        )}
      </Live>
      <Live title="Source links" route={calls.listSourceChecks}>
        {(checks) => {
          const { total, newest } = checks.dead
          return (
            <>
              <Text size="small">{countsText(checks)}</Text>
              <AdminTable
                label="Addresses that no longer answer"
                rows={newest}
                idOf={({ url }) => url}
                columns={DEAD}
              />
              {newest.length < total && (
                <Text size="small">The newest {showCount(newest.length)} are listed.</Text>
              )}
            </>
          )
        }}
      </Live>
    </AdminPage>
  )
}

function Live<Called extends Callable>({
  title,
  id,
  route,
  children,
}: {
  readonly title: string
  readonly id?: string
  readonly route: Called
  readonly children: (reply: z.infer<Called['reply']>) => ReactNode
}) {
  return (
    <Section title={title} gap={4} id={id}>
      <Load route={route} options={{ refetchInterval: 20_000 }} what={title.toLowerCase()}>
        {children}
      </Load>
    </Section>
  )
}

const jobTone = (state: Job['state']): TagTone | undefined =>
  state === 'off' ? undefined : state === 'failing' || state === 'late' ? 'bad' : 'good'

const JOBS: readonly Column<Job>[] = [
  column.title('Job', ({ title }) => title),
  column.short('State', ({ state }) => <Tag tone={jobTone(state)}>{state}</Tag>),
  column.number('Waiting', ({ waiting }) => waiting),
  column.moment('Last run', ({ last_run: at }) => at, '–'),
  column.moment('Next run', ({ next_run: at }) => at, '–'),
  column.text(
    'Last failure',
    ({ last_error: error, last_error_at: at }) =>
      error !== null && (
        <Text as="span" tone="bad">
          {at !== null && `${showMoment(at)}: `}
          <bdi>{error}</bdi>
        </Text>
      ),
  ),
]

const FAILED: readonly Column<Failed>[] = [
  column.title('What', ({ kind, title, key, ref, count }) => (
    <>
      {kind === 'notice' && ref !== null ? <Link to={openSubmission(ref)}>{title}</Link> : title}
      {key !== null && (
        <>
          : <bdi>{key}</bdi>
        </>
      )}
      {count > 1 && ` (${showCount(count)})`}
    </>
  )),
  column.short('State', ({ state }) => (
    <Tag tone={state === 'failed' ? 'bad' : 'wait'}>
      {state === 'failed' ? 'failed' : 'in doubt'}
    </Tag>
  )),
  column.moment('Last failure', ({ failed_at: at }) => at),
  column.number('Tries', ({ tries }) => tries),
  column.text('Reason', ({ reason }) => (
    <Text as="span" tone="bad">
      <bdi>{reason}</bdi>
    </Text>
  )),
  column.actions(({ id, kind, state }) =>
    kind === 'post' ? (
      <Link to={PUBLISH}>Decide</Link>
    ) : (
      <>
        {state === 'unknown' && (
          <Act id={id} send={() => adminCall(calls.markArrived, { params: { id } })}>
            It arrived
          </Act>
        )}
        <Act id={id} send={() => adminCall(calls.retryJob, { params: { id }, body: { state } })}>
          {state === 'failed' ? 'Try again' : 'Send it again'}
        </Act>
        {state === 'failed' && (
          <Act id={id} send={() => adminCall(calls.dismissFailed, { params: { id } })}>
            Dismiss
          </Act>
        )}
      </>
    ),
  ),
]

const ANSWERS = [
  ['real', 'It was real'],
  ['split', 'It was a split'],
  ['wrong', 'The price is wrong'],
] as const

/** Asks about an unexplained jump in closes, which are withheld until an administrator answers. */
function Question({ jump }: { readonly jump: Jump }) {
  const ratio = jump.looks_like_split?.toString() ?? ''
  const [first] = useState<string>(ratio === '' ? 'real' : 'split')
  return (
    <Panel tone="wait" gap={2} size="small">
      <p>
        <b>{jumpText(jump)}</b>
      </p>
      <p>Its prices are withheld, and predictions that need them stay pending.</p>
      <AdminForm
        label={`Answer for ${ASSETS[jump.asset].symbol} on ${showDate(jump.date)}`}
        route={calls.answerJump}
        start={{ answer: first, ratio, note: '' }}
        fields={({ answer }) => ({
          answer: { label: 'Answer', options: ANSWERS },
          ratio: answer === 'split' && { label: 'Split into how many', is: 'decimal' },
          note: { label: 'Note', optional: true },
        })}
        body={({ answer, ratio: typed, note }) => ({
          asset: jump.asset,
          date: jump.date,
          answer: ANSWERS.find(([one]) => one === answer)?.[0] ?? 'real',
          note,
          ...(answer === 'split' && Number(typed) > 0 ? { ratio: Number(typed) } : {}),
        })}
        columns
        send="Answer"
      />
    </Panel>
  )
}

function jumpText(jump: Jump): string {
  return `${ASSETS[jump.asset].symbol} on ${showDate(jump.date)}: ${showUsd(jump.after)} after ${showUsd(jump.before)} on ${showDate(jump.before_date)} (${jump.sources}).`
}

/** Unpublished highs and lows of earlier days, with the verdicts that they would change. */
function EarlierDays(earlier: Earlier) {
  const { asset, days, changed, changes, completed, digest, agreed_by: agreed } = earlier
  const { symbol } = ASSETS[asset]
  const more = changed - changes.length
  return (
    <Panel tone="wait" gap={2} size="small">
      <p>
        <b>
          {symbol}: {counted(days, 'day')} with a range would change {counted(changed, 'verdict')}
        </b>
        , and {showCount(completed)} would have better evidence.
      </p>
      <Stack as="ul" gap={1} aria-label="Changed verdicts">
        {changes.map(({ id, mode, before, after }) => (
          <li key={`${id} ${mode}`}>
            <NewTab to={`/predictions/${encodeURIComponent(id)}`}>{id}</NewTab>, by{' '}
            {MODE_PRICES[mode]}: {before} → {after}
          </li>
        ))}
        {more > 0 && <li>and {showCount(more)} more</li>}
      </Stack>
      {agreed === null ? (
        <Confirm
          title={`Publish ${symbol} ranges`}
          yes="Publish"
          send={() => adminCall(calls.publishEarlierDays, { body: { asset, seen: digest } })}
        >
          The sources are asked once more. The highs and lows enter the record if they change just
          these verdicts; otherwise you are asked again. Nothing is announced.
        </Confirm>
      ) : (
        <p>{agreed} has published them: they enter once the sources have answered again.</p>
      )}
    </Panel>
  )
}

function stateOfSources({ assets, prices, leader }: Sources): string {
  const parts = assets.map(
    ({ asset, last_bar: last, expected_bar: expected }) =>
      `${ASSETS[asset].symbol} up to ${dateOr('nothing yet', last)}${last === expected ? '' : ` (${dateOr('nothing', expected)} expected)`}`,
  )
  if (!prices) parts.push('Prices from outside are switched off.')
  else if (!leader) parts.push('Another process is connected to the venues.')
  return parts.join(' · ')
}

const SOURCES: readonly Column<Sources['sources'][number]>[] = [
  column.title('Source', ({ title, kind }) => (
    <>
      {title} {kind === 'live' && <Tag>live</Tag>}
    </>
  )),
  column.short('Asset', ({ asset }) => ASSETS[asset].symbol),
  column.short('State', ({ state, failures }) => (
    <Tag tone={state === 'ok' ? 'good' : state === 'failing' ? 'bad' : undefined}>
      {state.replace('-', ' ')}
      {failures > 1 && ` (${String(failures)})`}
    </Tag>
  )),
  column.short('Last bar', ({ last_bar: day }) => dateOr('–', day)),
  column.moment('Last success', ({ last_success: at }) => at, '–'),
  column.moment('Next run', ({ next_run: at }) => at, '–'),
  column.text(
    'Last failure',
    ({ state, last_error: error, last_error_at: at }) =>
      error !== null && (
        <Text as="span" tone={state === 'failing' ? 'bad' : 'quiet'}>
          {momentOr('–', at)}: <bdi>{error}</bdi>
        </Text>
      ),
  ),
  column.actions(
    ({ kind, asset, source }) =>
      kind === 'daily' && (
        <Act
          id={`${asset} ${source}`}
          send={() => adminCall(calls.runSource, { body: { asset, source } })}
        >
          Run now
        </Act>
      ),
  ),
]

type Checks = z.infer<typeof calls.listSourceChecks.reply>

const DEAD: readonly Column<Checks['dead']['newest'][number]>[] = [
  column.title('Address', ({ url }) => <Away to={url}>{url}</Away>),
  column.moment('No answer since', ({ dead_since: at }) => at),
  column.moment('Checked', ({ asked_at: at }) => at),
  column.text('Answer', ({ note }) => note),
  column.text('Archived copy', ({ archived_url: url }) =>
    url === null ? 'None' : <Away to={url}>Archived copy</Away>,
  ),
  column.text('Predictions', ({ predictions }) =>
    predictions.map((id, i) => (
      <span key={id}>
        {i > 0 && ', '}
        <NewTab to={`/predictions/${encodeURIComponent(id)}`}>{id}</NewTab>
      </span>
    )),
  ),
]

/** `Each source link … 301 of 304 links checked, 12 due. 3 no longer answer, 2 failed but may come back, 40 could not be checked. …` */
function countsText(checks: Checks): string {
  const { addresses, asked: checked, waiting, failing, closed, dead, last_asked, next_ask } = checks
  const n = showCount
  const isOff = checks.mode === 'off'
  const parts = [
    isOff
      ? 'Source links are not checked (SOURCE_CHECKS=off).'
      : 'Each source link is checked once a week (SOURCE_CHECKS=weekly).',
    `${n(checked)} of ${n(addresses)} links checked${isOff ? '' : `, ${n(waiting)} due`}.`,
    `${n(dead.total)} no longer answer, ${n(failing)} failed but may come back, ${n(closed)} could not be checked.`,
    `Last checked: ${momentOr('never', last_asked)}.`,
  ]
  if (!isOff) parts.push(`Next: ${momentOr('now', waiting > 0 ? null : next_ask)}.`)
  return parts.join(' ')
}
