import { useEffect, useEffectEvent } from 'react'

/** Calls back on Ctrl K or ⌘ K anywhere, and on `/` where nothing is typed into. Never over a dialog, which has the keys. */
export function useSearchKeys(onSearch: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || !isSearchKey(event)) return
    if (document.querySelector('[role="dialog"]')) return
    event.preventDefault()
    onSearch()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => pressed(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function isSearchKey({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k'
  const isTyping =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]')
  return key === '/' && !isTyping
}
