import { addDays, timeOfDay } from '#domain/day.ts'
import { type Pool } from 'pg'
import { alpacaPrices } from './sources/alpaca.ts'
import { alphaVantagePrices } from './sources/alpha-vantage.ts'
import { bitstampPrices } from './sources/bitstamp.ts'
import { coinbasePrices } from './sources/coinbase.ts'
import { coingeckoPrices } from './sources/coingecko.ts'
import { gatePrices } from './sources/gate.ts'
import { krakenPrices } from './sources/kraken.ts'
import { kucoinPrices } from './sources/kucoin.ts'
import { tiingoPrices } from './sources/tiingo.ts'
import { yahooPrices } from './sources/yahoo.ts'
import { jsonFetcher } from '#server/kit/fetch-json.ts'
import { type HttpLimits } from '#server/kit/http-call.ts'
import { coinbaseTicks } from './venues/coinbase.ts'
import { krakenTicks } from './venues/kraken.ts'
import { type VenuePatience } from './venues/tick-socket.ts'
import { startPriceJobs, type PriceJobs } from './prices.jobs.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type DailySource, type TickFeed } from './ports.ts'
import { type PriceSettings } from '#server/kit/settings/prices.ts'
import { liveDesk, type DeskPace, type VenueReport } from './live-feeds.service.ts'
import { type LivePrices } from './live-prices.ts'
import { priceBook, type PriceBook } from './price-bars.service.ts'
import { priceHistory, type PriceHistory } from './price-history.service.ts'
import { sourceWatch } from './source-health.ts'
import { liveName } from './status.service.ts'
import { lastBar } from './bars.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { type Signals } from '#server/kit/signals.ts'
import { saveSource } from './price-sources.rows.ts'

/** The sources that the settings allow. */
export type PriceSources = {
  readonly daily: readonly DailySource[]
  readonly feeds: readonly TickFeed[]
}

/** Puts the adapters together, those in front that are shown first. */
export function priceSources(
  { on, urls, keys }: PriceSettings,
  clock: Clock,
  given: { limits?: Partial<HttpLimits>; patience?: VenuePatience } = {},
): PriceSources {
  if (!on) return { daily: [], feeds: [] }
  const fetchJson = jsonFetcher(clock, given.limits)
  const at = <T>(url: URL | null, make: (url: URL) => T | null): T[] => {
    const made = url && make(url)
    return made ? [made] : []
  }
  const withKey = <T>(key: string | null, make: (key: string) => T): T | null =>
    key === null ? null : make(key)
  const patience = given.patience ? { patience: given.patience } : {}
  return {
    daily: [
      ...at(urls.PRICES_BITSTAMP_URL, (url) => bitstampPrices({ url, fetchJson })),
      ...at(urls.PRICES_KRAKEN_URL, (url) => krakenPrices({ url, fetchJson })),
      ...at(urls.PRICES_COINBASE_URL, (url) => coinbasePrices({ url, fetchJson })),
      ...at(urls.PRICES_YAHOO_URL, (url) => yahooPrices({ url, fetchJson })),
      ...at(urls.PRICES_ALPACA_URL, (url) =>
        withKey(keys.PRICES_ALPACA_KEY, (key) =>
          withKey(keys.PRICES_ALPACA_SECRET, (secret) =>
            alpacaPrices({ url, key, secret, clock, fetchJson }),
          ),
        ),
      ),
      ...at(urls.PRICES_TIINGO_URL, (url) =>
        withKey(keys.PRICES_TIINGO_KEY, (key) => tiingoPrices({ url, key, fetchJson })),
      ),
      ...at(urls.PRICES_ALPHA_VANTAGE_URL, (url) =>
        withKey(keys.PRICES_ALPHA_VANTAGE_KEY, (key) =>
          alphaVantagePrices({ url, key, clock, fetchJson }),
        ),
      ),
      ...at(urls.PRICES_KUCOIN_URL, (url) => kucoinPrices({ url, fetchJson })),
      ...at(urls.PRICES_GATE_URL, (url) => gatePrices({ url, fetchJson })),
      ...at(urls.PRICES_COINGECKO_URL, (url) =>
        coingeckoPrices({ url, key: keys.PRICES_COINGECKO_KEY, fetchJson }),
      ),
    ],
    feeds: [
      ...at(urls.PRICES_KRAKEN_SOCKET, (url) => krakenTicks({ url, ...patience })),
      ...at(urls.PRICES_COINBASE_SOCKET, (url) => coinbaseTicks({ url, ...patience })),
    ],
  }
}

/** A leader that loses the database goes on for its own visitors so long, unless another is seen to lead. */
const GRACE_MS = 60_000

/** Calls `then` when the time is over. @returns ends it before */
type Timer = (then: () => void) => () => void

const graceTimer: Timer = (then) => {
  const timer = setTimeout(then, GRACE_MS)
  return () => clearTimeout(timer)
}

export type Prices = {
  readonly book: PriceBook
  readonly history: PriceHistory
  readonly isLeader: () => boolean
  readonly stop: () => Promise<void>
}

/**
 * Starts all that keeps prices current: the durable jobs, and the live desk in the process that leads. It waits for
 * nothing: without internet or database everything is tried again later.
 */
export function startPrices({
  sources: { daily, feeds },
  db,
  pool,
  signals,
  clock,
  log,
  live,
  pace,
  grace = graceTimer,
}: {
  sources: PriceSources
  db: Db
  pool: Pool
  signals: Signals
  clock: Clock
  log: Log
  live: LivePrices
  pace?: DeskPace
  grace?: Timer
}): Prices {
  const stopping = new AbortController()
  const watch = sourceWatch(log)
  const book = priceBook({ db, clock, log, sources: daily })
  const history = priceHistory({ db, clock, watch, book, sources: daily })

  const report: VenueReport = (asset, source, fault) => {
    const now = clock.now()
    const facts =
      fault === null
        ? {
            lastSuccessAt: now,
            lastError: null,
            lastErrorAt: null,
            failures: 0,
            failingSince: null,
          }
        : { lastError: fault, lastErrorAt: now, failures: 1, failingSince: now }
    saveSource(db, asset, liveName(source), facts).catch(() => {
      // The status shows what was known before; the live price itself does not need the database.
    })
  }

  const desk = liveDesk({
    clock,
    watch,
    feeds,
    polled: daily,
    publish: (message) => {
      live.offer(message)
      if (leader.isLeader()) signals.send('price', JSON.stringify(message))
    },
    report,
    onGap: (asset) => {
      history.repair(asset, stopping.signal).catch((error: unknown) => {
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
    desk.stop()
  }

  const unlisten = signals.listen('price', (text) => {
    // Only a leader sends prices.
    if (text !== null && live.hear(text) && !leader.isLeader()) rest()
  })
  const leader = signals.lead((isLeader) => {
    endGrace()
    if (isLeader) desk.start()
    else if (!stopping.signal.aborted) endGrace = grace(rest)
  })
  const jobs: PriceJobs = startPriceJobs({ pool, log, history, sources: daily })

  return {
    book,
    history,
    isLeader: leader.isLeader,
    stop: async () => {
      stopping.abort()
      unlisten()
      leader.stop()
      rest()
      await jobs.stop()
    },
  }
}
