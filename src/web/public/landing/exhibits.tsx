import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { type Exhibit } from '#contracts/page.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { statementText } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Row, Stack } from '#web/ui/primitives.tsx'
import { still } from '#web/ui/still.tsx'
import css from './landing.module.css'

const PAGE_MS = 6_000

const loadView = () => import('./exhibit-view.tsx')
const StillExhibit = still(async () => (await loadView()).ExhibitView)

/** Rotates through real calls; the page includes the picture of the first. */
export function Exhibits({
  exhibits,
  today,
}: {
  readonly exhibits: readonly Exhibit[]
  readonly today: Day
}) {
  const count = exhibits.length
  const [current, setCurrent] = useState(0)
  const [paused, setPaused] = useState(false)
  const [later, setLater] = useState<readonly ReactNode[]>([])
  const box = useRef<HTMLElement>(null)

  async function load(i: number): Promise<void> {
    const exhibit = exhibits[i]
    if (!exhibit || exhibit.prices || later[i]) return
    const view = await (await loadView()).fetchExhibit(exhibit, today)
    setLater((before) => Object.assign([...before], { [i]: view }))
  }

  const goOn = useEffectEvent(async (signal: AbortSignal) => {
    const next = (current + 1) % count
    // Show the text without its picture.
    await load(next).catch(() => undefined)
    if (!signal.aborted) setCurrent(next)
  })
  useEffect(() => {
    if (paused || count < 2) return undefined
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined
    const leave = new AbortController()
    const timer = setInterval(() => {
      if (document.hidden || !box.current) return
      const { top, bottom } = box.current.getBoundingClientRect()
      const isInUse = box.current.matches(':hover, :focus-within')
      if (top < window.innerHeight && bottom > 0 && !isInUse) void goOn(leave.signal)
    }, PAGE_MS)
    return () => {
      leave.abort()
      clearInterval(timer)
    }
  }, [paused, count, current])

  if (count === 0) return null
  return (
    <Stack as="section" ref={box} aria-label="Real predictions and what came of them">
      <Stack gap={0} className="card clipped">
        {exhibits.map((exhibit, i) => (
          <Stack
            as="article"
            gap={0}
            key={exhibit.prediction.id}
            className={css.exhibit}
            data-current={i === current}
            inert={i !== current}
          >
            {later[i] ? (
              <div className="column shrinks">{later[i]}</div>
            ) : (
              <StillExhibit exhibit={exhibit} today={today} className="column shrinks" />
            )}
          </Stack>
        ))}
      </Stack>
      {/* Rendered by the server only. */}
      <noscript>
        {import.meta.env.SSR && (
          <ul>
            {predictionsOfRows(exhibits.slice(1).map(({ prediction }) => prediction)).map((one) => (
              <li key={one.id}>
                <a href={predictionPath(one)}>{`${one.expert.name}: ${statementText(one)}`}</a>
              </li>
            ))}
          </ul>
        )}
      </noscript>
      {count > 1 && (
        <Row gap={0} justify="center" whole role="group" aria-label="Choose a prediction">
          {exhibits.map(({ prediction }, i) => (
            <button
              key={prediction.id}
              type="button"
              className={`${css.dot} centred muted`}
              aria-pressed={i === current}
              aria-label={`${String(i + 1)} of ${String(count)}: ${prediction.influencer.name}`}
              onClick={() => {
                setCurrent(i)
                load(i).catch(() => undefined)
              }}
            />
          ))}
          <button
            type="button"
            className={`${css.dot} centred muted`}
            aria-label={paused ? 'Play' : 'Pause'}
            onClick={() => setPaused(!paused)}
          >
            <svg viewBox="0 0 16 16" width="14" height="14" fill="currentColor" aria-hidden="true">
              {paused ? <path d="M4 2v12l9-6z" /> : <path d="M4 2h3v12H4zM9 2h3v12H9z" />}
            </svg>
          </button>
        </Row>
      )}
    </Stack>
  )
}
