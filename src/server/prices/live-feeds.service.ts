import { type PriceMessage } from '#contracts/prices.ts'
import { LIVE_REPEAT_MS } from '#contracts/paths.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { addDays, dayOfTime } from '#domain/day.ts'
import { isInSession, isCredible, isNear, type Tick } from '#domain/judging/tick.ts'
import { SourceError, type Clock } from '#server/kit/ports.ts'
import { type DailySource, type TickFeed } from './ports.ts'
import { type SourceHealth } from './price-history.service.ts'

/** Milliseconds. */
export type LivePace = {
  /** The least time between two messages of one asset. */
  readonly leastGapMs: number
  /** How often an unchanged price is sent again. */
  readonly repeatMs: number
  /** A venue without a price for this long is replaced by the next. */
  readonly receivedWithinMs: number
  /** How often the assets without a stream are asked for. */
  readonly pollMs: number
  readonly longestPollMs: number
}

const PACE: LivePace = {
  leastGapMs: 400,
  repeatMs: LIVE_REPEAT_MS,
  receivedWithinMs: 30_000,
  // With what chance adds and the answer takes it stays below the minute after which a page calls a price old.
  pollMs: 40_000,
  longestPollMs: 15 * 60_000,
}

type LiveFeeds = {
  readonly clock: Clock
  readonly health: SourceHealth
  readonly feeds: readonly TickFeed[]
  /** Most trusted first; asked only for assets without a feed. */
  readonly polled: readonly DailySource[]
  /** Takes each price that is to be shown. */
  readonly publish: (message: PriceMessage) => void
  /** Takes the state of a live source when it changes: null when it works, else what is wrong, as a sentence. */
  readonly report: (asset: AssetKey, source: string, fault: string | null) => void
  /** Ticks were missed: the running day has to be read again. */
  readonly onGap: (asset: AssetKey) => void
  /** The price that is shown at the start, such as one of the process that led before. */
  readonly lastPrice: (asset: AssetKey) => Tick | null
  /** Asked for where there is no such price; null for none. */
  readonly lastClose: (asset: AssetKey) => Promise<Tick | null>
  readonly pace?: LivePace
}

/** A stream, or a source that is polled. */
type Venue = {
  readonly name: string
  readonly asset: AssetKey
  readonly isFeed: boolean
  isUp: boolean
  last: Tick | null
  /** Since when its prices have been near its last one, milliseconds since 1970. */
  nearSince: number
}

/** State between start and stop. */
type Run = Required<LiveFeeds> & {
  readonly venues: Venue[]
  readonly shown: Map<AssetKey, Tick>
  /** The price that the first tick is compared with. */
  readonly known: Map<AssetKey, Tick>
  readonly publishedAt: Map<AssetKey, number>
  /** Timers of prices that are published when `leastGapMs` is over. */
  readonly waiting: Map<AssetKey, NodeJS.Timeout>
  /** Asset and name of each source that fails. */
  readonly faulty: Set<string>
  readonly stopping: AbortController
}

/**
 * Follows the venues while this process leads: streams where there are any, else polling while the exchange is open. Of
 * several venues the first that has a fresh price is shown; the others confirm prices that are far off, and step in.
 */
export function liveFeeds(given: LiveFeeds) {
  let run: Run | null = null
  return {
    start(): void {
      run ??= startRun(given)
    },
    stop(): void {
      run?.stopping.abort()
      run = null
    },
  }
}

function startRun(given: LiveFeeds): Run {
  const run: Run = {
    pace: PACE,
    ...given,
    venues: [],
    shown: new Map(),
    known: new Map(),
    publishedAt: new Map(),
    waiting: new Map(),
    faulty: new Set(),
    stopping: new AbortController(),
  }
  const { feeds, polled, pace, waiting, stopping } = run
  for (const asset of ASSET_KEYS) findKnown(run, asset)
  for (const feed of feeds) openFeed(run, feed)
  const streamed = new Set(feeds.map((feed) => feed.asset))
  for (const source of polled) {
    if (!streamed.has(source.asset) && source.refreshMs !== null) poll(run, source)
  }
  const repeating = setInterval(() => repeat(run), Math.min(pace.repeatMs / 3, 5_000))
  stopping.signal.addEventListener('abort', () => {
    clearInterval(repeating)
    for (const timer of waiting.values()) clearTimeout(timer)
  })
  return run
}

/** Finds what the first ticks are compared with; until then they need a second venue. */
function findKnown(run: Run, asset: AssetKey): void {
  const last = run.lastPrice(asset)
  if (last) {
    run.known.set(asset, last)
    return
  }
  run.lastClose(asset).then(
    (close) => {
      if (!close || run.stopping.signal.aborted) return
      run.known.set(asset, close)
      choose(run, asset)
    },
    () => {
      // It is in the database, which is away.
    },
  )
}

function openFeed(run: Run, feed: TickFeed): void {
  const venue = addVenue(run, feed, true)
  const connection = feed.open({
    tick: (usd, at) => takeTick(run, venue, usd, at),
    up: (again) => {
      venue.isUp = true
      reportChange(run, venue, null)
      if (again) run.onGap(feed.asset)
    },
    down: (reason) => {
      venue.isUp = false
      venue.last = null
      reportChange(run, venue, reason)
      choose(run, feed.asset)
    },
  })
  run.stopping.signal.addEventListener('abort', () => connection.close())
}

function poll(run: Run, source: DailySource): void {
  const venue = addVenue(run, source, false)
  const { signal } = run.stopping
  let waitMs = run.pace.pollMs
  let timer = setTimeout(() => void round(), 0)
  signal.addEventListener('abort', () => clearTimeout(timer))

  async function round(): Promise<void> {
    waitMs = await ask(run, venue, source, waitMs)
    if (!signal.aborted) timer = setTimeout(() => void round(), waitMs * (0.9 + Math.random() / 5))
  }
}

/** Asks a source for its price while its exchange is open. @returns when to ask again, in ms; after a failure later than last time */
async function ask(run: Run, venue: Venue, source: DailySource, waitedMs: number): Promise<number> {
  const { clock, pace, stopping } = run
  try {
    if (isInSession(ASSETS[source.asset].calendar, clock.now())) {
      const usd = await polledPrice(source, clock, stopping.signal)
      if (usd !== null) {
        if (!venue.isUp) reportChange(run, venue, null)
        venue.isUp = true
        takeTick(run, venue, usd, null)
      }
    } else venue.isUp = false
    return Math.max(pace.pollMs, (source.refreshMs ?? 0) / 8)
  } catch (error) {
    venue.isUp = false
    const fault = error instanceof SourceError ? error : null
    const sentence = fault?.message ?? `${source.title} cannot be read.`
    if (!stopping.signal.aborted) reportChange(run, venue, sentence)
    return Math.max(fault?.waitMs ?? 0, Math.min(waitedMs * 2, pace.longestPollMs))
  }
}

/** The last price of the running day; null when the source has none of it. */
async function polledPrice(
  source: DailySource,
  clock: Clock,
  signal: AbortSignal,
): Promise<number | null> {
  const today = dayOfTime(clock.now())
  const ask = { from: addDays(today, -1), to: today, today, actions: [], signal }
  const { bars } = await source.daily(ask)
  return bars.find((bar) => bar.day === today)?.close ?? null
}

function addVenue(
  { venues, clock }: Run,
  { name, asset }: { readonly name: string; readonly asset: AssetKey },
  isFeed: boolean,
): Venue {
  const venue = { name, asset, isFeed, isUp: false, last: null, nearSince: clock.now() }
  venues.push(venue)
  return venue
}

/** Reports a change for the better or the worse once. */
function reportChange({ faulty, health, report }: Run, venue: Venue, fault: string | null): void {
  const { asset, name } = venue
  const key = `${asset} ${name}`
  if (fault === null) {
    faulty.delete(key)
    health.works(asset, name, 'live')
    report(asset, name, null)
  } else if (!faulty.has(key)) {
    faulty.add(key)
    health.fails(asset, name, 'live', fault)
    report(asset, name, fault)
  }
}

/** @param tradedAt by the venue's clock; ours where it does not say, or is ahead of us */
function takeTick(run: Run, venue: Venue, usd: number, tradedAt: number | null): void {
  const now = run.clock.now()
  const at = Math.min(tradedAt ?? now, now)
  if (venue.last && isBefore(at, venue.last.at, now)) return
  const staysNear = venue.last && isNear(usd, venue.last.usd) && at >= venue.nearSince
  if (!staysNear) venue.nearSince = at
  venue.last = { source: venue.name, usd, at }
  choose(run, venue.asset)
}

/** Shows the price of the first venue with a credible one. */
function choose(run: Run, asset: AssetKey): void {
  const now = run.clock.now()
  const own = run.venues.filter((venue) => venue.asset === asset)
  const isFresh = ({ last }: Venue): boolean =>
    last !== null && Math.abs(now - last.at) <= run.pace.receivedWithinMs
  // A venue that is connected but silent ranks below one with a fresh price.
  const ranked = [...own.filter(isFresh), ...own.filter((venue) => venue.isUp && !isFresh(venue))]
  const before = run.shown.get(asset)
  const last = before ?? run.known.get(asset) ?? null
  for (const venue of ranked) {
    const tick = venue.last
    // A venue that repeats a price from before brings nothing new.
    if (!tick || (last && isBefore(tick.at, last.at, now))) continue
    const others = own.flatMap((other) => (other === venue || !other.last ? [] : [other.last]))
    const { nearSince } = venue
    if (!isCredible(tick, last, others, { sole: own.length === 1, nearSince })) continue
    run.shown.set(asset, tick)
    // One that is asked rarely confirms its price each time; a stream's repeats are sent now and then.
    const isSame = before?.usd === tick.usd && before.source === tick.source
    if (!isSame || !venue.isFeed) publishSoon(run, asset)
    return
  }
}

/** Publishes the newest price, at most once in `leastGapMs`. */
function publishSoon(run: Run, asset: AssetKey): void {
  const { waiting, publishedAt, pace, stopping } = run
  if (waiting.has(asset) || stopping.signal.aborted) return
  const wait = pace.leastGapMs - (performance.now() - (publishedAt.get(asset) ?? -Infinity))
  if (wait <= 0) publishNow(run, asset)
  else {
    const then = (): void => {
      waiting.delete(asset)
      publishNow(run, asset)
    }
    waiting.set(asset, setTimeout(then, wait))
  }
}

function publishNow({ shown, publishedAt, publish, stopping }: Run, asset: AssetKey): void {
  const tick = shown.get(asset)
  if (!tick || stopping.signal.aborted) return
  publishedAt.set(asset, performance.now())
  publish({ asset, price: tick.usd, at: tick.at, source: tick.source })
}

/** Publishes unchanged prices again, as old as they are, of venues that are up: other processes may have just begun to listen. */
function repeat(run: Run): void {
  for (const [asset, tick] of run.shown) {
    const venue = run.venues.find((one) => one.asset === asset && one.name === tick.source)
    if (!venue?.isUp || !venue.last) continue
    const agoMs = performance.now() - (run.publishedAt.get(asset) ?? 0)
    if (agoMs >= run.pace.repeatMs) publishNow(run, asset)
  }
}

/** Whether a moment lies before another. Of one ahead of our clock, which was set back, nothing can be said. */
function isBefore(at: number, other: number, now: number): boolean {
  return at < other && other <= now
}
