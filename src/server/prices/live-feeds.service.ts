import { LIVE_REPEAT_MS, type PriceMessage } from '#contracts/live.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { addDays, dayOfTime } from '#domain/day.ts'
import { isInSession } from '#domain/judging/refresh.ts'
import { isCredible, isNear, type Tick } from '#domain/judging/tick.ts'
import { SourceError, type Clock } from '#server/kit/ports.ts'
import { type DailySource, type TickFeed } from './ports.ts'

import { type SourceWatch } from './source-health.ts'

/** How the desk paces itself, milliseconds. */
export type DeskPace = {
  /** The least time between two messages of one asset. */
  readonly leastGapMs: number
  /** How often an unchanged price is sent again. */
  readonly repeatMs: number
  /** A venue that has not been heard for so long gives way to the next. */
  readonly heardWithinMs: number
  /** How often the assets without a stream are asked for. */
  readonly pollMs: number
  readonly longestPollMs: number
}

const PACE: DeskPace = {
  leastGapMs: 400,
  repeatMs: LIVE_REPEAT_MS,
  heardWithinMs: 30_000,
  // With what chance adds and the answer takes it stays below the minute after which a page calls a price old.
  pollMs: 40_000,
  longestPollMs: 15 * 60_000,
}

/** A venue as the desk sees it. */
type Venue = {
  readonly name: string
  readonly asset: AssetKey
  readonly isFeed: boolean
  isUp: boolean
  last: Tick | null
  /** Since when its prices have been near its last one, milliseconds since 1970. */
  standsSince: number
}

/** What becomes known of a live source: null when it works, else what is wrong, as a sentence. */
export type VenueReport = (asset: AssetKey, source: string, fault: string | null) => void

/**
 * Talks to the venues while this process leads: streams where there are any, else polling while the exchange is open.
 * Of several venues the first that is heard is shown; the others confirm what is far off, and step in.
 *
 * @param publish takes each price that is to be shown
 * @param onGap ticks were missed: the running day has to be read again
 */
export function liveDesk({
  clock,
  watch,
  feeds,
  polled,
  publish,
  report,
  onGap,
  lastPrice,
  lastClose,
  pace = PACE,
}: {
  clock: Clock
  watch: SourceWatch
  feeds: readonly TickFeed[]
  /** Most trusted first; asked only for assets without a feed. */
  polled: readonly DailySource[]
  publish: (message: PriceMessage) => void
  report: VenueReport
  onGap: (asset: AssetKey) => void
  /** The price that is shown when the desk begins, such as one of the process that led before. */
  lastPrice: (asset: AssetKey) => Tick | null
  /** Asked for where there is none; null for none. */
  lastClose: (asset: AssetKey) => Promise<Tick | null>
  pace?: DeskPace
}) {
  const shown = new Map<AssetKey, Tick>()
  /** What the first tick is measured by. */
  const known = new Map<AssetKey, Tick>()
  const publishedAt = new Map<AssetKey, number>()
  const waiting = new Map<AssetKey, NodeJS.Timeout>()
  const faulty = new Set<string>()
  let venues: Venue[] = []
  let connections: { close: () => void }[] = []
  let timers: NodeJS.Timeout[] = []
  let stop = new AbortController()
  let running = false

  /** Reports a change for the better or the worse once. */
  function tell(venue: Venue, fault: string | null): void {
    const { asset, name } = venue
    const key = `${asset} ${name}`
    if (fault === null) {
      faulty.delete(key)
      watch.works(asset, name, 'live')
      report(asset, name, null)
    } else if (!faulty.has(key)) {
      faulty.add(key)
      watch.fails(asset, name, 'live', fault)
      report(asset, name, fault)
    }
  }

  /** @param told when it was traded, as the venue says; our clock where it does not say, or is ahead of us */
  function takeTick(venue: Venue, usd: number, told: number | null): void {
    const now = clock.now()
    const at = Math.min(told ?? now, now)
    if (venue.last && isBefore(at, venue.last.at, now)) return
    const stands = venue.last && isNear(usd, venue.last.usd) && at >= venue.standsSince
    if (!stands) venue.standsSince = at
    venue.last = { source: venue.name, usd, at }
    consider(venue.asset)
  }

  /** Shows what the first venue that is heard says, of those that may be believed. */
  function consider(asset: AssetKey): void {
    const now = clock.now()
    const own = venues.filter((venue) => venue.asset === asset)
    const isFresh = ({ last }: Venue): boolean =>
      last !== null && Math.abs(now - last.at) <= pace.heardWithinMs
    // A venue that is connected but silent ranks below one with a fresh price.
    const heard = [...own.filter(isFresh), ...own.filter((venue) => venue.isUp && !isFresh(venue))]
    const before = shown.get(asset)
    const last = before ?? known.get(asset) ?? null
    for (const venue of heard) {
      const tick = venue.last
      // What is said again from before is no news, whichever venue says it.
      if (!tick || (last && isBefore(tick.at, last.at, now))) continue
      const others = own.flatMap((other) => (other === venue || !other.last ? [] : [other.last]))
      const isFine = isCredible(tick, last, others, {
        sole: own.length === 1,
        standsSince: venue.standsSince,
      })
      if (!isFine) continue
      shown.set(asset, tick)
      // One that is asked rarely confirms its price each time; a stream's repeats are sent now and then.
      const isSame = before?.usd === tick.usd && before.source === tick.source
      if (!isSame || !venue.isFeed) soon(asset)
      return
    }
  }

  /** Finds what the first ticks are measured by; until then they need a second venue. */
  function seed(asset: AssetKey): void {
    const { signal } = stop
    const last = lastPrice(asset)
    if (last) {
      known.set(asset, last)
      return
    }
    lastClose(asset).then(
      (close) => {
        if (!close || signal.aborted) return
        known.set(asset, close)
        consider(asset)
      },
      () => {
        // Without a database there is none to be had.
      },
    )
  }

  /** Publishes the newest price, at most once in `leastGapMs`. */
  function soon(asset: AssetKey): void {
    if (waiting.has(asset)) return
    const since = performance.now() - (publishedAt.get(asset) ?? -Infinity)
    const wait = Math.max(0, pace.leastGapMs - since)
    if (wait === 0) say(asset)
    else {
      waiting.set(
        asset,
        setTimeout(() => {
          waiting.delete(asset)
          say(asset)
        }, wait),
      )
    }
  }

  function say(asset: AssetKey): void {
    const tick = shown.get(asset)
    if (!tick || !running) return
    publishedAt.set(asset, performance.now())
    publish({ asset, price: tick.usd, at: tick.at, source: tick.source })
  }

  /** Says prices again whose venue is still heard, as old as they are: other processes may have just begun to listen. */
  function repeat(): void {
    for (const asset of shown.keys()) {
      const tick = shown.get(asset)
      const venue = venues.find((one) => one.asset === asset && one.name === tick?.source)
      if (!tick || !venue?.isUp || !venue.last) continue
      if (performance.now() - (publishedAt.get(asset) ?? 0) >= pace.repeatMs) say(asset)
    }
  }

  function openFeed(feed: TickFeed): void {
    const venue = addVenue(feed.name, feed.asset, true)
    connections.push(
      feed.open({
        tick: (usd, at) => takeTick(venue, usd, at),
        up: (again) => {
          venue.isUp = true
          tell(venue, null)
          if (again) onGap(feed.asset)
        },
        down: (reason) => {
          venue.isUp = false
          venue.last = null
          tell(venue, reason)
          consider(feed.asset)
        },
      }),
    )
  }

  function addVenue(name: string, asset: AssetKey, isFeed: boolean): Venue {
    const venue = { name, asset, isFeed, isUp: false, last: null, standsSince: clock.now() }
    venues.push(venue)
    return venue
  }

  function poll(source: DailySource): void {
    const venue = addVenue(source.name, source.asset, false)
    const { signal } = stop
    const slot = timers.length
    let waitMs = pace.pollMs
    const round = async (): Promise<void> => {
      try {
        if (isInSession(ASSETS[source.asset].calendar, clock.now())) {
          const usd = await polledPrice(source, clock, signal)
          if (usd !== null) {
            if (!venue.isUp) tell(venue, null)
            venue.isUp = true
            takeTick(venue, usd, null)
          }
        } else venue.isUp = false
        waitMs = Math.max(pace.pollMs, (source.refreshMs ?? 0) / 8)
      } catch (error) {
        venue.isUp = false
        const fault = error instanceof SourceError ? error : null
        if (!signal.aborted) tell(venue, fault?.message ?? `${source.title} cannot be read.`)
        waitMs = Math.max(fault?.waitMs ?? 0, Math.min(waitMs * 2, pace.longestPollMs))
      }
      if (!signal.aborted) {
        timers[slot] = setTimeout(() => void round(), waitMs * (0.9 + Math.random() / 5))
      }
    }
    timers[slot] = setTimeout(() => void round(), 0)
  }

  return {
    start(): void {
      if (running) return
      running = true
      stop = new AbortController()
      // What was shown when this process led before may be long past.
      shown.clear()
      known.clear()
      for (const asset of ASSET_KEYS) seed(asset)
      for (const feed of feeds) openFeed(feed)
      const streamed = new Set(feeds.map((feed) => feed.asset))
      for (const source of polled) {
        if (!streamed.has(source.asset) && source.refreshMs !== null) poll(source)
      }
      timers.push(setInterval(repeat, Math.min(pace.repeatMs / 3, 5_000)))
    },
    stop(): void {
      if (!running) return
      running = false
      stop.abort()
      for (const connection of connections) connection.close()
      for (const timer of [...timers, ...waiting.values()]) clearTimeout(timer)
      connections = []
      timers = []
      venues = []
      waiting.clear()
      faulty.clear()
    },
  }
}

/** Whether a moment lies before another; of one that lies ahead of our clock, which was set back, nothing can be said. */
function isBefore(at: number, other: number, now: number): boolean {
  return at < other && other <= now
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
