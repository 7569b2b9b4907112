import { useSyncExternalStore } from 'react'
import { LIVE_OLD_MS } from '#contracts/paths.ts'
import { type PredictionMessage, type VerdictMessage } from '#contracts/prices.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { OUTCOMES, JUDGE_MODES } from '#domain/judging/verdict.ts'
import { follow } from './page-stream.ts'
import { fetchFresh, onReach, reachNow } from './reach.ts'

/** Without a price by then, the last one is requested. */
const ASK_AFTER_MS = 3_000

export type VerdictListener = {
  readonly judged: (verdict: VerdictMessage) => void
  readonly changed: (change: PredictionChange) => void
  /** Events may have been missed while the stream was interrupted. */
  readonly missed: () => void
}

export type LiveFeed = {
  /** Null until the first price. */
  readonly price: () => LivePrice | null
  readonly onPrice: (notify: () => void) => () => void
}

export const NO_FEED: LiveFeed = { price: () => null, onPrice: () => () => {} }

const feeds = new Map<AssetKey, LiveFeed>()

export function liveFeedOf(asset: AssetKey): LiveFeed {
  const known = feeds.get(asset)
  if (known) return known
  const feed = liveFeed(asset)
  feeds.set(asset, feed)
  return feed
}

export function liveFeed(asset: AssetKey): LiveFeed {
  const listeners = new Set<() => void>()
  const memory = priceMemory(() => {
    for (const notify of listeners) notify()
  })
  let end: (() => void) | null = null

  function take(data: unknown): void {
    const received = readPrice(data)
    if (received) memory.take(received)
  }

  /** If this fails, the header shows the last close, if any. */
  async function ask(): Promise<void> {
    if (memory.price() !== null) return
    const response = await fetchFresh(`/live-price?asset=${asset}`).catch(() => null)
    const data: unknown = response?.ok ? await response.json().catch(() => null) : null
    if (memory.price() === null) take(data)
  }

  function begin(): () => void {
    const unfollow = follow({ asset, on: { price: take }, lost: memory.cutOff })
    const asking = setTimeout(() => void ask(), ASK_AFTER_MS)
    const endReach = onReach(() => {
      if (!reachNow().isReached) memory.cutOff()
    })
    return () => {
      unfollow()
      endReach()
      clearTimeout(asking)
    }
  }

  return {
    price: memory.price,
    onPrice(notify) {
      listeners.add(notify)
      end ??= begin()
      return () => {
        listeners.delete(notify)
        if (listeners.size > 0) return
        end?.()
        end = null
        memory.cutOff()
      }
    },
  }
}

/**
 * Subscribes to verdicts and changes for all assets.
 *
 * @returns a function that unsubscribes
 */
export function followVerdicts(listener: VerdictListener): () => void {
  return follow({
    on: {
      verdict: (data) => {
        const verdict = readVerdict(data)
        if (verdict) listener.judged(verdict)
      },
      prediction: (data) => {
        const change = readChange(data)
        if (change) listener.changed(change)
      },
      reset: listener.missed,
    },
  })
}

/** Verdicts of one bar arrive together, so their changes are fetched at once; the jitter spreads visitors. */
const FETCH_MS = 700
const JITTER_MS = 800
/** The first reply may predate the announced change. */
const ONCE_MORE_MS = 5_000

/**
 * Fetches soon after news about what is shown.
 *
 * @returns a function that unsubscribes
 */
export function fetchOnNews(
  isAbout: {
    readonly [News in 'judged' | 'changed']: (...news: Parameters<VerdictListener[News]>) => boolean
  },
  fetchNow: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = (): void => {
    timer = undefined
    fetchNow()
  }
  const first = (): void => {
    fetchNow()
    timer = setTimeout(again, ONCE_MORE_MS)
  }
  const missed = (): void => {
    timer ??= setTimeout(first, FETCH_MS + Math.random() * JITTER_MS)
  }
  const leave = followVerdicts({
    judged: (verdict) => void (isAbout.judged(verdict) && missed()),
    changed: (change) => void (isAbout.changed(change) && missed()),
    missed,
  })
  return () => {
    leave()
    clearTimeout(timer)
  }
}

export function useLivePrice(feed: LiveFeed): LivePrice | null {
  return useSyncExternalStore(feed.onPrice, feed.price, () => null)
}

export type LivePrice = ReceivedPrice & {
  /** Compared with the previous price; null for the first. */
  readonly direction: 'up' | 'down' | null
  /** No venue has sent a price for a minute, or the connection is lost. */
  readonly isOld: boolean
}

function priceMemory(onChange: () => void) {
  let price: LivePrice | null = null
  /** By how much this machine's clock is ahead of the server's; 0 until known. */
  let aheadMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(next: LivePrice): void {
    price = next
    onChange()
  }

  return {
    price: () => price,
    take: (received: ReceivedPrice): void => {
      if (received.now !== null) aheadMs = Date.now() - received.now
      const age = received.at === null ? Infinity : Math.max(0, Date.now() - aheadMs - received.at)
      const isOld = age >= LIVE_OLD_MS
      // A repeated old price stays old, except after a lost connection.
      const isRepeat = price && received.usd === price.usd && (received.at ?? 0) <= (price.at ?? 0)
      if (isRepeat && (isOld || !price?.isOld)) return
      clearTimeout(timer)
      if (!isOld)
        timer = setTimeout(() => price && show({ ...price, isOld: true }), LIVE_OLD_MS - age)
      show({ ...received, direction: isOld ? null : directionOf(price, received.usd), isOld })
    },
    cutOff: (): void => {
      clearTimeout(timer)
      if (price && !price.isOld) show({ ...price, isOld: true })
    },
  }
}

function directionOf(before: LivePrice | null, usd: number): LivePrice['direction'] {
  if (before === null || before.at === null) return null
  if (before.usd === usd) return before.direction
  return usd > before.usd ? 'up' : 'down'
}

/** A price in USD; `at` is when it was received, ms since 1970 by the server's clock, or null for a daily close. */
type ReceivedPrice = {
  readonly usd: number
  readonly at: number | null
  readonly source: string | null
  /** The server's clock when sending, ms since 1970; null if not sent. */
  readonly now: number | null
}

export type PredictionChange = Pick<PredictionMessage, 'id' | 'expert'>

// Schemas would be larger than the code using them, so these few fields are checked by hand.

/** Reads a `price` event or the reply of `/live-price`; null if invalid. */
export function readPrice(value: unknown): ReceivedPrice | null {
  if (!isRecord(value)) return null
  const { price, at, source, now } = value
  if (typeof price !== 'number' || !Number.isFinite(price) || price <= 0) return null
  const moment = typeof at === 'string' ? Date.parse(at) : at
  return {
    usd: price,
    at: typeof moment === 'number' && Number.isFinite(moment) ? moment : null,
    source: typeof source === 'string' && source !== '' ? source : null,
    now: typeof now === 'number' && Number.isFinite(now) ? now : null,
  }
}

/** Null if invalid. */
export function readVerdict(value: unknown): VerdictMessage | null {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null
  const asset = ASSET_KEYS.find((key) => key === value['asset'])
  const mode = JUDGE_MODES.find((one) => one === value['mode'])
  const outcome = OUTCOMES.find((one) => one === value['outcome'])
  return asset && mode && outcome ? { id: value['id'], asset, mode, outcome } : null
}

/** Null if invalid. */
export function readChange(value: unknown): PredictionChange | null {
  if (!isRecord(value)) return null
  const { id, expert } = value
  return typeof id === 'string' && typeof expert === 'string' ? { id, expert } : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
