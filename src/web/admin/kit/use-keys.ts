import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
} from 'react'
import { onWindow } from '#web/ui/hooks.ts'

/** Unlisted keys keep their default. */
type KeyCalls = Readonly<Record<string, (() => void) | undefined>>

/**
 * Handles keys while `active`, except while typing, with Ctrl, Alt or Meta, or for Enter on a button or link. Keys
 * typed while a dialog closes are ignored.
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
    if (active) return onWindow(['keydown'], (event) => pressed(event))
    return undefined
  }, [active])
  // A layout effect, because the time counts from the frame in which the dialog closes.
  useLayoutEffect(() => {
    if (active) return
    return () => {
      coveredUntil.current = performance.now()
    }
  }, [active])
}

const CLOSING_MS = 300

const TYPED_IN =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]'

/**
 * Sets the focus at once, so that no key is lost, and again after a dialog around has set its own.
 *
 * @param key sets it again when it changes
 */
export function useInitialFocus(begin: () => void, key: unknown = null): void {
  const focus = useEffectEvent(begin)
  useEffect(() => {
    focus()
    const frame = requestAnimationFrame(() => focus())
    return () => cancelAnimationFrame(frame)
  }, [key])
}

/** Submits the form on Ctrl+Enter or Cmd+Enter in any of its fields. */
export function sendByKeys(event: ReactKeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/**
 * The row that keys act on. It stays selected while the list changes; when it leaves the list, the row that takes its
 * place is selected. The focus follows for screen readers.
 *
 * @param place contains the row elements, each with its id as `data-row`
 * @param first the initial row and whether it takes the focus; `isKeyed` is off while a dialog covers the list
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
  function focus(key: string): void {
    const all = place.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    const row = [...all].find((one) => one.dataset['row'] === key)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const restore = useEffectEvent(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && hadFocus.current && id !== null) focus(id)
  })
  useEffect(() => restore(), [id])
  // A closing dialog restores the focus, but the row that had it may be gone.
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
