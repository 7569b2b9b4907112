import { useSyncExternalStore } from 'react'
import { type LivePrice } from './live-price.ts'
import { type LiveFeed } from './live.ts'

/** The live price, drawing only who shows it; null until one has come, and on the server. */
export function useLivePrice(feed: LiveFeed): LivePrice | null {
  return useSyncExternalStore(feed.onPrice, feed.price, () => null)
}
