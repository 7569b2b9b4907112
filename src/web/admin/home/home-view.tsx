import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { Link } from 'wouter'
import { type z } from 'zod'
import { adminHome } from '#contracts/review.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { showDate } from '#web/ui/show-date.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import css from './home.module.css'
import { waitText } from './home-texts.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

type Home = z.infer<typeof adminHome.reply>
type HomeRow = Home['decided_today']['latest'][number]

/** Where the tools stand that a failure is looked into with; missing ones are told without a link. */
type FailureLinks = Partial<Readonly<Record<Home['failed'][number]['kind'], string>>>

type HomeLinks = {
  /** Where the submissions of an asset are reviewed. */
  readonly addressOf: (asset: AssetKey) => string
  readonly failureLinks: FailureLinks
}

const REFRESH_MS = 20_000

/** What waits, what was decided today, and what has failed. */
export function HomeView({ addressOf, failureLinks }: HomeLinks) {
  const query = useQuery({
    queryKey: ['review-home'],
    queryFn: ({ signal }) => adminCall(adminHome, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Stack gap={6} className={css.page}>
      <Loaded
        query={query}
        loading="Loading the overview..."
        failed="The overview could not be loaded."
      >
        {(home) => <Overview home={home} addressOf={addressOf} failureLinks={failureLinks} />}
      </Loaded>
    </Stack>
  )
}

function Overview({ home, addressOf, failureLinks }: HomeLinks & { readonly home: Home }) {
  const openAt = (row: Pick<HomeRow, 'id' | 'asset_type' | 'status'>): string =>
    `${addressOf(row.asset_type)}?${row.status === 'pending' ? '' : 'tab=all&'}open=${row.id}`
  return (
    <>
      <Row as="header" align="baseline" justify="between">
        <Text as="h1" size="title">
          Home
        </Text>
        <Text tone="quiet" size="small">
          As of {showMoment(home.at)}
        </Text>
      </Row>
      <Section title="Waiting for review">
        <ul className={css.figures}>
          {home.waiting.map((one) => (
            <li key={one.asset_type}>
              <Link to={addressOf(one.asset_type)} className={css.figure}>
                <span className={css.number}>{showCount(one.counts.pending)}</span>
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
                  {row.status} by {row.decided_by ?? 'somebody'}
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
          <Rows label="Failures">
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
                    <Link to={`${addressOf(ASSETS.btc.key)}?tab=all&open=${one.submission_id}`}>
                      Its submission
                    </Link>
                  )}
                  <More to={failureLinks[one.kind]} />
                </Row>
              </Row>
            ))}
          </Rows>
        )}
      </Section>
    </>
  )
}

const KINDS: Readonly<Record<Home['failed'][number]['kind'], string>> = {
  notice: 'Notice',
  queue: 'Post',
  source: 'Price source',
  payment: 'Payment',
}

function More({ to }: { readonly to: string | undefined }) {
  return to === undefined ? null : <Link to={to}>Look into it</Link>
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack as="section" aria-label={title}>
      <Text as="h2" size="lead">
        {title}
      </Text>
      {children}
    </Stack>
  )
}

function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Panel as="ul" gap={0} size="small" className={css.rows} aria-label={label}>
      {children}
    </Panel>
  )
}

function Said({ row, to }: { readonly row: HomeRow; readonly to: string }) {
  return (
    <Link to={to}>
      <bdi>{row.expert_name}</bdi>: {ASSETS[row.asset_type].symbol} {row.price_prediction} by{' '}
      {showDate(row.target_time)}
    </Link>
  )
}
