import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button } from './button.tsx'
import { after } from './hooks.ts'
import toasts from './toasts.module.css'

type State = 'idle' | 'copying' | 'copied' | 'failed'

/** Duration of the result (public-site.md §8). */
const VISIBLE_MS = 2_000

/** Copies a text and shows the result: Copying..., then Copied! with a message, or Copy failed. */
export function CopyButton({
  text,
  label,
  done,
  element,
}: {
  readonly text: string
  readonly label: string
  readonly done: string
  readonly element?: RefObject<HTMLElement | null>
}) {
  const place = useRef<HTMLSpanElement>(null)
  const [state, setState] = useState<State>('idle')
  useEffect(() => {
    if (state !== 'copied' && state !== 'failed') return
    return after(VISIBLE_MS, () => setState('idle'))
  }, [state])

  async function copy(): Promise<void> {
    if (!place.current) return
    setState('copying')
    const worked = await copyText(text, place.current, element?.current ?? null)
    setState(worked ? 'copied' : 'failed')
  }

  const words: Readonly<Record<State, string>> = {
    idle: label,
    copying: 'Copying...',
    copied: 'Copied!',
    failed: 'Copy failed',
  }
  return (
    <span ref={place}>
      <Button onClick={() => void copy()}>{words[state]}</Button>
      <span role="status">
        {state === 'copied' && (
          <span className={toasts.viewport}>
            <span className="floating">{done}</span>
          </span>
        )}
      </span>
    </span>
  )
}

/**
 * Copies a text by the clipboard API; if that is missing or refused, as on unencrypted pages, through a temporary
 * field, and finally through the text on the page.
 *
 * @param near parent of the temporary field, as dialogs trap the focus
 * @param element element with the text; left selected for manual copying if all fails
 * @returns whether it worked
 */
async function copyText(text: string, near: HTMLElement, element: HTMLElement | null) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(text, near) || copyFromPage(element)
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

function copyFromPage(element: HTMLElement | null): boolean {
  if (!element) return false
  try {
    getSelection()?.selectAllChildren(element)
    return document.execCommand('copy')
  } catch {
    return false
  }
}
