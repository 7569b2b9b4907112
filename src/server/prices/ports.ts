import { type AssetKey } from '#domain/asset.ts'
import { type Bar, type CorporateAction } from '#domain/judging/bar.ts'
import { type Day } from '#domain/day.ts'

/** A request for daily bars, both days included. */
export type DailyAsk = {
  readonly from: Day
  readonly to: Day
  readonly today: Day
  /** Splits known to the site: a source of unadjusted prices divides by them. */
  readonly actions: readonly CorporateAction[]
  readonly signal: AbortSignal
}

export type DailyAnswer = {
  /** Oldest first, one a day, in USD adjusted for splits; the last one may still move. */
  readonly bars: readonly Bar[]
  /** The time of the source's own clock, milliseconds since 1970; null when it did not say. */
  readonly remoteMs: number | null
  /** Days of which it gave numbers that contradict each other; they are not among the bars. */
  readonly senseless?: readonly Day[]
}

/** A venue or service that gives daily prices of one asset. */
export type DailySource = {
  /** Recorded with each bar. */
  readonly name: string
  /** As people read it. */
  readonly title: string
  readonly asset: AssetKey
  /** Offered for this use by its operator. */
  readonly isOfficial: boolean
  /** Gives highs and lows, not closes alone. */
  readonly isFull: boolean
  /** The first day it has. */
  readonly firstDay: Day
  /** How many days it reaches back from today; null for all of its history. */
  readonly reachDays: number | null
  /** The most days of one call. */
  readonly pageDays: number
  /** The least pause between two calls. */
  readonly pauseMs: number
  /** How often the running day is asked for; null for a source that reports ended days only. */
  readonly refreshMs: number | null
  /** @throws SourceError */
  readonly daily: (ask: DailyAsk) => Promise<DailyAnswer>
}

/** A venue that sends the price as it moves. */
export type TickFeed = {
  readonly name: string
  readonly title: string
  readonly asset: AssetKey
  /** Connects, and connects again whenever the connection breaks or falls silent, until closed. */
  readonly open: (on: TickListener) => { readonly close: () => void }
}

export type TickListener = {
  /** `at`: when the venue says it was traded, milliseconds since 1970; null where it does not say. */
  readonly tick: (usd: number, at: number | null) => void
  /** The venue has begun to send; `again` when it had broken off before. */
  readonly up: (again: boolean) => void
  /** Called for each attempt that failed and each connection that broke, as a sentence. */
  readonly down: (reason: string) => void
}
