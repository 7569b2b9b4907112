import {
  type LIVE_EVENTS_PATH,
  type LIVE_REPEAT_MS,
  type PRICE_SOCKET_PATH,
  type VerdictMessage,
} from '#contracts/live.ts'
import { type AssetKey } from '#domain/asset.ts'
import { keepLine, type LineEnds } from './line.ts'
import {
  isUsd,
  jsonOf,
  readChange,
  readPrice,
  readVerdict,
  type ToldChange,
} from './live-messages.ts'
import { priceMemory, type LivePrice, type PriceMemory } from './live-price.ts'

// Written once more, as importing the values would load all schemas with them; the compiler compares the two.
const SOCKET_PATH: typeof PRICE_SOCKET_PATH = '/ws/price'
const EVENTS_PATH: typeof LIVE_EVENTS_PATH = '/api/v1/live'
const REPEAT_MS: typeof LIVE_REPEAT_MS = 15_000

/** A line that has been telling anything is dead after three repeats that did not come. */
const SILENT_MS = 3 * REPEAT_MS
/** No price by then: the server is asked for its last one. */
const ASK_AFTER_MS = 3_000
/** A tab that is out of sight for so long lets its connections go. */
const HIDDEN_MS = 30_000

type VerdictListener = {
  readonly told: (verdict: VerdictMessage) => void
  /** A prediction was published, corrected, withdrawn or restored. */
  readonly changed: (change: ToldChange) => void
  /** The connection was gone for a while: verdicts may have been told meanwhile. */
  readonly missed: () => void
}

/** What is live of an asset. Connections are open while anybody listens and the tab is in sight. */
export type LiveFeed = {
  /** Null until one has come. */
  readonly price: () => LivePrice | null
  readonly onPrice: (notify: () => void) => () => void
  readonly onVerdict: (listener: VerdictListener) => () => void
}

const feeds = new Map<AssetKey, LiveFeed>()

/** The feed of an asset; one for all who listen. */
export function liveFeedOf(asset: AssetKey): LiveFeed {
  const known = feeds.get(asset)
  if (known) return known
  const feed = liveFeed(asset)
  feeds.set(asset, feed)
  return feed
}

/** Prices come by the socket; the event stream tells of verdicts, and of prices where sockets are blocked. */
export function liveFeed(asset: AssetKey): LiveFeed {
  const priceListeners = new Set<() => void>()
  const verdictListeners = new Set<VerdictListener>()
  const memory = priceMemory(() => {
    for (const notify of priceListeners) notify()
  })
  /** Those that have told anything and have not ended. */
  const open = new Set<'socket' | 'stream'>()
  const ended = (line: 'socket' | 'stream'): void => {
    if (open.delete(line) && open.size === 0) memory.cutOff()
  }
  let socketHeardAt = -Infinity
  let hasBeenOpen = false

  function socket({ heard, lost }: LineEnds): () => void {
    const url = new URL(`${SOCKET_PATH}?asset=${asset}`, window.location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const line = new WebSocket(url)
    line.addEventListener('message', ({ data }) => {
      const told = readPrice(jsonOf(data))
      if (!told) return
      open.add('socket')
      // The server says an old price again while the venues are silent: the line lives.
      heard()
      if (memory.take(told)) socketHeardAt = Date.now()
    })
    line.addEventListener('error', lost)
    line.addEventListener('close', lost)
    return () => {
      ended('socket')
      line.close()
    }
  }

  function stream({ heard, lost }: LineEnds): () => void {
    const line = new EventSource(`${EVENTS_PATH}?asset=${asset}`)
    // Prices of the stream carry no time: the welcome may be of any age, so the server is asked for it instead.
    let isWelcome = true
    line.addEventListener('price', ({ data }) => {
      const usd = jsonOf(data)
      if (!isWelcome && isUsd(usd)) {
        heard()
        const { at = 0, source = null } = memory.price() ?? {}
        const now = Math.max(memory.now(), (at ?? 0) + 1)
        if (Date.now() - socketHeardAt > SILENT_MS) {
          memory.take({ usd, at: now, source, now: null })
        }
      }
      isWelcome = false
    })
    line.addEventListener('alive', heard)
    line.addEventListener('verdict', ({ data }) => {
      const told = readVerdict(jsonOf(data))
      if (told) for (const listener of verdictListeners) listener.told(told)
    })
    line.addEventListener('prediction', ({ data }) => {
      const change = readChange(jsonOf(data))
      if (change) for (const listener of verdictListeners) listener.changed(change)
    })
    // The server cannot tell what a line that was taken up again has missed.
    line.addEventListener('reset', () => {
      for (const listener of verdictListeners) listener.missed()
    })
    line.addEventListener('open', () => {
      open.add('stream')
      if (hasBeenOpen) for (const listener of verdictListeners) listener.missed()
      hasBeenOpen = true
    })
    line.addEventListener('error', lost)
    return () => {
      ended('stream')
      line.close()
    }
  }

  const lines = [
    heldLine(socket, () => priceListeners.size > 0),
    heldLine(stream, () => priceListeners.size + verdictListeners.size > 0),
  ]
  const settle = (): void => {
    for (const line of lines) line(!document.hidden)
  }
  let unwatch: (() => void) | null = null
  let asking: ReturnType<typeof setTimeout> | undefined

  function join<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
    listeners.add(listener)
    unwatch ??= watchSight(settle)
    asking ??= setTimeout(() => void askLast(asset, memory), ASK_AFTER_MS)
    settle()
    return () => {
      listeners.delete(listener)
      settle()
      if (priceListeners.size + verdictListeners.size > 0) return
      unwatch?.()
      unwatch = null
      clearTimeout(asking)
      asking = undefined
    }
  }

  return {
    price: memory.price,
    onPrice: (notify) => join(priceListeners, notify),
    onVerdict: (listener) => join(verdictListeners, listener),
  }
}

/** A connection that is open as long as it is wanted and the page is seen. */
function heldLine(
  connect: (ends: LineEnds) => () => void,
  isWanted: () => boolean,
): (isSeen: boolean) => void {
  let close: (() => void) | null = null
  return (isSeen) => {
    if (isSeen && isWanted()) close ??= keepLine(connect, SILENT_MS)
    else {
      close?.()
      close = null
    }
  }
}

/** Without an answer the header shows the last close, or that there is none. */
async function askLast(asset: AssetKey, memory: PriceMemory): Promise<void> {
  if (memory.price() !== null) return
  const response = await fetch(`/live-price?asset=${asset}`).catch(() => null)
  const told = response?.ok ? readPrice(await response.json().catch(() => null)) : null
  if (told && memory.price() === null) memory.take(told)
}

/** Calls back when the tab comes into sight, and when it has been out of sight for a while. */
function watchSight(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const turned = (): void => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(onChange, HIDDEN_MS)
    else onChange()
  }
  document.addEventListener('visibilitychange', turned)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', turned)
  }
}
