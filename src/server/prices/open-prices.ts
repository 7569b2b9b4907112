import { z } from 'zod'
import { type PriceMessage } from '#contracts/prices.ts'
import { type AssetKey, ASSET_KEYS } from '#domain/asset.ts'
import { addDays, timeOfDay } from '#domain/day.ts'
import { type Db } from '#server/kit/db.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { oneAtATime, sendSignals } from '#server/kit/signals.ts'
import { type PriceSources } from '#server/prices/ports.ts'
import { lastBar } from './bars.rows.ts'
import { readEarlierDays } from './earlier-days.service.ts'
import { openLeadership, type Leadership } from './leadership.ts'
import { liveFeeds, type LivePace } from './live-feeds.service.ts'
import { type LivePrices } from './live-prices.ts'
import * as priceHistory from './price-history.service.ts'
import { saveSource } from './price-sources.rows.ts'
import { liveName } from './status.service.ts'

/** A leader that loses the database continues for its own visitors this long, unless another leader appears. */
const GRACE_MS = 60_000

/** @returns cancels the timer */
type Timer = (then: () => void) => () => void

const graceTimer: Timer = (then) => {
  const timer = setTimeout(then, GRACE_MS)
  return () => clearTimeout(timer)
}

export type OpenPrices = ReturnType<typeof openPrices>

/** Timing of the price feeds, for tests. */
export type PricePace = {
  readonly live?: LivePace
  readonly grace?: Timer
}

/**
 * Keeps prices current: jobs, and the live feeds in the leading process. Nothing runs before
 * `start`, or before `follow` in a process that only receives prices from others. Neither waits for network or
 * database; failures are retried later.
 */
export function openPrices(
  kit: Kit & { readonly jobs: Jobs },
  { daily, feeds }: PriceSources,
  { live }: { live: LivePrices },
  { live: pace, grace = graceTimer }: PricePace = {},
) {
  const { db, clock, log, signals } = kit
  const stopping = new AbortController()
  let leader: Leadership | null = null
  let unlisten: (() => void) | null = null
  const isLeader = (): boolean => leader?.isLeader() ?? false
  const health = priceHistory.sourceHealth(log)
  const history = priceHistory.priceHistory({ ...kit, health, sources: daily })
  const jobs = kit.config.prices.on ? definePriceJobs(kit, history) : null

  const unsent = new Map<AssetKey, PriceMessage>()
  const sendUnsent = oneAtATime(async () => {
    const messages = [...unsent.values()]
    unsent.clear()
    await sendSignals(
      db,
      messages.map((value) => ({ topic: 'price', id: value.asset, value })),
    )
  })
  /** Sends prices to the other processes; while one is being sent, only the newest of each asset is queued. */
  function share(message: PriceMessage): void {
    unsent.set(message.asset, message)
    sendUnsent().catch(() => {
      // During a database outage only this process's visitors get prices.
    })
  }

  const feed = liveFeeds({
    clock,
    health,
    feeds,
    polled: daily,
    publish: (message) => {
      live.offer(message)
      if (isLeader()) share(message)
    },
    report: (asset, source, fault) => {
      const now = clock.now()
      const found =
        fault === null
          ? { lastSuccessAt: now, lastErrorAt: null, failures: 0, failingSince: null }
          : { lastErrorAt: now, failures: 1, failingSince: now }
      saveSource(db, asset, liveName(source), { ...found, lastError: fault }).catch(() => {
        // The status stays outdated; live prices do not need the database.
      })
    },
    onGap: (asset) => {
      priceHistory.repairToday(history, asset, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.warn({ asset, err: error }, 'bar of the current day could not be repaired')
      })
    },
    lastPrice: (asset) => {
      const last = live.last(asset)
      return last && { source: last.source, usd: last.price, at: last.at }
    },
    lastClose: async (asset) => {
      const bar = await lastBar(db, asset)
      return bar && { source: bar.source, usd: bar.close, at: timeOfDay(addDays(bar.day, 1)) }
    },
    ...(pace ? { pace } : {}),
  })

  let endGrace = (): void => {}
  /** Stops the live feeds, as another process leads. */
  const rest = (): void => {
    endGrace()
    feed.stop()
  }

  function follow(): void {
    unlisten ??= signals.listen('price', (signal) => {
      // Only leaders send prices, and a leader receives its own.
      if (signal && !isLeader() && live.receive(signal.value)) rest()
    })
  }

  return {
    isLeader,
    /** Null where outside prices are disabled. */
    jobs,
    follow,
    start: () => {
      follow()
      leader = openLeadership(kit.direct, (leads) => {
        endGrace()
        if (leads) feed.start()
        else if (!stopping.signal.aborted) endGrace = grace(rest)
      })
      jobs?.askAll().catch(() => {
        // A later run finds the missing days if the database is down.
      })
    },
    stop: async () => {
      stopping.abort()
      unlisten?.()
      await leader?.stop()
      rest()
    },
  }
}

const Current = z.object({ asset: z.enum(ASSET_KEYS), source: z.string() })
const Earlier = Current.pick({ asset: true })

const DAY_SECONDS = 86_400
/** A first fetch takes many calls with pauses between them. */
const WITHIN_SECONDS = 900

export type PriceJobs = ReturnType<typeof definePriceJobs>

/** A job per source, and one per asset for earlier days; each schedules its next run. */
function definePriceJobs(
  { jobs, db }: { readonly jobs: Jobs; readonly db: Db },
  history: priceHistory.PriceHistory,
) {
  const seconds = (at: number): number => Math.max(0, at - history.clock.now()) / 1_000
  const sources = history.sources.map(({ asset, name: source }) => ({ asset, source }))
  const assets = [...new Set(sources.map(({ asset }) => asset))].map((asset) => ({ asset }))
  const current = jobs.define({
    name: 'price-history',
    title: 'Reading prices',
    data: Current,
    key: ({ asset, source }) => `${asset} ${source}`,
    every: { seconds: DAY_SECONDS, data: sources },
    withinSeconds: WITHIN_SECONDS,
    atOnce: 3,
    run: async (data, signal) => {
      const next = await priceHistory.bringUpToDate(history, data.asset, data.source, signal)
      if (next !== null) await current.send(db, data, seconds(next))
    },
  })
  const earlier = jobs.define({
    name: 'price-earlier-days',
    title: 'Reading highs and lows of earlier days',
    data: Earlier,
    key: ({ asset }) => asset,
    every: { seconds: DAY_SECONDS, data: assets },
    withinSeconds: WITHIN_SECONDS,
    run: async (data, signal) => {
      const next = await readEarlierDays(history, data.asset, signal)
      await earlier.send(db, data, seconds(next))
    },
  })

  return {
    /**
     * Schedules a fetch once the transaction commits.
     * @param source null for all of the asset
     * @returns whether there is such a source
     */
    ask: async (tx: Db, asset: AssetKey, source: string | null = null): Promise<boolean> => {
      const polled = sources.filter(
        (one) => one.asset === asset && (source === null || one.source === source),
      )
      for (const one of polled) await current.send(tx, one)
      return polled.length > 0
    },
    askEarlier: (tx: Db, asset: AssetKey): Promise<void> => earlier.send(tx, { asset }),
    /** Schedules all sources at the start, as the settings may have changed. */
    askAll: async (): Promise<void> => {
      for (const one of sources) await current.send(db, one)
      for (const one of assets) await earlier.send(db, one)
    },
  }
}
