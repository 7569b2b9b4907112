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
  readonly isFeed: boolean
  isUp: boolean
  isFaulty: boolean
  last: Tick | null
  /** Since when its prices have been near its last one, Unix time in ms. */
  nearSince: number
}

/**
 * Receives live prices while this process leads: from streams if there are any, else by polling while the exchange is
 * open. Shows the first venue with a fresh price; the others confirm large jumps and take over on failure.
 */
export function liveFeeds(options: LiveFeeds) {
  let stopping: AbortController | null = null
  return {
    start(): void {
      if (stopping) return
      stopping = new AbortController()
      for (const asset of ASSET_KEYS) followAsset(options, asset, stopping.signal)
    },
    stop(): void {
      stopping?.abort()
      stopping = null
    },
  }
}

function followAsset(options: LiveFeeds, asset: AssetKey, stop: AbortSignal): void {
  const { clock, health, report, publish, onGap, pace = PACE } = options
  const venues: Venue[] = []
  let published: Tick | null = null
  let publishedAt = -Infinity
  /** The price that the first tick is compared with; without one, that needs a second venue. */
  let known = options.lastPrice(asset)
  /** The timer of a price postponed by `leastGapMs`. */
  let waiting: NodeJS.Timeout | null = null

  function addVenue(name: string, isFeed: boolean): Venue {
    const state = { isUp: false, isFaulty: false, last: null, nearSince: clock.now() }
    const venue = { name, isFeed, ...state }
    venues.push(venue)
    return venue
  }

  function openFeed(feed: TickFeed): void {
    const venue = addVenue(feed.name, true)
    const connection = feed.open({
      tick: (usd, at) => takeTick(venue, usd, at),
      up: (again) => {
        venue.isUp = true
        reportChange(venue, null)
        if (again) onGap(asset)
      },
      down: (reason) => {
        venue.isUp = false
        venue.last = null
        reportChange(venue, reason)
        choose()
      },
    })
    stop.addEventListener('abort', () => connection.close())
  }

  function poll(source: DailySource): void {
    const venue = addVenue(source.name, false)
    let waitMs = pace.pollMs
    let timer = setTimeout(() => void askOnce(), 0)
    stop.addEventListener('abort', () => clearTimeout(timer))

    async function askOnce(): Promise<void> {
      waitMs = await ask(venue, source, waitMs)
      if (!stop.aborted)
        timer = setTimeout(() => void askOnce(), waitMs * (0.9 + Math.random() / 5))
    }
  }

  /** Polls a source while its exchange is open. @returns ms until the next poll, growing after failures */
  async function ask(venue: Venue, source: DailySource, waitedMs: number): Promise<number> {
    try {
      if (isInSession(ASSETS[asset].calendar, clock.now())) {
        const today = dayOfTime(clock.now())
        const days = { from: addDays(today, -1), to: today, today }
        const { bars } = await source.daily({ ...days, actions: [], signal: stop })
        const usd = bars.find((bar) => bar.day === today)?.close
        if (usd !== undefined) {
          if (!venue.isUp) reportChange(venue, null)
          venue.isUp = true
          takeTick(venue, usd, null)
        }
      } else venue.isUp = false
      return Math.max(pace.pollMs, (source.refreshMs ?? 0) / 8)
    } catch (error) {
      venue.isUp = false
      const fault = error instanceof SourceError ? error : null
      if (!stop.aborted) reportChange(venue, fault?.message ?? `${source.title} cannot be read.`)
      return Math.max(fault?.waitMs ?? 0, Math.min(waitedMs * 2, pace.longestPollMs))
    }
  }

  /** Reports a change of health once. */
  function reportChange(venue: Venue, fault: string | null): void {
    if (fault !== null && venue.isFaulty) return
    venue.isFaulty = fault !== null
    if (fault === null) health.works(asset, venue.name, 'live')
    else health.fails(asset, venue.name, 'live', fault)
    report(asset, venue.name, fault)
  }

  /** @param tradedAt by the venue's clock; null or a future time is replaced by ours */
  function takeTick(venue: Venue, usd: number, tradedAt: number | null): void {
    const now = clock.now()
    const at = Math.min(tradedAt ?? now, now)
    if (venue.last && isBefore(at, venue.last.at, now)) return
    const staysNear = venue.last && isNear(usd, venue.last.usd) && at >= venue.nearSince
    if (!staysNear) venue.nearSince = at
    venue.last = { source: venue.name, usd, at }
    choose()
  }

  /** Shows the price of the first venue with a credible one. */
  function choose(): void {
    const now = clock.now()
    const isFresh = ({ last }: Venue): boolean =>
      last !== null && Math.abs(now - last.at) <= pace.receivedWithinMs
    // A connected but silent venue ranks below one with a fresh price.
    const silent = venues.filter((venue) => venue.isUp && !isFresh(venue))
    const before = published
    const last = before ?? known
    for (const venue of [...venues.filter(isFresh), ...silent]) {
      const tick = venue.last
      // Ignores a venue that repeats an old price.
      if (!tick || (last && isBefore(tick.at, last.at, now))) continue
      const others = venues.flatMap((one) => (one === venue || !one.last ? [] : [one.last]))
      const { nearSince } = venue
      if (!isCredible(tick, last, others, { sole: venues.length === 1, nearSince })) continue
      published = tick
      // A polled venue confirms its price each time; repeats of a stream are sent periodically.
      const isSame = before?.usd === tick.usd && before.source === tick.source
      if (!isSame || !venue.isFeed) publishSoon()
      return
    }
  }

  /** Publishes the newest price, at most once per `leastGapMs`. */
  function publishSoon(): void {
    if (waiting || stop.aborted) return
    const waitMs = pace.leastGapMs - (performance.now() - publishedAt)
    if (waitMs <= 0) publishNow()
    else {
      waiting = setTimeout(() => {
        waiting = null
        publishNow()
      }, waitMs)
    }
  }

  function publishNow(): void {
    if (!published || stop.aborted) return
    publishedAt = performance.now()
    publish({ asset, price: published.usd, at: published.at, source: published.source })
  }

  /** Publishes an unchanged price again with its time, if its venue is up: other processes may have just subscribed. */
  function repeat(): void {
    const venue = venues.find((one) => one.name === published?.source)
    if (venue?.isUp && venue.last && performance.now() - publishedAt >= pace.repeatMs) publishNow()
  }

  if (!known) {
    options.lastClose(asset).then(
      (close) => {
        if (!close || stop.aborted) return
        known = close
        choose()
      },
      () => {
        // The database is down; first ticks need a second venue.
      },
    )
  }
  const feeds = options.feeds.filter((feed) => feed.asset === asset)
  for (const feed of feeds) openFeed(feed)
  for (const source of feeds.length > 0 ? [] : options.polled) {
    if (source.asset === asset && source.refreshMs !== null) poll(source)
  }
  const repeating = setInterval(repeat, Math.min(pace.repeatMs / 3, 5_000))
  stop.addEventListener('abort', () => {
    clearInterval(repeating)
    if (waiting) clearTimeout(waiting)
  })
}

/** Whether a moment precedes another. False for times ahead of our clock, which may have been set back. */
function isBefore(at: number, other: number, now: number): boolean {
  return at < other && other <= now
}
