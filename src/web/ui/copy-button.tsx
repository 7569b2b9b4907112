import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { copyText } from './copy-text.ts'
import css from './copy-button.module.css'
import toasts from './toasts.module.css'

type State = 'idle' | 'copying' | 'copied' | 'failed'

/** It reverts after 2 seconds (public-site.md §8). */
const SHOWN_MS = 2_000

/** Copies a text and says whether it worked: Copying..., then Copied! and a message like those of `toasts`, or Copy failed. */
export function CopyButton({
  text,
  label,
  done,
  shown,
}: {
  readonly text: string
  readonly label: string
  /** What the toast says. */
  readonly done: string
  /** The element that shows the text, if there is one. */
  readonly shown?: RefObject<HTMLElement | null>
}) {
  const place = useRef<HTMLSpanElement>(null)
  const [state, setState] = useState<State>('idle')
  useEffect(() => {
    if (state !== 'copied' && state !== 'failed') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])

  async function copy(): Promise<void> {
    if (!place.current) return
    setState('copying')
    const worked = await copyText(text, place.current, shown?.current ?? null)
    setState(worked ? 'copied' : 'failed')
  }

  const words: Readonly<Record<State, string>> = {
    idle: label,
    copying: 'Copying...',
    copied: 'Copied!',
    failed: 'Copy failed',
  }
  return (
    <span ref={place} className={css.place}>
      <Button onClick={() => void copy()}>{words[state]}</Button>
      <span role="status">
        {state === 'copied' && (
          <span className={toasts.viewport}>
            <span className={classNames(toasts.toast, toasts.content)}>{done}</span>
          </span>
        )}
      </span>
    </span>
  )
}
