import { useEffect, useState, type RefObject } from 'react'
import { expertName } from '#domain/claim/prediction-text.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { Button } from '#web/ui/button.tsx'
import { Row } from '#web/ui/stack.tsx'
import css from './shown-note.module.css'

/** Says what a press on a card did while the chart is scrolled out of sight, with the way there; on a phone it mostly is. */
export function ShownNote({
  pressed,
  isOn,
  chart,
}: {
  /** The prediction of the card that was pressed last. */
  readonly pressed: Drawn
  /** It is on the chart. */
  readonly isOn: boolean
  readonly chart: RefObject<HTMLElement | null>
}) {
  const [isSeen, setSeen] = useState(true)
  useEffect(() => {
    if (!chart.current) return undefined
    const observer = new IntersectionObserver((entries) => {
      setSeen(entries.some(({ isIntersecting }) => isIntersecting))
    })
    observer.observe(chart.current)
    return () => observer.disconnect()
  }, [chart, pressed])
  return (
    <div role="status">
      {!isSeen && (
        <Row gap={4} whole className={css.note}>
          <span className={css.words}>
            <bdi>{expertName(pressed)}</bdi>
            {isOn ? ' is on the chart' : ' is off the chart'}
          </span>
          <Button onClick={() => chart.current?.scrollIntoView({ block: 'center' })}>
            See the chart
          </Button>
        </Row>
      )}
    </div>
  )
}
