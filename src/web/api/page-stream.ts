import { LIVE_EVENTS_PATH, LIVE_REPEAT_MS } from '#contracts/paths.ts'
import { type AssetKey } from '#domain/asset.ts'
import { pageVersion, noteVersion } from './page-data.ts'
import { doubtReach, noteNews } from './reach.ts'

const HIDDEN_MS = 30_000

const NAMES = ['price', 'verdict', 'prediction', 'receipt', 'reset', 'alive'] as const
type EventName = (typeof NAMES)[number]

export type Listener = {
  /** Prices of this asset; a stream carries those of one asset. */
  readonly asset?: AssetKey
  readonly receipt?: string
  readonly on: Partial<Record<EventName, (data: unknown) => void>>
  /** The stream was interrupted; it reopens by itself after the last event received. */
  readonly lost?: () => void
}

const listeners = new Set<Listener>()
let opened: { readonly address: string; readonly close: () => void } | null = null
let isSettling = false
let unfollow: (() => void) | null = null

/**
 * Subscribes to the event stream of this page, which is open while there are subscriptions and the tab is visible.
 *
 * @returns a function that unsubscribes
 */
export function follow(listener: Listener): () => void {
  listeners.add(listener)
  unfollow ??= followSight(settle)
  settleSoon()
  return () => {
    listeners.delete(listener)
    settleSoon()
  }
}

/** Reopens the stream once for subscriptions changed in the same step. */
function settleSoon(): void {
  if (isSettling) return
  isSettling = true
  queueMicrotask(() => {
    isSettling = false
    settle()
  })
}

function settle(): void {
  const asset = [...listeners].findLast((listener) => listener.asset)?.asset ?? 'none'
  const address = listeners.size > 0 && !document.hidden ? addressOf(asset) : null
  if (listeners.size === 0) {
    unfollow?.()
    unfollow = null
  }
  if (opened?.address === address) return
  const before = opened
  opened = address === null ? null : { address, close: connect(address, asset) }
  before?.close()
  if (before && !opened) lost()
}

function lost(): void {
  for (const listener of listeners) listener.lost?.()
}

function addressOf(asset: AssetKey | 'none'): string {
  const receipts = new Set([...listeners].flatMap(({ receipt }) => receipt ?? []))
  const query = [['asset', asset], ...[...receipts].map((token) => ['receipt', token])]
  return `${LIVE_EVENTS_PATH}?${new URLSearchParams(query).toString()}`
}

function connect(address: string, asset: AssetKey | 'none'): () => void {
  const withVersion = (): string => {
    const after = pageVersion()
    return address + (after && `&after=${after}`)
  }
  return openStream(withVersion, {
    names: NAMES,
    event: (name, data, id) => {
      noteVersion(id)
      for (const listener of listeners) {
        if (name !== 'price' || listener.asset === asset) listener.on[name]?.(data)
      }
    },
    lost,
  })
}

function followSight(onChange: () => void): () => void {
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

/** A silent stream is dead after three missed repeats. */
const SILENT_MS = 3 * LIVE_REPEAT_MS
/** Delay before reopening a refused stream (public-site.md §9), plus a random part. */
const AGAIN_MS = 5_000
const JITTER_MS = 2_500

/**
 * Opens an event stream that reopens itself when refused or silent; a lost connection is left to the browser.
 *
 * @param addressOf called on each opening
 * @returns a function that closes it for good
 */
export function openStream<Name extends string>(
  addressOf: () => string,
  {
    names,
    event,
    opened,
    lost,
  }: {
    readonly names: readonly Name[]
    readonly event: (name: Name, data: unknown, id: string) => void
    readonly opened?: () => void
    readonly lost: () => void
  },
): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined

  function broken(): void {
    doubtReach()
    lost()
    clearTimeout(timer)
    // If not closed, the browser is reconnecting.
    if (source.readyState !== EventSource.CLOSED) expect()
    else timer = setTimeout(open, AGAIN_MS + Math.random() * JITTER_MS)
  }

  function expect(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      source.close()
      broken()
    }, SILENT_MS)
  }

  function open(): void {
    const own = new EventSource(addressOf())
    source = own
    expect()
    own.addEventListener('open', () => opened?.())
    own.addEventListener('error', broken)
    for (const name of names) {
      own.addEventListener(name, ({ data, lastEventId }: MessageEvent<unknown>) => {
        if (own !== source) return
        noteNews()
        expect()
        event(name, jsonOf(data), lastEventId)
      })
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

export function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
