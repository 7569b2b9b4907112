import { createContext, useContext, useSyncExternalStore } from 'react'
import { pagePath } from '#domain/site.ts'
import { onWindow, useOfBrowser } from '#web/ui/hooks.ts'

/** Path `/btc` and query `status=miss`, without question mark. */
export type Place = { readonly path: string; readonly search: string }

/** Fired on navigation, including opening or closing a dialog, that fires no `popstate`. */
export const MOVED_ON = 'movedon'

/** Fired when a page has written its state to its address. */
export const WRITTEN = 'addresswritten'

/** The URL rendered by the server; the browser uses its own. */
export const PlaceContext = createContext<Place>({ path: '/', search: '' })

export function usePath(): string {
  const drawn = useContext(PlaceContext)
  return useSyncExternalStore(
    followPlace,
    () => pagePath(window.location.pathname),
    () => drawn.path,
  )
}

/** The query when the page opened; unaffected by later changes of the page's own. */
export function useOpeningSearch(): string {
  const drawn = useContext(PlaceContext)
  return useOfBrowser(
    () => window.location.search.slice(1),
    () => drawn.search,
  )
}

/** Dialogs for navigation only; their history entries are replaced. */
const PASSING = new Set(['#search', '#menu'])

export function goTo(address: string): void {
  if (PASSING.has(window.location.hash)) window.history.replaceState(null, '', address)
  else window.history.pushState(null, '', address)
  window.dispatchEvent(new Event(MOVED_ON))
}

type Marked = { readonly scrollKey?: unknown }

/** The key of a history entry, shared with dialogs opened on top; null if not set yet. */
export function entryKey(state: unknown): string | null {
  if (typeof state !== 'object' || state === null) return null
  const { scrollKey } = state as Marked
  return typeof scrollKey === 'string' ? scrollKey : null
}

/** Turns clicks on plain `<a>` elements into client-side navigation; links still work before scripts load and in new tabs. */
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

/**
 * Calls back when the address may have changed.
 *
 * @returns a function that unsubscribes
 */
export function followPlace(notify: () => void): () => void {
  return onWindow(['popstate', MOVED_ON], notify)
}
