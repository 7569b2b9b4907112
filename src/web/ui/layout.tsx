import { useSyncExternalStore, type ReactNode } from 'react'
import { useOfBrowser } from './hooks.ts'

/** Below 768 px (public-site.md §2). */
const PHONE = '(max-width: 767.98px)'
/** Debounce while the window is dragged across the breakpoint. */
const DEBOUNCE_MS = 100

/**
 * Whether the window is as narrow as a phone's; false on the server and during hydration. Use it only for what style
 * sheets cannot do, such as not rendering a long table on phones.
 */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, current, () => false)
}

let settled: boolean | null = null

const measured = (): boolean => window.matchMedia(PHONE).matches

function current(): boolean {
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
  const query = window.matchMedia(PHONE)
  query.addEventListener('change', changed)
  return () => {
    clearTimeout(timer)
    query.removeEventListener('change', changed)
  }
}

/**
 * Content that the server renders and that phones, where the parent's style sheet hides it, remove without loading its
 * code or hydrating it.
 */
export function AbovePhone({ children }: { readonly children: ReactNode }) {
  const atFirst = import.meta.env.SSR ? () => false : current
  const isPhone = useSyncExternalStore(subscribe, current, atFirst)
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
