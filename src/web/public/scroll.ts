import { entryKey, MOVED_ON } from '#web/address/location.ts'

/** Where each entry of the history was scrolled to (public-site.md §2). */
const places = new Map<string, number>()
let entry = ''
let path = ''
let isMoving = false

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
    try {
      sessionStorage.setItem('places', JSON.stringify([...places].slice(-50)))
    } catch {
      // Without storage a reload starts at the top.
    }
  })
  window.addEventListener(
    'scroll',
    () => {
      // Between two pages the window is cut to the height of what is there; the reader chose no place there.
      if (!isMoving) places.set(entry, window.scrollY)
    },
    { passive: true },
  )
  isMoving = false
  const place = places.get(entry)
  // Without one the page stays where it is, and nothing is laid out before it is painted.
  if (place !== undefined) window.scrollTo(0, place)
}

/** An entry of the history is shown. @returns whether it is of another page, which is drawn first */
function arrive(): boolean {
  // The event of the last scrolling may still be to come.
  if (entry !== '' && !isMoving) places.set(entry, window.scrollY)
  entry = mark()
  const isElsewhere = path !== window.location.pathname
  path = window.location.pathname
  if (isElsewhere) isMoving = true
  return isElsewhere
}

/** The page of the current entry is drawn: go to its place. */
export function keepScroll(): void {
  if (!isMoving) return
  isMoving = false
  const { hash } = window.location
  const goal = hash === '' ? null : document.getElementById(hash.slice(1))
  if (goal && !places.has(entry)) goal.scrollIntoView()
  else window.scrollTo(0, places.get(entry) ?? 0)
}

/** Gives the current entry a key of its own, keeping what else its state holds. */
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
