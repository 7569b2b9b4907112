let typed = ''

/** Keeps what is typed for the search field, which is still to come. @returns ends that */
export function keepEarlyKeys(): () => void {
  window.addEventListener('keydown', keep, { capture: true })
  return () => window.removeEventListener('keydown', keep, { capture: true })
}

/** What was typed so far, with a line break where Enter was pressed. */
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
  // Neither the page below nor one of its buttons gets it.
  event.preventDefault()
  event.stopPropagation()
}
