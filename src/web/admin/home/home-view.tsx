import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { Link } from 'wouter'
import { type z } from 'zod'
import { adminHome } from '#contracts/review.ts'
import { fieldsText } from '#domain/claim/text.ts'
import { ASSETS } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { addressOfDashboard } from '#web/admin/addresses.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { useMay } from '#web/api/role.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { showDate } from '#web/ui/show-date.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import css from './home.module.css'
import { repliesText, waitingText, waitText } from './home-texts.ts'
import { Panel, Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

type Home = z.infer<typeof adminHome.reply>
type HomeRow = Home['decided_today']['latest'][number]

/** Where a failure is looked into. */
const FAILURE_LINKS: Readonly<Record<Home['failed'][number]['kind'], string>> = {
  source: '/admin/operations',
  payment: '/admin/payments?kind=odd',
  queue: '/admin/queue',
  notice: '/admin/operations',
}

const REFRESH_MS = 20_000
/** Where the failures are on the page. */
const FAILED = 'failed'

/** What waits, what was decided today, and what has failed. */
export function HomeView() {
  const query = useQuery({
    queryKey: ['review-home'],
    queryFn: ({ signal }) => adminCall(adminHome, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Loaded
      query={query}
      loading="Loading the overview..."
      failed="The overview could not be loaded."
    >
      {(home) => <Overview home={home} />}
    </Loaded>
  )
}

function openAt(row: Pick<HomeRow, 'id' | 'asset_type' | 'status'>): string {
  const tab = row.status === 'pending' ? '' : 'tab=all&'
  return `${addressOfDashboard(row.asset_type)}?${tab}open=${row.id}`
}

function Overview({ home }: { readonly home: Home }) {
  const mayLook = useMay('read-all')
  return (
    <AdminPage
      title="Home"
      aside={
        <Text tone="quiet" size="small">
          As of {showMoment(home.at)}
        </Text>
      }
      width="narrow"
      gap={6}
    >
      <NextStep home={home} />
      <Section title="Waiting for review">
        <ul className={css.figures}>
          {home.waiting.map((one) => (
            <li key={one.asset_type}>
              <Link to={addressOfDashboard(one.asset_type)} className={css.figure}>
                <Text as="span" size="head" figure>
                  {showCount(one.counts.pending)}
                </Text>
                <span>{ASSETS[one.asset_type].symbol}</span>
                <Text as="span" tone="quiet" size="small">
                  {one.oldest_at === null
                    ? 'Nothing waits'
                    : `Oldest: ${waitText(Date.parse(home.at) - Date.parse(one.oldest_at))}`}
                </Text>
              </Link>
            </li>
          ))}
        </ul>
        {home.oldest.length > 0 && (
          <Rows label="Waiting longest">
            {home.oldest.map((row) => (
              <Row as="li" gap={4} tight justify="between" key={row.id} className={css.row}>
                <Said row={row} to={openAt(row)} />
                <Text as="span" tone="quiet" size="small">
                  waits {waitText(row.waits_ms)}
                </Text>
              </Row>
            ))}
          </Rows>
        )}
      </Section>
      {home.replies !== null && (
        <Section title="Replies">
          <p>
            <Link to="/admin/replies">{repliesText(home.replies)}</Link>
          </p>
        </Section>
      )}
      {home.open_reports > 0 && (
        <Section title="Reported errors">
          <p>
            <Link to="/admin/reports">
              {home.open_reports === 1
                ? '1 report waits'
                : `${showCount(home.open_reports)} reports wait`}
            </Link>
          </p>
        </Section>
      )}
      <Section title="Decided today">
        <p>
          {home.decided_today.approved} approved, {home.decided_today.rejected} rejected
          {home.decided_today.by.length > 0 && (
            <Text as="span" tone="quiet" size="small">
              {' '}
              (
              {home.decided_today.by
                .map(
                  ({ username, approved, rejected }) =>
                    `${username}: ${String(approved + rejected)}`,
                )
                .join(', ')}
              )
            </Text>
          )}
        </p>
        {home.decided_today.latest.length > 0 && (
          <Rows label="Decided last">
            {home.decided_today.latest.map((row) => (
              <Row as="li" gap={4} tight justify="between" key={row.id} className={css.row}>
                <Said row={row} to={openAt(row)} />
                <Text as="span" tone="quiet" size="small">
                  {row.status} by {row.decided_by ?? 'an administrator'}
                  {row.decided_at !== null && `, ${showMoment(row.decided_at)}`}
                </Text>
              </Row>
            ))}
          </Rows>
        )}
      </Section>
      <Section title="Failed">
        {home.failed.length === 0 && (
          <Text tone="quiet" size="small">
            Nothing has failed.
          </Text>
        )}
        {home.failed.length > 0 && (
          <Rows label="Failures" id={FAILED}>
            {home.failed.map((one) => (
              <Row
                as="li"
                gap={4}
                tight
                justify="between"
                key={`${one.kind} ${one.id}`}
                className={css.row}
              >
                <span>
                  <b>{KINDS[one.kind]}</b>: <bdi>{one.text}</bdi>
                </span>
                <Row as="span" gap={3}>
                  {one.at !== null && (
                    <Text as="span" tone="quiet" size="small">
                      {showMoment(one.at)}
                    </Text>
                  )}
                  {one.submission_id !== null && (
                    <Link
                      to={`${addressOfDashboard(ASSETS.btc.key)}?tab=all&open=${one.submission_id}`}
                    >
                      Its submission
                    </Link>
                  )}
                  {/* Reviewers can only open the queue. */}
                  {(mayLook || one.kind === 'queue') && (
                    <Link to={FAILURE_LINKS[one.kind]}>Look into it</Link>
                  )}
                </Row>
              </Row>
            ))}
          </Rows>
        )}
      </Section>
    </AdminPage>
  )
}

/** What to do next, and the button that begins it. */
function NextStep({ home }: { readonly home: Home }) {
  const count = home.waiting.reduce((sum, { counts }) => sum + counts.pending, 0)
  const [oldest] = home.oldest
  return (
    <Panel as="section" aria-label="Next">
      <Row gap={4} justify="between">
        <Text size="lead" strong>
          {waitingText(count, oldest?.waits_ms ?? 0)}
        </Text>
        {oldest && (
          <Link to={openAt(oldest)} className={buttonClass('primary')}>
            Start reviewing
          </Link>
        )}
        {!oldest && home.failed.length > 0 && (
          <a href={`#${FAILED}`} className={buttonClass('plain')}>
            See what failed
          </a>
        )}
      </Row>
    </Panel>
  )
}

const KINDS: Readonly<Record<Home['failed'][number]['kind'], string>> = {
  notice: 'Notice',
  queue: 'Post',
  source: 'Prices',
  payment: 'Payment',
}

function Rows({
  label,
  id,
  children,
}: {
  readonly label: string
  readonly id?: string
  readonly children: ReactNode
}) {
  return (
    <Panel as="ul" gap={0} size="small" className={css.rows} id={id} aria-label={label}>
      {children}
    </Panel>
  )
}

function Said({ row, to }: { readonly row: HomeRow; readonly to: string }) {
  return (
    <Link to={to}>
      <bdi>{row.expert_name}</bdi>: {ASSETS[row.asset_type].symbol}{' '}
      {fieldsText(row, showDate(row.target_time))}
    </Link>
  )
}
