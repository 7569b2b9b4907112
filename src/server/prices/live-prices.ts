import {
  PriceMessage,
  type PredictionMessage,
  type SentPrice,
  type VerdictMessage,
} from '#contracts/live.ts'
import { type AssetKey } from '#domain/asset.ts'
import { jsonOrNull } from '#server/kit/json-or-null.ts'
import { type Clock } from '#server/kit/ports.ts'

export type LiveEvent =
  | { readonly kind: 'price'; readonly price: PriceMessage }
  | { readonly kind: 'verdicts'; readonly verdicts: readonly VerdictMessage[] }
  | { readonly kind: 'predictions'; readonly predictions: readonly PredictionMessage[] }

export type LivePrices = ReturnType<typeof livePrices>

const LATE_MS = 10_000

/**
 * What is live in this process: the last price of each asset, and the listeners. Prices come from this process's own
 * feeds or, by signal, from the process that leads.
 */
export function livePrices() {
  const last = new Map<AssetKey, PriceMessage>()
  const listeners = new Set<(event: LiveEvent) => void>()

  function notify(event: LiveEvent): void {
    for (const listener of listeners) listener(event)
  }

  function offer(message: PriceMessage): void {
    // What another process sent may come late; a clock that was set back is something else.
    const behindMs = (last.get(message.asset)?.at ?? -Infinity) - message.at
    if (behindMs > 0 && behindMs < LATE_MS) return
    last.set(message.asset, message)
    notify({ kind: 'price', price: message })
  }

  return {
    offer,
    last: (asset: AssetKey): PriceMessage | null => last.get(asset) ?? null,
    /** Takes the signal of another process. @returns whether it is a price */
    hear(text: string): boolean {
      const parsed = PriceMessage.safeParse(jsonOrNull(text))
      if (parsed.success) offer(parsed.data)
      return parsed.success
    },
    /** Sends verdicts that have just been put on record; each process finds them for itself. */
    judged(verdicts: readonly VerdictMessage[]): void {
      if (verdicts.length > 0) notify({ kind: 'verdicts', verdicts })
    },
    /** Announces predictions that came, went or were changed; each process finds them for itself. */
    recorded(predictions: readonly PredictionMessage[]): void {
      if (predictions.length > 0) notify({ kind: 'predictions', predictions })
    },
    /** @returns how to stop listening */
    listen(listener: (event: LiveEvent) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** @param clock the page computes the age of the price by it */
export function sentPrice(message: PriceMessage, clock: Clock): SentPrice {
  return { ...message, now: clock.now() }
}

/** One of something for each asset. */
export function byAsset<T>(make: () => T): Record<AssetKey, T> {
  return { btc: make(), mstr: make(), naka: make() }
}
