import { onWindow } from '#web/ui/hooks.ts'

/** Calls back on Ctrl+K or ⌘K, and on `/` outside of text fields. Ignored while a dialog is open. */
export function followSearchKeys(onSearch: () => void): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || !isSearchKey(event)) return
    if (document.querySelector('[role="dialog"]')) return
    event.preventDefault()
    onSearch()
  })
}

function isSearchKey({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k'
  const isTyping =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]')
  return key === '/' && !isTyping
}

let typed = ''

/**
 * Buffers typing until the search field is loaded.
 *
 * @returns a function that stops buffering
 */
export function keepEarlyKeys(): () => void {
  return onWindow(['keydown'], keep, { capture: true })
}

/** Text typed so far, with a line break for Enter. */
export function takeEarlyKeys(): string {
  const taken = typed
  typed = ''
  return taken
}

function keep(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey || event.isComposing) return
  if (key === 'Backspace') typed = typed.slice(0, -1)
  else if (key === 'Enter') typed += '\n'
  else if (Array.from(key).length === 1) typed += key
  else return
  // Keep the keys from the page and its buttons.
  event.preventDefault()
  event.stopPropagation()
}
