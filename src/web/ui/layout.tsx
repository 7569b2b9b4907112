import { useSyncExternalStore, type ReactNode } from 'react'

/** Phone below 768 px, tablet to 1023 px, desktop from 1024 px (public-site.md §2). */
type Layout = 'phone' | 'tablet' | 'desktop'

const PHONE = '(max-width: 767.98px)'
const TABLET = '(max-width: 1023.98px)'
/** Debounce while the window is dragged across breakpoints. */
const DEBOUNCE_MS = 100

/**
 * Layout of the window; `desktop` on the server and during hydration. Use it only for what style sheets cannot do, such
 * as not rendering a long table on phones.
 */
export function useLayout(): Layout {
  return useSyncExternalStore(subscribe, current, () => 'desktop' as const)
}

let settled: Layout | null = null

function measured(): Layout {
  if (window.matchMedia(PHONE).matches) return 'phone'
  return window.matchMedia(TABLET).matches ? 'tablet' : 'desktop'
}

function current(): Layout {
  settled ??= measured()
  return settled
}

function subscribe(notify: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const changed = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      settled = measured()
      notify()
    }, DEBOUNCE_MS)
  }
  const queries = [PHONE, TABLET].map((query) => window.matchMedia(query))
  for (const query of queries) query.addEventListener('change', changed)
  return () => {
    clearTimeout(timer)
    for (const query of queries) query.removeEventListener('change', changed)
  }
}

/** Content hidden on phones. The server renders it, and the parent's style sheet hides it until hydration. */
export function AbovePhone({ children }: { readonly children: ReactNode }) {
  return useLayout() === 'phone' ? null : children
}

/** Whether scripts run: false on the server and during hydration. For content that works only with scripts. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
}
