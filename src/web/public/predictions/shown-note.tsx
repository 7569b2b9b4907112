import { useEffect, useState, type RefObject } from 'react'
import { expertName, type Drawn } from '#domain/claim/prediction.ts'
import { Button } from '#web/ui/button.tsx'
import { onSeen } from '#web/ui/hooks.ts'
import { Row } from '#web/ui/primitives.tsx'

export function SelectionNote({
  pressed,
  isOn,
  chart,
}: {
  readonly pressed: Drawn
  readonly isOn: boolean
  readonly chart: RefObject<HTMLElement | null>
}) {
  const [isSeen, setSeen] = useState(true)
  useEffect(() => onSeen(chart.current, setSeen), [chart, pressed])
  return (
    <div role="status">
      {!isSeen && (
        <Row gap={4} whole className="over-page floating">
          <span className="grow">
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
