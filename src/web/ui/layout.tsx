import { useSyncExternalStore, type ReactNode } from 'react'

/** Phone below 768 px, tablet to 1023 px, desktop from 1024 px (public-site.md §2). */
type Layout = 'phone' | 'tablet' | 'desktop'

const PHONE = '(max-width: 767.98px)'
const TABLET = '(max-width: 1023.98px)'
/** A window dragged across a breakpoint switches once, when it stops. */
const DEBOUNCE_MS = 100

/**
 * The layout of the window; `desktop` on the server and during hydration. Style sheets lay the page out without it: it is
 * for what a style sheet cannot do, such as leaving a long table out of a phone.
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

/** Content hidden on phones. The server draws it all the same; the parent's style sheet hides it until the page is hydrated. */
export function AbovePhone({ children }: { readonly children: ReactNode }) {
  return useLayout() === 'phone' ? null : children
}

/** Whether scripts run here: false on the server and while its markup is hydrated, for what only works with them. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
}
