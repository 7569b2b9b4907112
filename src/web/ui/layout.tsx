import { useSyncExternalStore, type ReactNode } from 'react'
import { useOfBrowser } from './hooks.ts'

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

/**
 * Content that the server renders and that phones, where the parent's style sheet hides it, remove without loading its
 * code or hydrating it.
 */
export function AbovePhone({ children }: { readonly children: ReactNode }) {
  const atFirst = import.meta.env.SSR ? () => 'desktop' as const : current
  const isPhone = useSyncExternalStore(subscribe, current, atFirst) === 'phone'
  if (!isPhone) return <div key="wide">{children}</div>
  return (
    <div
      key="phone"
      ref={(box) => box?.replaceChildren()}
      suppressHydrationWarning
      dangerouslySetInnerHTML={NOTHING}
    />
  )
}

/** React leaves the server's markup alone when hydrating with empty HTML. */
export const NOTHING = { __html: '' }

/** Content that works only with scripts: absent on the server and during hydration. */
export function InBrowser({
  children,
  fallback = null,
}: {
  readonly children: ReactNode
  readonly fallback?: ReactNode
}) {
  const isInBrowser = useOfBrowser(
    () => true,
    () => false,
  )
  return isInBrowser ? children : fallback
}
