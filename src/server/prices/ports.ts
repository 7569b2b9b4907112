import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Bar, type CorporateAction } from '#domain/judging/bar.ts'

/** Daily bars to fetch, both days included. */
export type DailyAsk = {
  readonly from: Day
  readonly to: Day
  readonly today: Day
  /** Splits on record, for sources of unadjusted prices. */
  readonly actions: readonly CorporateAction[]
  readonly signal: AbortSignal
}

export type DailyAnswer = {
  /** Oldest first, one per day, in USD adjusted for splits; the last one may still change. */
  readonly bars: readonly Bar[]
  /** The source's own clock, Unix time in ms; null if it sends none. */
  readonly remoteMs: number | null
  /** Days omitted from `bars` as their numbers contradict each other. */
  readonly senseless?: readonly Day[]
}

/** A venue or service with daily prices of one asset. */
export type DailySource = {
  /** Stored with each bar. */
  readonly name: string
  readonly title: string
  readonly asset: AssetKey
  /** The operator offers it for this use. */
  readonly isOfficial: boolean
  /** Has highs and lows, not only closes. */
  readonly isFull: boolean
  /** The first available day. */
  readonly firstDay: Day
  /** Days of history before today; null for all of it. */
  readonly reachDays: number | null
  readonly pageDays: number
  /** Minimum pause between two calls. */
  readonly pauseMs: number
  /** How often the current day is fetched; null for a source of ended days only. */
  readonly refreshMs: number | null
  /** @throws SourceError */
  readonly daily: (ask: DailyAsk) => Promise<DailyAnswer>
}

/** A venue that streams its price. */
export type TickFeed = {
  readonly name: string
  readonly title: string
  readonly asset: AssetKey
  /** Connects, and reconnects when the connection breaks or falls silent, until closed. */
  readonly open: (on: TickListener) => { readonly close: () => void }
}

export type TickListener = {
  /** `at`: time of the trade by the venue's clock, Unix time in ms; null if it sends none. */
  readonly tick: (usd: number, at: number | null) => void
  /** The venue has begun to send; `again` after an interruption. */
  readonly up: (again: boolean) => void
  /** Called with a sentence for each failed attempt and each lost connection. */
  readonly down: (reason: string) => void
}

export type PriceSources = {
  readonly daily: readonly DailySource[]
  readonly feeds: readonly TickFeed[]
}
