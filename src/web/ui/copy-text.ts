/**
 * Puts a text on the clipboard: by the browser's own call; where that is missing or refused, as on pages without
 * encryption, through a field that is selected and copied; and through the text on the page itself.
 *
 * @param near where a field may be put for a moment: a dialog keeps the focus inside itself
 * @param shown the element that shows the text; it stays selected when nothing works, for copying by hand
 * @returns whether it worked
 */
export async function copyText(
  text: string,
  near: HTMLElement,
  shown: HTMLElement | null,
): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(text, near) || copyFromPage(shown)
  }
}

function copyFromField(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'aside-voice'
  field.setAttribute('aria-hidden', 'true')
  const focused = document.activeElement
  near.append(field)
  try {
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}

function copyFromPage(shown: HTMLElement | null): boolean {
  if (!shown) return false
  try {
    getSelection()?.selectAllChildren(shown)
    return document.execCommand('copy')
  } catch {
    return false
  }
}
