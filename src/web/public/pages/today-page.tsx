import { useEffect } from 'react'
import { viewFile } from '#contracts/data-files.ts'
import { type PageData } from '#contracts/page.ts'
import {
  sinceOf,
  sinceVisit,
  TODAY_ADDRESS,
  TODAY_KINDS,
  TODAY_PATH,
  todayAddress,
  type Today,
  type TodayItem,
  type TodayKind,
} from '#contracts/today.ts'
import { addDays, day, dayOfTime, isoDay, readDay, showDay, type Day } from '#domain/day.ts'
import { useAddressState } from '#web/address/address-state.ts'
import { useNarrowed } from '#web/api/use-narrowed.ts'
import { type PageProps } from '#web/head/site.ts'
import { Calls } from '#web/public/landing/live-now.tsx'
import { deviceStore, keep } from '#web/ui/device-store.ts'
import { useOfBrowser } from '#web/ui/hooks.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack, Section, Text, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'

const TITLES: Readonly<Record<TodayKind, string>> = {
  call: 'New calls',
  verdict: 'Verdicts',
  correction: 'Corrections',
  reply: 'Replies',
  deadline: 'Deadlines of the next 30 days',
  closest: 'Closest to being decided by price',
}
const EMPTY: Readonly<Record<TodayKind, string>> = {
  call: 'No new calls.',
  verdict: 'No new verdicts.',
  correction: 'No corrections.',
  reply: 'No replies.',
  deadline: 'No open call is due in the next 30 days.',
  closest: 'No open call can be compared with a price.',
}
/** Excluded for past days, because replies and corrections are as of now. */
const NOT_PAST: readonly TodayKind[] = ['correction', 'reply']

const addressOf = ({ since, past }: Today): string =>
  todayAddress({ since: readDay(since), day: readDay(past) })
const newsIn = (data: PageData) => (data.page === 'today' ? data.news : undefined)

export function TodayPage({ content }: PageProps<'today'>) {
  const [view] = useAddressState(TODAY_ADDRESS)
  const visited = useLastVisit()
  const today = day(content.news.today)
  const past = view.day !== null && view.day < today ? view.day : null
  const since = past === null ? (view.since ?? visited) : view.since
  const {
    visible: news,
    state,
    retry,
  } = useNarrowed(
    content.news,
    addressOf(content.news),
    todayAddress({ since: sinceOf({ since }, past ?? today), day: past }),
    newsIn,
  )
  return (
    <Stack as="article" gap={8}>
      <Stack as="header" gap={3}>
        <h1>{news.past === null ? 'What is new' : `What was new on ${showDate(news.past)}`}</h1>
        <Text tone="quiet" size="lead">
          {sentence(news, visited)}
        </Text>
        <Ways today={today} past={past} />
        <Note>
          Follow: <a href={`${TODAY_PATH}/feed.xml`}>RSS</a> ·{' '}
          <a href={`${TODAY_PATH}/feed.json`}>JSON feed</a>. By email: press Follow on the page of a
          person, a prediction or an asset.
        </Note>
      </Stack>
      {state === 'failed' && (
        <Notice
          alert
          title="The news could not be loaded"
          text="You still see what was loaded before."
          onRetry={retry}
        />
      )}
      <Stack gap={8} aria-busy={state === 'loading'}>
        {TODAY_KINDS.filter((kind) => news.past === null || !NOT_PAST.includes(kind)).map(
          (kind) => (
            <News key={kind} kind={kind} news={news} />
          ),
        )}
      </Stack>
    </Stack>
  )
}

function News({ kind, news }: { readonly kind: TodayKind; readonly news: Today }) {
  const items = news.items.filter((one) => one.kind === kind)
  const file = viewFile(TODAY_PATH, addressOf(news).slice(TODAY_PATH.length), 'csv')
  return (
    <Section gap={2} title={TITLES[kind]}>
      {kind === 'closest' && items.length > 0 && (
        <Note>
          A daily move is what the asset typically moves in a day (its volatility), so Bitcoin and
          shares can be compared. Counted from the last close of each.
        </Note>
      )}
      {items.length === 0 && <Text tone="quiet">{EMPTY[kind]}</Text>}
      <Calls calls={items.map((one) => ({ ...one, note: noteOf(one, news.past !== null) }))} />
      {news.more.includes(kind) && (
        <Note>
          Only the first {items.length} are listed. The <a href={file ?? undefined}>CSV file</a> has
          more.
        </Note>
      )}
    </Section>
  )
}

function noteOf({ kind, at, note }: TodayItem, isPast: boolean): string {
  // These include their date, or their statement does.
  if (kind === 'closest' || kind === 'deadline' || (kind === 'call' && isPast)) return note
  const day = showDate(at)
  return note === '' || note === `on ${day}` ? day : `${day} · ${note}`
}

function sentence({ since, past }: Today, visited: Day | null): string {
  if (past !== null) {
    return `Calls made or decided from ${showDate(since)} to ${showDate(past)}, and what was open then.`
  }
  const isVisit = visited !== null && isoDay(visited) === since
  return `New since ${isVisit ? 'your last visit on ' : ''}${showDate(since)}, and what comes next.`
}

/** Plain links, which work before scripts are loaded. */
function Ways({ today, past }: { readonly today: Day; readonly past: Day | null }) {
  const link = (since: Day, day: Day | null, text: string) => (
    <a href={todayAddress({ since, day })}>{text}</a>
  )
  if (past !== null) {
    return (
      <Row as="nav" gap={4} tight aria-label="Days">
        {link(addDays(past, -2), addDays(past, -1), `← ${showDay(addDays(past, -1))}`)}
        {addDays(past, 1) < today && link(past, addDays(past, 1), `${showDay(addDays(past, 1))} →`)}
        <a href={TODAY_PATH}>Today</a>
      </Row>
    )
  }
  return (
    <Row as="nav" gap={4} tight className="taps" aria-label="Since when">
      {link(addDays(today, -1), null, 'Since yesterday')}
      {link(addDays(today, -7), null, 'Seven days')}
      {link(addDays(today, -30), null, 'Thirty days')}
      {link(addDays(today, -2), addDays(today, -1), 'As of yesterday')}
    </Row>
  )
}

const VISITS = 'proof-of-price-days-of-visits'

/** The first day of news since this device's last visit, constant for a day; null for yesterday. */
function useLastVisit(): Day | null {
  useEffect(() => keep(deviceStore(), VISITS, visits().join(' ')), [])
  return useOfBrowser(
    () => sinceVisit(visits()[1], dayOfTime(Date.now())),
    () => null,
  )
}

/** ISO days of this visit and of the one before it on another day; empty if unknown. */
function visits(): readonly [last: string, before: string] {
  const today = isoDay(dayOfTime(Date.now()))
  const [last = '', before = ''] = deviceStore()?.getItem(VISITS)?.split(' ') ?? []
  return last === today ? [last, before] : [today, last]
}
