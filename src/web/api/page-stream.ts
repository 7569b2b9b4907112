import { LIVE_EVENTS_PATH } from '#contracts/paths.ts'
import { type AssetKey } from '#domain/asset.ts'
import { openStream } from './event-source.ts'
import { newestHeard, noteVersion } from './page-data.ts'

const HIDDEN_MS = 30_000

const NAMES = ['price', 'verdict', 'prediction', 'receipt', 'reset', 'alive'] as const
type EventName = (typeof NAMES)[number]

export type Wish = {
  /** Whose prices; a stream carries those of one asset. */
  readonly asset?: AssetKey
  readonly receipt?: string
  readonly on: Partial<Record<EventName, (data: unknown) => void>>
  /** The stream has ended; it is opened again by itself, and goes on after its last event. */
  readonly lost?: () => void
}

const wishes = new Set<Wish>()
let opened: { readonly address: string; readonly close: () => void } | null = null
let isSettling = false
let unfollow: (() => void) | null = null

/** Subscribes to the one event stream of this page, open while there are subscriptions and the tab is visible. @returns ends it */
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
  opened = address === null ? null : { address, close: connect(address, asset) }
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

function connect(address: string, asset: AssetKey | 'none'): () => void {
  const withVersion = (): string => {
    const after = newestHeard()
    return address + (after && `&after=${after}`)
  }
  return openStream(withVersion, {
    names: NAMES,
    event: (name, data, id) => {
      noteVersion(id)
      for (const wish of wishes) {
        if (name !== 'price' || wish.asset === asset) wish.on[name]?.(data)
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
