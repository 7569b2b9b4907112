import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
} from 'react'

/** Key bindings; unlisted keys keep their default. */
type KeyCalls = Readonly<Record<string, (() => void) | undefined>>

/**
 * Calls back on keys while `active`. Never while typing in a field, and never together with Ctrl, Alt or the like.
 * Enter on a button or a link is theirs. What is still being typed while a dialog closes does nothing.
 */
export function useKeys(active: boolean, calls: KeyCalls): void {
  const coveredUntil = useRef(-Infinity)
  const pressed = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(TYPED_IN)) return
    if (performance.now() < coveredUntil.current + CLOSING_MS) {
      event.preventDefault()
      return
    }
    if (event.key === 'Enter' && target?.closest('a, button, summary, [role="tab"]')) return
    const call = calls[event.key]
    if (!call) return
    event.preventDefault()
    call()
  })
  useEffect(() => {
    if (!active) return
    const listen = (event: KeyboardEvent): void => pressed(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [active])
  useEffect(() => {
    if (active) return
    return () => {
      coveredUntil.current = performance.now()
    }
  }, [active])
}

const CLOSING_MS = 300

const TYPED_IN =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]'

/** Ctrl or Cmd with Enter sends the form, from any of its fields. */
export function sendByKeys(event: ReactKeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/**
 * The row that keys act on. It stays the same while the list around it changes; when it leaves the list, the one that took
 * its place is next. The focus follows, so that keys and screen readers are where the eye is.
 *
 * @param place holds the elements of the rows, each with its id as `data-row`
 * @param first the row that it begins with, if not the first one, and whether it takes the focus; `isKeyed` is off while a
 *   dialog covers the list
 */
export function useRow(
  ids: readonly string[],
  place: RefObject<HTMLElement | null>,
  first: {
    readonly open: string | null
    readonly focused: string | null
    readonly isKeyed: boolean
  },
) {
  const [spot, setSpot] = useState({ id: first.focused ?? first.open, at: 0 })
  const found = spot.id === null ? -1 : ids.indexOf(spot.id)
  const at = found >= 0 ? found : Math.min(spot.at, ids.length - 1)
  const id = ids[at] ?? null
  if (id !== null && (spot.id !== id || spot.at !== at)) setSpot({ id, at })

  const hadFocus = useRef(first.focused !== null)
  function focus(wanted: string): void {
    const all = place.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    const row = [...all].find((one) => one.dataset['row'] === wanted)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const restore = useEffectEvent(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && hadFocus.current && id !== null) focus(id)
  })
  useEffect(() => restore(), [id])
  // A dialog gives the focus back once it is gone; the row where it was may be gone, too.
  const { isKeyed } = first
  useEffect(() => {
    if (!isKeyed) return
    const frame = requestAnimationFrame(() => restore())
    return () => {
      cancelAnimationFrame(frame)
      hadFocus.current = true
    }
  }, [isKeyed])

  return {
    id,
    /** @returns the row it has gone to */
    step(by: 1 | -1): string | null {
      const next = ids[Math.max(0, Math.min(ids.length - 1, at + by))]
      if (next === undefined) return null
      hadFocus.current = true
      setSpot({ id: next, at: ids.indexOf(next) })
      focus(next)
      return next
    },
    reach(row: string): void {
      hadFocus.current = true
      if (row !== id) setSpot({ id: row, at: ids.indexOf(row) })
    },
  }
}
