/** An element by its selector and, if given, its name or text. */
export type PressTarget = { readonly css: string; readonly name?: string }

/** Point at which to press an element; `fault` says why it cannot be pressed. */
export type Place = { readonly fault: string | null; readonly x: number; readonly y: number }

/**
 * Scrolls to the first visible element with the name and finds its middle. Runs in the page, so it must not use
 * anything from outside.
 */
export function locate({ css, name }: PressTarget): Place {
  const nameOf = (element: Element): string => {
    const labels = 'labels' in element ? (element as HTMLInputElement).labels : null
    const label = labels?.[0]?.textContent
    return (element.getAttribute('aria-label') ?? label ?? element.textContent).trim()
  }
  const found = [...document.querySelectorAll(css)].find(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      (name === undefined || nameOf(element).startsWith(name)),
  )
  if (!found) return { fault: 'it is not there', x: 0, y: 0 }
  if ((found as HTMLButtonElement).disabled) return { fault: 'it is disabled', x: 0, y: 0 }
  found.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
  const box = found.getClientRects()[0] ?? found.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const there = document.elementFromPoint(x, y)
  const isHit = there !== null && (found.contains(there) || there.contains(found))
  return { fault: isHit ? null : `${there?.tagName ?? 'nothing'} is over it`, x, y }
}

/** Whether a field of this name has the focus. Also runs in the page. */
export function hasFocus({ css, name = '' }: PressTarget): boolean {
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement) || !field.matches(css)) return false
  const words = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? ''
  return words.trim().startsWith(name)
}
