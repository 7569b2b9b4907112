import {
  PriceMessage,
  type PredictionMessage,
  type SentPrice,
  type VerdictMessage,
} from '#contracts/prices.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Clock } from '#server/kit/ports.ts'

/** Changes between two versions of the record. */
export type RecordNews = {
  /** The version before; null at the start. */
  readonly since: string | null
  readonly version: string
  readonly verdicts: readonly VerdictMessage[]
  /** Predictions that came, went or were changed. */
  readonly predictions: readonly PredictionMessage[]
}

export type LiveEvent =
  | { readonly kind: 'price'; readonly price: PriceMessage }
  | { readonly kind: 'record'; readonly news: RecordNews }

export type LivePrices = ReturnType<typeof livePrices>

const LATE_MS = 10_000

/**
 * Live state of this process: the last price of each asset, and the listeners. Prices come from this process's own
 * feeds or, by signal, from the process that leads.
 */
export function livePrices() {
  const last = new Map<AssetKey, PriceMessage>()
  const listeners = new Set<(event: LiveEvent) => void>()

  function notify(event: LiveEvent): void {
    for (const listener of listeners) listener(event)
  }

  function offer(message: PriceMessage): void {
    // A message from another process may arrive late; a clock that was set back is a different case.
    const behindMs = (last.get(message.asset)?.at ?? -Infinity) - message.at
    if (behindMs > 0 && behindMs < LATE_MS) return
    last.set(message.asset, message)
    notify({ kind: 'price', price: message })
  }

  return {
    offer,
    last: (asset: AssetKey): PriceMessage | null => last.get(asset) ?? null,
    /** Takes the signal of another process. @returns whether it is a price */
    receive(value: unknown): boolean {
      const parsed = PriceMessage.safeParse(value)
      if (parsed.success) offer(parsed.data)
      return parsed.success
    },
    /** Announces another version of the record; each process finds the news for itself. */
    recorded: (news: RecordNews): void => notify({ kind: 'record', news }),
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
