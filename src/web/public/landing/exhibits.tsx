import { type Exhibit } from '#contracts/page.ts'
import { type Day } from '#domain/day.ts'
import { useEffect, useRef, useState } from 'react'
import { still } from '#web/ui/still.tsx'
import css from './exhibits.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'

const TURN_MS = 6_000

const StillExhibit = still(async () => (await import('./exhibit-view.tsx')).ExhibitView)

/** Real calls and what came of them, one after the other. Resting on them, or wanting no motion, stops them. */
export function Exhibits({
  exhibits,
  today,
}: {
  readonly exhibits: readonly Exhibit[]
  readonly today: Day
}) {
  const count = exhibits.length
  const [current, setCurrent] = useState(0)
  const [held, setHeld] = useState(false)
  const box = useRef<HTMLElement>(null)

  useEffect(() => {
    if (held || count < 2) return
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const timer = setInterval(() => {
      const isRestedOn = box.current?.matches(':hover, :focus-within') ?? false
      if (!document.hidden && !isRestedOn) setCurrent((before) => (before + 1) % count)
    }, TURN_MS)
    return () => clearInterval(timer)
  }, [held, count])

  if (count === 0) return null
  return (
    <Stack as="section" ref={box} aria-label="Real predictions and what came of them">
      <Stack gap={0} className={css.stack}>
        {exhibits.map((exhibit, i) => (
          <Stack
            as="article"
            gap={0}
            key={exhibit.prediction.id}
            className={css.exhibit}
            data-current={i === current}
            inert={i !== current}
          >
            <StillExhibit exhibit={exhibit} today={today} className={css.content} />
          </Stack>
        ))}
      </Stack>
      {count > 1 && (
        <Row gap={0} justify="center" whole role="group" aria-label="Choose a prediction">
          {exhibits.map(({ prediction }, i) => (
            <button
              key={prediction.id}
              type="button"
              className={css.dot}
              aria-pressed={i === current}
              aria-label={`${String(i + 1)} of ${String(count)}: ${prediction.influencer.name}`}
              onClick={() => setCurrent(i)}
            />
          ))}
          <button
            type="button"
            className={css.pause}
            aria-label={held ? 'Play' : 'Pause'}
            onClick={() => setHeld(!held)}
          >
            <svg viewBox="0 0 16 16" width="14" height="14" fill="currentColor" aria-hidden="true">
              {held ? <path d="M4 2v12l9-6z" /> : <path d="M4 2h3v12H4zM9 2h3v12H9z" />}
            </svg>
          </button>
        </Row>
      )}
    </Stack>
  )
}
