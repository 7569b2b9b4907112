import { addDays, timeOfDay } from '#domain/day.ts'
import { type AssetKey } from '#domain/asset.ts'
import { deepen, isComplete } from './deeper-history.service.ts'
import { startPriceJobs, type PriceJobs } from './prices.jobs.ts'
import { type Db } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PriceSources } from './configured-sources.ts'
import { liveFeeds, type LivePace } from './live-feeds.service.ts'
import { type LivePrices } from './live-prices.ts'
import { bringUpToDate, latestRun, priceHistory, repairToday } from './price-history.service.ts'
import { sourceHealth } from './source-health.ts'
import { liveName } from './status.service.ts'
import { lastBar } from './bars.rows.ts'
import { type Leadership } from '#server/kit/signals.ts'
import { saveSource } from './price-sources.rows.ts'

/** A leader that loses the database goes on for its own visitors so long, unless another is seen to lead. */
const GRACE_MS = 60_000

/** Calls `then` when the time is over. @returns ends it before */
type Timer = (then: () => void) => () => void

const graceTimer: Timer = (then) => {
  const timer = setTimeout(then, GRACE_MS)
  return () => clearTimeout(timer)
}

/** How long the parts that keep prices current wait for each other. */
export type PricePace = {
  readonly live?: LivePace
  readonly grace?: Timer
}

/**
 * All that keeps prices current: the durable jobs, and the live feeds in the process that leads. Nothing runs before
 * `start`, or before `follow` in a process that only hears the prices of others. Both wait for nothing: without internet or
 * database everything is tried again later.
 */
export function openPrices(
  kit: Kit,
  { daily, feeds }: PriceSources,
  { live }: { live: LivePrices },
  { live: pace, grace = graceTimer }: PricePace = {},
) {
  const { db, clock, log, signals } = kit
  const stopping = new AbortController()
  let leader: Leadership | null = null
  let jobs: PriceJobs | null = null
  let unlisten: (() => void) | null = null
  const isLeader = (): boolean => leader?.isLeader() ?? false
  const health = sourceHealth(log)
  const { deeper } = kit.config.prices
  const history = priceHistory({ ...kit, health, sources: daily, deeper })

  const feed = liveFeeds({
    clock,
    health,
    feeds,
    polled: daily,
    publish: (message) => {
      live.offer(message)
      if (isLeader()) signals.send('price', JSON.stringify(message))
    },
    report: (asset, source, fault) => {
      const now = clock.now()
      const found =
        fault === null
          ? { lastSuccessAt: now, lastErrorAt: null, failures: 0, failingSince: null }
          : { lastErrorAt: now, failures: 1, failingSince: now }
      saveSource(db, asset, liveName(source), { ...found, lastError: fault }).catch(() => {
        // The status shows what was known before; the live price itself does not need the database.
      })
    },
    onGap: (asset) => {
      repairToday(history, asset, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.warn({ asset, err: error }, 'A running day was not repaired.')
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
  /** Leaves the live prices to another process. */
  const rest = (): void => {
    endGrace()
    feed.stop()
  }

  function follow(): void {
    unlisten ??= signals.listen('price', (text) => {
      // Only a leader sends prices.
      if (text !== null && live.hear(text) && !isLeader()) rest()
    })
  }

  return {
    isLeader,
    /** Whether every source has answered about the earlier days of an asset. */
    isComplete: (asset: AssetKey, on: Db) => isComplete({ ...history, db: on }, asset),
    follow,
    start: () => {
      if (leader) return
      follow()
      leader = signals.lead((leads) => {
        endGrace()
        if (leads) feed.start()
        else if (!stopping.signal.aborted) endGrace = grace(rest)
      })
      jobs = startPriceJobs({
        pool: kit.pool,
        log,
        sources: daily,
        bringUpToDate: (...asked) => bringUpToDate(history, ...asked),
        latestRun: (...asked) => latestRun(history, ...asked),
        deeper:
          deeper === 'off'
            ? null
            : {
                sources: daily.filter(({ isFull }) => isFull),
                deepen: (...asked) => deepen(history, ...asked),
              },
      })
    },
    stop: async () => {
      stopping.abort()
      unlisten?.()
      leader?.stop()
      rest()
      await jobs?.stop()
    },
  }
}
