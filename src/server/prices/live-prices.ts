import * as contract from '#contracts/prices.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Clock } from '#server/kit/time.ts'

export type RecordNews = {
  /** Null at the start. */
  readonly since: string | null
  readonly version: string
  readonly verdicts: readonly contract.VerdictMessage[]
  /** Predictions added, removed or changed. */
  readonly predictions: readonly contract.PredictionMessage[]
}

export type LiveEvent =
  | { readonly kind: 'price'; readonly price: contract.PriceMessage }
  | { readonly kind: 'record'; readonly news: RecordNews }

export type LivePrices = ReturnType<typeof livePrices>

const LATE_MS = 10_000

/**
 * Live state of this process: the last price of each asset, and the listeners. Prices come from this process's
 * feeds or, by signal, from the leader.
 */
export function livePrices() {
  const last = new Map<AssetKey, contract.PriceMessage>()
  const listeners = new Set<(event: LiveEvent) => void>()

  function notify(event: LiveEvent): void {
    for (const listener of listeners) listener(event)
  }

  function offer(message: contract.PriceMessage): void {
    // Messages between processes may arrive late; a larger gap means that a clock was set back.
    const behindMs = (last.get(message.asset)?.at ?? -Infinity) - message.at
    if (behindMs > 0 && behindMs < LATE_MS) return
    last.set(message.asset, message)
    notify({ kind: 'price', price: message })
  }

  return {
    offer,
    last: (asset: AssetKey): contract.PriceMessage | null => last.get(asset) ?? null,
    /** Handles a signal of another process. @returns whether it is a price */
    receive(value: unknown): boolean {
      const parsed = contract.PriceMessage.safeParse(value)
      if (parsed.success) offer(parsed.data)
      return parsed.success
    },
    /** Announces a new version of the record. */
    recorded: (news: RecordNews): void => notify({ kind: 'record', news }),
    /** @returns unsubscribes */
    listen(listener: (event: LiveEvent) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** @param clock lets the page compute the age of the price */
export function sentPrice(message: contract.PriceMessage, clock: Clock): contract.SentPrice {
  return { ...message, now: clock.now() }
}

export function byAsset<T>(make: () => T): Record<AssetKey, T> {
  return { btc: make(), mstr: make(), naka: make() }
}
