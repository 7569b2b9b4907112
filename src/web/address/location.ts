import { pagePath } from '#domain/site.ts'
import { createContext, useContext, useSyncExternalStore } from 'react'

/** Path and query, as `/btc` and `status=miss` without its question mark. */
export type Place = { readonly path: string; readonly search: string }

/** Fired when another page, or a dialog, is opened or closed without a step through the history. */
export const MOVED_ON = 'movedon'

/** Fired when a page has written into its address what a visitor chose. */
export const WRITTEN = 'addresswritten'

/** The URL rendered by the server; the browser uses its own. */
export const PlaceContext = createContext<Place>({ path: '/', search: '' })

export function usePath(): string {
  const drawn = useContext(PlaceContext)
  return useSyncExternalStore(followPlace, currentPath, () => drawn.path)
}

/** The query when the page opened; it does not follow later changes, which the page makes itself. */
export function useOpeningSearch(): string {
  const drawn = useContext(PlaceContext)
  return useSyncExternalStore(
    subscribeToNothing,
    () => window.location.search.slice(1),
    () => drawn.search,
  )
}

/** Dialogs that only lead elsewhere: going back skips them. */
const PASSING = new Set(['#search', '#menu'])

export function goTo(address: string): void {
  if (PASSING.has(window.location.hash)) window.history.replaceState(null, '', address)
  else window.history.pushState(null, '', address)
  window.dispatchEvent(new Event(MOVED_ON))
}

type Marked = { readonly scrollKey?: unknown }

/** The key of an entry of the history, which the dialogs opened over it share; null before it has one. */
export function entryKey(state: unknown): string | null {
  if (typeof state !== 'object' || state === null) return null
  const { scrollKey } = state as Marked
  return typeof scrollKey === 'string' ? scrollKey : null
}

/** Links stay plain `<a>` elements: they work before the scripts, in new tabs, and in markup of the server. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (!isPlain || event.altKey || event.defaultPrevented) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || !isPage(link)) return
    event.preventDefault()
    if (link.href !== window.location.href) goTo(link.href)
  })
}

function isPage(link: HTMLAnchorElement): boolean {
  if (!link.getAttribute('href') || link.origin !== window.location.origin) return false
  if (link.target !== '' || link.hasAttribute('download') || link.hash !== '') return false
  return !/^\/(?:api|ws|admin)(?:\/|$)|\.\w+$/.test(link.pathname)
}

function currentPath(): string {
  return pagePath(window.location.pathname)
}

/** Calls back when the address may be another one. @returns ends it */
export function followPlace(notify: () => void): () => void {
  window.addEventListener('popstate', notify)
  window.addEventListener(MOVED_ON, notify)
  return () => {
    window.removeEventListener('popstate', notify)
    window.removeEventListener(MOVED_ON, notify)
  }
}

function subscribeToNothing(): () => void {
  return () => {
    // The query is read once.
  }
}
