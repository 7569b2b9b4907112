import { addDays, timeOfDay } from '#domain/day.ts'
import { type AssetKey } from '#domain/asset.ts'
import { definePriceJobs } from './prices.jobs.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PriceSources } from './sources/price-sources.ts'
import { liveFeeds, type LivePace } from './live-feeds.service.ts'
import { type LivePrices } from './live-prices.ts'
import { priceHistory, repairToday } from './price-history.service.ts'
import { sourceHealth } from './source-health.ts'
import { liveName } from './status.service.ts'
import { lastBar } from './bars.rows.ts'
import { oneAtATime } from '#server/kit/one-at-a-time.ts'
import { sendSignals } from '#server/kit/signals.ts'
import { type PriceMessage } from '#contracts/prices.ts'
import { openLeadership, type Leadership } from './leadership.ts'
import { saveSource } from './price-sources.rows.ts'

/** A leader that loses the database goes on for its own visitors so long, unless another is seen to lead. */
const GRACE_MS = 60_000

/** Calls `then` when the time is over. @returns ends it before */
type Timer = (then: () => void) => () => void

const graceTimer: Timer = (then) => {
  const timer = setTimeout(then, GRACE_MS)
  return () => clearTimeout(timer)
}

export type OpenPrices = ReturnType<typeof openPrices>

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
  const health = sourceHealth(log)
  const history = priceHistory({ ...kit, health, sources: daily })
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
  /** Sends a price to the other processes, and while one is being sent only the newest of each asset. */
  function share(message: PriceMessage): void {
    unsent.set(message.asset, message)
    sendUnsent().catch(() => {
      // While the database is away only this process's own visitors get prices.
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
        // The status shows what was known before; the live price itself does not need the database.
      })
    },
    onGap: (asset) => {
      repairToday(history, asset, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.warn({ asset, err: error }, 'The bar of the current day could not be repaired.')
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
    unlisten ??= signals.listen('price', (signal) => {
      // Only a leader sends prices, and a leader gets its own back.
      if (signal && !isLeader() && live.receive(signal.value)) rest()
    })
  }

  return {
    isLeader,
    /** Null where outside prices are switched off. */
    jobs,
    follow,
    start: () => {
      if (leader) return
      follow()
      leader = openLeadership(kit.direct, (leads) => {
        endGrace()
        if (leads) feed.start()
        else if (!stopping.signal.aborted) endGrace = grace(rest)
      })
      jobs?.askAll().catch(() => {
        // While the database is away they are found to be missing later.
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
