import { LIVE_REPEAT_MS } from '#contracts/paths.ts'
import { type PriceMessage } from '#contracts/prices.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { addDays, dayOfTime } from '#domain/day.ts'
import { isInSession, isCredible, isNear, type Tick } from '#domain/judging/tick.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/time.ts'
import { type DailySource, type TickFeed } from './ports.ts'
import { type SourceHealth } from './price-history.service.ts'

const PACE = {
  /** Minimum time between two messages of an asset. */
  leastGapMs: 400,
  /** How often an unchanged price is sent again. */
  repeatMs: LIVE_REPEAT_MS as number,
  /** A venue without a price for this long is replaced by the next. */
  receivedWithinMs: 30_000,
  // For assets without a stream. With jitter and latency, below the minute after which pages mark a price as old.
  pollMs: 40_000,
  longestPollMs: 15 * 60_000,
}
export type LivePace = typeof PACE

type LiveFeeds = {
  readonly clock: Clock
  readonly health: SourceHealth
  readonly feeds: readonly TickFeed[]
  /** Most trusted first; used only for assets without a feed. */
  readonly polled: readonly DailySource[]
  readonly publish: (message: PriceMessage) => void
  /** Called when a source fails, with a sentence, or works again, with null. */
  readonly report: (asset: AssetKey, source: string, fault: string | null) => void
  /** Ticks were missed: the current day must be fetched again. */
  readonly onGap: (asset: AssetKey) => void
  /** The price shown at the start, such as the previous leader's. */
  readonly lastPrice: (asset: AssetKey) => Tick | null
  /** Used if there is no last price. */
  readonly lastClose: (asset: AssetKey) => Promise<Tick | null>
  readonly pace?: LivePace
}

/** A stream or a polled source. */
type Venue = {
  readonly name: string
  readonly asset: AssetKey
  readonly isFeed: boolean
  isUp: boolean
  last: Tick | null
  /** Since when its prices have been near its last one, Unix time in ms. */
  nearSince: number
}

/** State between start and stop. */
type Run = ReturnType<typeof newRun>

function newRun(options: LiveFeeds) {
  return {
    pace: PACE,
    ...options,
    venues: [] as Venue[],
    published: new Map<AssetKey, Tick>(),
    /** The price that the first tick is compared with. */
    known: new Map<AssetKey, Tick>(),
    publishedAt: new Map<AssetKey, number>(),
    /** Timers of prices postponed by `leastGapMs`. */
    waiting: new Map<AssetKey, NodeJS.Timeout>(),
    /** Asset and name of each failing source. */
    faulty: new Set<string>(),
    stopping: new AbortController(),
  }
}

/**
 * Receives live prices while this process leads: from streams if there are any, else by polling while the exchange is
 * open. Shows the first venue with a fresh price; the others confirm large jumps and take over on failure.
 */
export function liveFeeds(options: LiveFeeds) {
  let run: Run | null = null
  return {
    start(): void {
      run ??= startRun(options)
    },
    stop(): void {
      run?.stopping.abort()
      run = null
    },
  }
}

function startRun(options: LiveFeeds): Run {
  const run = newRun(options)
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

/** Loads the prices that first ticks are compared with; until then they need a second venue. */
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
      // The database is down; first ticks need a second venue.
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
  let timer = setTimeout(() => void askOnce(), 0)
  signal.addEventListener('abort', () => clearTimeout(timer))

  async function askOnce(): Promise<void> {
    waitMs = await ask(run, venue, source, waitMs)
    if (!signal.aborted)
      timer = setTimeout(() => void askOnce(), waitMs * (0.9 + Math.random() / 5))
  }
}

/** Polls a source while its exchange is open. @returns ms until the next poll, growing after failures */
async function ask(run: Run, venue: Venue, source: DailySource, waitedMs: number): Promise<number> {
  const { clock, pace, stopping } = run
  try {
    if (isInSession(ASSETS[source.asset].calendar, clock.now())) {
      const today = dayOfTime(clock.now())
      const days = { from: addDays(today, -1), to: today, today }
      const { bars } = await source.daily({ ...days, actions: [], signal: stopping.signal })
      const usd = bars.find((bar) => bar.day === today)?.close
      if (usd !== undefined) {
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

function addVenue(
  { venues, clock }: Run,
  { name, asset }: { readonly name: string; readonly asset: AssetKey },
  isFeed: boolean,
): Venue {
  const venue = { name, asset, isFeed, isUp: false, last: null, nearSince: clock.now() }
  venues.push(venue)
  return venue
}

/** Reports a change of health once. */
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

/** @param tradedAt by the venue's clock; null or a future time is replaced by ours */
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
  // A connected but silent venue ranks below one with a fresh price.
  const ranked = [...own.filter(isFresh), ...own.filter((venue) => venue.isUp && !isFresh(venue))]
  const before = run.published.get(asset)
  const last = before ?? run.known.get(asset) ?? null
  for (const venue of ranked) {
    const tick = venue.last
    // Ignores a venue that repeats an old price.
    if (!tick || (last && isBefore(tick.at, last.at, now))) continue
    const others = own.flatMap((other) => (other === venue || !other.last ? [] : [other.last]))
    const { nearSince } = venue
    if (!isCredible(tick, last, others, { sole: own.length === 1, nearSince })) continue
    run.published.set(asset, tick)
    // A polled venue confirms its price each time; repeats of a stream are sent periodically.
    const isSame = before?.usd === tick.usd && before.source === tick.source
    if (!isSame || !venue.isFeed) publishSoon(run, asset)
    return
  }
}

/** Publishes the newest price, at most once per `leastGapMs`. */
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

function publishNow({ published, publishedAt, publish, stopping }: Run, asset: AssetKey): void {
  const tick = published.get(asset)
  if (!tick || stopping.signal.aborted) return
  publishedAt.set(asset, performance.now())
  publish({ asset, price: tick.usd, at: tick.at, source: tick.source })
}

/** Publishes unchanged prices again with their time, if their venue is up: other processes may have just subscribed. */
function repeat(run: Run): void {
  for (const [asset, tick] of run.published) {
    const venue = run.venues.find((one) => one.asset === asset && one.name === tick.source)
    if (!venue?.isUp || !venue.last) continue
    const agoMs = performance.now() - (run.publishedAt.get(asset) ?? 0)
    if (agoMs >= run.pace.repeatMs) publishNow(run, asset)
  }
}

/** Whether a moment precedes another. False for times ahead of our clock, which may have been set back. */
function isBefore(at: number, other: number, now: number): boolean {
  return at < other && other <= now
}
