import { entryKey, MOVED_ON } from '#web/address/location.ts'

/** Scroll positions by history entry (public-site.md §2). */
const places = new Map<string, number>()
let entry = ''
let path = ''
let isMoving = false
let endRestoring = (): void => {}

export function takeOverScroll(): void {
  history.scrollRestoration = 'manual'
  for (const [key, place] of saved()) places.set(key, place)
  arrive()
  window.addEventListener('popstate', () => {
    const before = entry
    if (!arrive() && entry !== before) window.scrollTo(0, places.get(entry) ?? window.scrollY)
  })
  window.addEventListener(MOVED_ON, arrive)
  window.addEventListener('pagehide', () => {
    notePlace()
    try {
      sessionStorage.setItem('places', JSON.stringify([...places].slice(-50)))
    } catch {
      // Without storage, a reload starts at the top.
    }
  })
  window.addEventListener('scroll', notePlace, { passive: true })
  isMoving = false
  const place = places.get(entry)
  // Without a stored position there is nothing to restore, and no early layout.
  if (place !== undefined) restore(place)
}

/** Also called when the page is left, as the last scroll event may still be pending. */
function notePlace(): void {
  // Between two pages the shorter content changes the position; that is not the visitor's choice.
  if (entry !== '' && !isMoving) places.set(entry, window.scrollY)
}

/**
 * Handles a new current history entry.
 *
 * @returns whether its page must be rendered first
 */
function arrive(): boolean {
  notePlace()
  endRestoring()
  entry = mark()
  const isElsewhere = path !== window.location.pathname
  path = window.location.pathname
  if (isElsewhere) isMoving = true
  return isElsewhere
}

export function keepScroll(): void {
  if (!isMoving) return
  isMoving = false
  const { hash } = window.location
  const goal = hash === '' ? null : document.getElementById(hash.slice(1))
  if (goal && !places.has(entry)) goal.scrollIntoView()
  else restore(places.get(entry) ?? 0)
}

/** Scrolls to a position, again while a page that is still loading grows to it, unless the visitor moves first. */
function restore(place: number): void {
  endRestoring()
  window.scrollTo(0, place)
  if (window.scrollY >= place - 1) return
  isMoving = true
  const ended = new AbortController()
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, place)
    if (window.scrollY >= place - 1) endRestoring()
  })
  observer.observe(document.body)
  endRestoring = () => {
    observer.disconnect()
    ended.abort()
    isMoving = false
    endRestoring = () => {}
  }
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(type, () => endRestoring(), { signal: ended.signal, passive: true })
  }
}

/** Gives the current entry a key, keeping the rest of its state. */
function mark(): string {
  const known = entryKey(history.state)
  if (known) return known
  const scrollKey = Math.random().toString(36).slice(2)
  const state: unknown = history.state
  history.replaceState({ ...(typeof state === 'object' ? state : null), scrollKey }, '')
  return scrollKey
}

function saved(): [string, number][] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem('places') ?? '[]')
    return Array.isArray(value)
      ? value.filter(
          (pair): pair is [string, number] =>
            Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number',
        )
      : []
  } catch {
    return []
  }
}
