import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { type Exhibit } from '#contracts/page.ts'
import { type Day } from '#domain/day.ts'
import { verdictSentence } from '#domain/verdict-text.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { PredictionPicture } from '#web/ui/prediction-picture.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { headline, predictionPath } from '#web/ui/wording.ts'
import { Link } from 'wouter'
import css from './exhibits.module.css'

const TURN_MS = 6_000
const PICTURE = { width: 640, height: 360 } as const

/** Real calls and what came of them, one after the other. Resting on them, or wanting no motion, stops them. */
export function Exhibits({
  exhibits,
  today,
}: {
  readonly exhibits: readonly Exhibit[]
  readonly today: Day
}) {
  const shown = useMemo(
    () =>
      exhibits.flatMap(({ prediction: row, prices }) => {
        const prediction = predictionOfRow(row)
        return prediction ? [{ prediction, prices }] : []
      }),
    [exhibits],
  )
  const [current, setCurrent] = useState(0)
  const [paused, setPaused] = useState(false)
  const box = useRef<HTMLElement>(null)

  useEffect(() => {
    if (paused || shown.length < 2) return
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const timer = setInterval(() => {
      const isRestedOn = box.current?.matches(':hover, :focus-within') ?? false
      if (!document.hidden && !isRestedOn) setCurrent((before) => (before + 1) % shown.length)
    }, TURN_MS)
    return () => clearInterval(timer)
  }, [paused, shown.length])

  if (shown.length === 0) return null
  return (
    <section ref={box} className={css.exhibits} aria-label="Real predictions and what came of them">
      <div className={css.stack}>
        {shown.map(({ prediction, prices }, i) => (
          <article
            key={prediction.id}
            className={css.exhibit}
            data-current={i === current}
            inert={i !== current}
          >
            <div className={css.picture}>
              <PredictionPicture
                prediction={prediction}
                prices={prices}
                mode="touch"
                today={today}
                wide={PICTURE}
              />
            </div>
            <div className={css.caption}>
              <div className={css.top}>
                <h2 className={css.title}>
                  <Link href={predictionPath(prediction)}>
                    <bdi>{headline(prediction)}</bdi>
                  </Link>
                </h2>
                <VerdictBadge outcome={prediction.verdicts.touch.outcome} />
              </div>
              <p className={css.sentence}>{verdictSentence(prediction, 'touch')}</p>
            </div>
          </article>
        ))}
      </div>
      {shown.length > 1 && (
        <div className={css.dots} role="group" aria-label="Choose a prediction">
          {shown.map(({ prediction }, i) => (
            <button
              key={prediction.id}
              type="button"
              className={css.dot}
              aria-pressed={i === current}
              aria-label={`${String(i + 1)}: ${headline(prediction)}`}
              onClick={() => setCurrent(i)}
            />
          ))}
          <button
            type="button"
            className={css.pause}
            aria-label={paused ? 'Let them change' : 'Hold this one'}
            onClick={() => setPaused(!paused)}
          >
            <svg viewBox="0 0 16 16" width="14" height="14" fill="currentColor" aria-hidden="true">
              {paused ? <path d="M4 2v12l9-6z" /> : <path d="M4 2h3v12H4zM9 2h3v12H9z" />}
            </svg>
          </button>
        </div>
      )}
    </section>
  )
}
