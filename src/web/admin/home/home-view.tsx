import { Link } from 'wouter'
import { type z } from 'zod'
import { adminHome, type SubmissionRow } from '#contracts/review.ts'
import { ASSETS } from '#domain/asset.ts'
import { fieldsText } from '#domain/claim/written.ts'
import { plural } from '#domain/day.ts'
import { counted, showCount } from '#domain/price-text.ts'
import { addressOfDashboard, FAILED, openSubmission, PUBLISH } from '#web/admin/addresses.ts'
import { useMay } from '#web/admin/hints.ts'
import { AdminTable, column } from '#web/admin/kit/admin-table.tsx'
import { useCall } from '#web/admin/kit/list.tsx'
import { AdminPage, Section } from '#web/admin/kit/screen.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Panel, Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { showDate, showMoment } from '#web/ui/show.ts'

type Home = z.infer<typeof adminHome.reply>

const FAILURES: Readonly<Record<Home['failed'][number]['kind'], readonly [string, string]>> = {
  queue: ['Post', '/admin/queue'],
  source: ['Prices', '/admin/operations'],
  payment: ['Payment', '/admin/payments?kind=odd'],
}

const MOST_FAILED = 50

export function HomeView() {
  const query = useCall(adminHome, {}, { refetchInterval: 20_000 })
  return (
    <AdminPage
      aside={query.data && <Note>As of {showMoment(query.data.at)}</Note>}
      width="narrow"
      gap={6}
    >
      <Loaded query={query} what="overview">
        {(home) => <Overview home={home} />}
      </Loaded>
    </AdminPage>
  )
}

function Overview({ home }: { readonly home: Home }) {
  const mayLook = useMay('read-all')
  const { decided_today: decided } = home
  return (
    <>
      <Due home={home} />
      {home.oldest.length > 0 && (
        <Section title="Waiting for review">
          <AdminTable<SubmissionRow>
            label="Waiting longest"
            rows={home.oldest}
            idOf={({ id }) => id}
            columns={[
              column.title('Submission', (row) => <PredictionLink row={row} />),
              column.short(
                'Waiting',
                ({ created_at: since }) => waitWords(msUntil(home.at, since)) ?? 'under a minute',
              ),
            ]}
          />
        </Section>
      )}
      <Section title="Decided today">
        <p>
          {showCount(decided.approved)} approved, {showCount(decided.rejected)} rejected
          {decided.by.length > 0 && (
            <Note as="span">
              {' '}
              (
              {decided.by
                .map((one) => `${one.username}: ${showCount(one.approved + one.rejected)}`)
                .join(', ')}
              )
            </Note>
          )}
        </p>
        <AdminTable<SubmissionRow>
          label="Decided last"
          rows={decided.latest}
          idOf={({ id }) => id}
          columns={[
            column.title('Submission', (row) => <PredictionLink row={row} />),
            column.short('State', ({ status }) => status),
            column.text('By', ({ decided_by: by }) => by ?? 'an administrator'),
            column.moment('Decided', ({ decided_at: at }) => at),
          ]}
        />
      </Section>
      <Section title="Failed">
        <AdminTable<Home['failed'][number]>
          label="Failures"
          rows={home.failed}
          empty={`Nothing ${home.to_do.failed ? 'else ' : ''}has failed.`}
          idOf={({ kind, id }) => `${kind} ${id}`}
          columns={[
            column.title('What', ({ kind }) => FAILURES[kind][0]),
            column.text('Why', ({ text }) => text),
            column.moment('When', ({ at }) => at),
            column.actions(({ kind, submission_id: id }) => (
              <>
                {id !== null && <Link to={openSubmission(id)}>Submission</Link>}
                {/* Reviewers have access to the queue only. */}
                {(mayLook || kind === 'queue') && <Link to={FAILURES[kind][1]}>Look into it</Link>}
              </>
            )),
          ]}
        />
        {home.failed.length >= MOST_FAILED && (
          <Note>The newest {home.failed.length} are listed.</Note>
        )}
      </Section>
    </>
  )
}

/** Pending work, most urgent first: promises, possible errors in published data, then the rest. */
function Due({ home }: { readonly home: Home }) {
  const { replies, posts, price_questions: questions, payments, reports, failed } = home.to_do
  const [oldest] = home.oldest
  const count = (n: number | null, one: string, many: string) =>
    n !== null && n > 0 && `${counted(n, one, many)}.`
  const rows: readonly (readonly [string | false | null, string])[] = [
    [replies !== null && replies.waiting > 0 && repliesText(replies), '/admin/replies'],
    [count(posts, 'post needs a decision', 'posts need a decision'), PUBLISH],
    [count(questions, 'price question', 'price questions'), '/admin/operations'],
    [
      count(payments, 'payment needs settling', 'payments need settling'),
      '/admin/payments?kind=odd',
    ],
    [
      count(
        failed,
        'job or delivery has failed or is in doubt',
        'jobs or deliveries have failed or are in doubt',
      ),
      FAILED,
    ],
    [count(reports, 'report is waiting', 'reports are waiting'), '/admin/reports'],
    ...home.waiting.map(({ asset_type: asset, pending, oldest_at: since }) => {
      const ms = since === null ? 0 : msUntil(home.at, since)
      const text = pending > 0 && waitingText(ASSETS[asset].symbol, pending, ms)
      return [text, addressOfDashboard(asset)] as const
    }),
  ]
  const due = rows.filter(([text]) => text)
  return (
    <Panel as="section" aria-label="Due">
      <Row gap={4} align="start" justify="between">
        {due.length === 0 ? (
          <Text size="lead" strong>
            Nothing is waiting.
          </Text>
        ) : (
          <Stack as="ol" gap={2}>
            {due.map(([text, to]) => (
              <li key={to}>
                <Link to={to}>{text}</Link>
              </li>
            ))}
          </Stack>
        )}
        {oldest && (
          <Link to={openAt(oldest)} className={buttonClass('primary')}>
            Start reviewing
          </Link>
        )}
      </Row>
    </Panel>
  )
}

function PredictionLink({ row }: { readonly row: SubmissionRow }) {
  return (
    <Link to={openAt(row)}>
      <bdi>{row.expert_name}</bdi>: {ASSETS[row.asset_type].symbol}{' '}
      {fieldsText(row, showDate(row.target_time))}
    </Link>
  )
}

function openAt(row: SubmissionRow): string {
  const tab = row.status === 'pending' ? '' : 'tab=all&'
  return `${addressOfDashboard(row.asset_type)}?${tab}open=${row.id}`
}

/** `2 replies are waiting, 1 is overdue.` or `1 reply is waiting, promised by 25/11/2026.` */
export function repliesText(replies: NonNullable<Home['to_do']['replies']>): string {
  const { waiting, overdue, answer_by: by } = replies
  const all = counted(waiting, 'reply is waiting', 'replies are waiting')
  if (overdue > 0) return `${all}, ${counted(overdue, 'is', 'are')} overdue.`
  if (by === null) return `${all}.`
  return `${all}, ${waiting === 1 ? '' : 'the first '}promised by ${showDate(by.slice(0, 10))}.`
}

/** `12 BTC submissions are waiting, the oldest for 3 days.` */
export function waitingText(symbol: string, count: number, oldestMs: number): string {
  const time = waitWords(oldestMs)
  const all = counted(count, `${symbol} submission is waiting`, `${symbol} submissions are waiting`)
  if (time === null) return `${all}.`
  return count === 1 ? `${all}, for ${time}.` : `${all}, the oldest for ${time}.`
}

const msUntil = (at: string, since: string) => Date.parse(at) - Date.parse(since)
const MINUTE_MS = 60_000

function waitWords(ms: number): string | null {
  const minutes = Math.floor(ms / MINUTE_MS)
  if (minutes < 1) return null
  if (minutes < 60) return plural(minutes, 'minute')
  if (minutes < 48 * 60) return plural(Math.floor(minutes / 60), 'hour')
  return plural(Math.floor(minutes / (24 * 60)), 'day')
}
