import { LIVE_EVENTS_PATH, LIVE_REPEAT_MS } from '#contracts/live.paths.ts'
import { type AssetKey } from '#domain/asset.ts'
import { newestHeard, noteVersion } from './heard.ts'
import { keepConnection, type ConnectionEnds } from './keep-connection.ts'
import { jsonOf } from './live-messages.ts'

/** A silent stream is dead after three missed repeats. */
export const SILENT_MS = 3 * LIVE_REPEAT_MS
/** A tab that is hidden for this long closes its stream. */
const HIDDEN_MS = 30_000

const NAMES = ['price', 'verdict', 'prediction', 'receipt', 'reset', 'alive'] as const
type EventName = (typeof NAMES)[number]

/** What a part of the page subscribes to. */
export type Wish = {
  /** Whose prices; a stream carries those of one asset. */
  readonly asset?: AssetKey
  /** The token of a receipt. */
  readonly receipt?: string
  readonly on: Partial<Record<EventName, (data: unknown) => void>>
  /** The stream has ended; it is opened again by itself, and goes on after its last event. */
  readonly lost?: () => void
}

const wishes = new Set<Wish>()
let opened: { readonly address: string; readonly close: () => void } | null = null
let isSettling = false
let unfollow: (() => void) | null = null

/**
 * Subscribes to the one event stream of this page, which all its parts share. It is open while there are subscriptions
 * and the tab is visible.
 *
 * @returns ends it
 */
export function follow(wish: Wish): () => void {
  wishes.add(wish)
  unfollow ??= followSight(settle)
  settleSoon()
  return () => {
    wishes.delete(wish)
    settleSoon()
  }
}

/** Subscriptions that change together reopen the stream once. */
function settleSoon(): void {
  if (isSettling) return
  isSettling = true
  queueMicrotask(() => {
    isSettling = false
    settle()
  })
}

function settle(): void {
  const asset = [...wishes].findLast((wish) => wish.asset)?.asset ?? 'none'
  const address = wishes.size > 0 && !document.hidden ? addressOf(asset) : null
  if (wishes.size === 0) {
    unfollow?.()
    unfollow = null
  }
  if (opened?.address === address) return
  const before = opened
  opened =
    address === null
      ? null
      : { address, close: keepConnection(connectTo(address, asset), SILENT_MS, lost) }
  before?.close()
  if (before && !opened) lost()
}

function lost(): void {
  for (const wish of wishes) wish.lost?.()
}

function addressOf(asset: AssetKey | 'none'): string {
  const receipts = new Set([...wishes].flatMap(({ receipt }) => receipt ?? []))
  const query = [['asset', asset], ...[...receipts].map((token) => ['receipt', token])]
  return `${LIVE_EVENTS_PATH}?${new URLSearchParams(query).toString()}`
}

function connectTo(
  address: string,
  asset: AssetKey | 'none',
): (ends: ConnectionEnds) => () => void {
  return ({ heard, lost: ended }) => {
    const after = newestHeard()
    const stream = new EventSource(address + (after && `&after=${after}`))
    for (const name of NAMES) {
      stream.addEventListener(name, ({ data, lastEventId: id }) => {
        noteVersion(id)
        heard()
        const read = jsonOf(data)
        for (const wish of wishes) {
          if (name !== 'price' || wish.asset === asset) wish.on[name]?.(read)
        }
      })
    }
    stream.addEventListener('error', ended)
    return () => stream.close()
  }
}

/** Calls back when the tab becomes visible, and when it has been hidden for a while. */
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
