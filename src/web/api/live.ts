import { type VerdictMessage } from '#contracts/live.ts'
import { type AssetKey } from '#domain/asset.ts'
import { fetchFresh } from './fetch-fresh.ts'
import { readChange, readPrice, readVerdict, type PredictionChange } from './live-messages.ts'
import { priceMemory, type LivePrice } from './live-price.ts'
import { follow } from './page-stream.ts'

/** When no price has come by then, the server is asked for its last one. */
const ASK_AFTER_MS = 3_000

export type VerdictListener = {
  readonly judged: (verdict: VerdictMessage) => void
  /** A prediction was published, corrected, withdrawn or restored. */
  readonly changed: (change: PredictionChange) => void
  /** The stream was interrupted, and what it missed is not known. */
  readonly missed: () => void
}

/** The live price of an asset, followed while anything on the page shows it. */
export type LiveFeed = {
  /** Null until one has come. */
  readonly price: () => LivePrice | null
  readonly onPrice: (notify: () => void) => () => void
}

/** Of a past day there are no news. */
export const NO_FEED: LiveFeed = { price: () => null, onPrice: () => () => {} }

const feeds = new Map<AssetKey, LiveFeed>()

/** The feed of an asset, shared by all that follow it. */
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
    const heard = readPrice(data)
    if (heard) memory.take(heard)
  }

  /** Without an answer the header shows the last close, or that there is no price. */
  async function ask(): Promise<void> {
    if (memory.price() !== null) return
    const response = await fetchFresh(`/live-price?asset=${asset}`).catch(() => null)
    const data: unknown = response?.ok ? await response.json().catch(() => null) : null
    if (memory.price() === null) take(data)
  }

  function begin(): () => void {
    const unfollow = follow({ asset, on: { price: take }, lost: memory.cutOff })
    const asking = setTimeout(() => void ask(), ASK_AFTER_MS)
    return () => {
      unfollow()
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

/** Follows the verdicts and changes of the predictions of all assets. @returns ends it */
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
