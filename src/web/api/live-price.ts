import { LIVE_OLD_MS } from '#contracts/live.paths.ts'
import { type HeardPrice } from './live-messages.ts'

/** The last price received. */
export type LivePrice = HeardPrice & {
  /** Against the price before it; null for the first one. */
  readonly direction: 'up' | 'down' | null
  /** No venue has sent it for a minute, or the connection is gone. */
  readonly isOld: boolean
}

export type PriceMemory = {
  readonly price: () => LivePrice | null
  readonly take: (heard: HeardPrice) => void
  /** The connection is gone: no next price can come. */
  readonly cutOff: () => void
}

/** Keeps the last price, which way it went, and whether it has grown old. */
export function priceMemory(onChange: () => void): PriceMemory {
  let price: LivePrice | null = null
  /** How far the clock of this machine is ahead of the server's, as far as is known. */
  let aheadMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(next: LivePrice): void {
    price = next
    onChange()
  }

  return {
    price: () => price,
    take(heard) {
      if (heard.now !== null) aheadMs = Date.now() - heard.now
      const age = heard.at === null ? Infinity : Math.max(0, Date.now() - aheadMs - heard.at)
      const isOld = age >= LIVE_OLD_MS
      // Repeating an old price does not make it newer; after a lost connection it does.
      const isRepeat = price && heard.usd === price.usd && (heard.at ?? 0) <= (price.at ?? 0)
      if (isRepeat && (isOld || !price?.isOld)) return
      clearTimeout(timer)
      if (!isOld)
        timer = setTimeout(() => price && show({ ...price, isOld: true }), LIVE_OLD_MS - age)
      show({ ...heard, direction: isOld ? null : directionOf(price, heard.usd), isOld })
    },
    cutOff() {
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
