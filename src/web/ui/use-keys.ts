import { useEffect, useEffectEvent, useRef } from 'react'

/** What each key does; a key that is missing does what it always does. */
export type KeyCalls = Readonly<Record<string, (() => void) | undefined>>

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

/** After a dialog has closed. */
const CLOSING_MS = 300

const TYPED_IN =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]'
