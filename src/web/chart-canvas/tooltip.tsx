import { useLayoutEffect, useRef } from 'react'
import { stackOf, factsOf, OUTCOME_WORDS, type Mark } from '#chart/marks.ts'
import { type Scene } from '#chart/scene.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { useEscape } from '#web/ui/hooks.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Row, Text } from '#web/ui/primitives.tsx'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'

export type Pointed = {
  readonly mark: Mark
  /** CSS pixels within the plot; null places it at the mark. */
  readonly at: { readonly x: number; readonly y: number } | null
  /** Stays until dismissed and shows its actions as buttons. */
  readonly pinned: boolean
}

type TooltipProps = {
  readonly pointed: Pointed
  readonly scene: Scene | null
  readonly mode: JudgeMode
  readonly describe: (prediction: Drawn) => string
  readonly onPoint: (pointed: Pointed) => void
  readonly onOpen: (id: string) => void
  readonly onToggle: (id: string) => void
  readonly onClose: () => void
}

const GAP = 14

/**
 * Speaker, claim, dates and verdict, next to the pointer. For touch it has buttons, and on narrow screens it is a sheet
 * under the chart that hides no mark.
 */
export function Tooltip(props: TooltipProps) {
  const { pointed, scene, mode, describe, onPoint, onOpen, onToggle, onClose } = props
  const note = useRef<HTMLDivElement>(null)
  const { mark, pinned } = pointed
  const { prediction } = mark
  const shape = scene?.shapes.find(
    (one) => one.mark.prediction.id === prediction.id && one.mark.kind === mark.kind,
  )
  const x = pointed.at?.x ?? shape?.signX
  const y = pointed.at?.y ?? shape?.signY

  useLayoutEffect(() => {
    const element = note.current
    // A sheet is positioned by the page.
    element?.style.removeProperty('transform')
    if (!element || getComputedStyle(element).position === 'static') return
    const plot = element.parentElement?.querySelector('.price-chart-plot')
    if (!(plot instanceof HTMLElement) || x === undefined || y === undefined) return
    const { offsetWidth: width, offsetHeight: height } = element
    const room = plot.clientWidth
    const right = x + GAP + width <= room
    const left = right ? x + GAP : Math.max(4, x - GAP - width)
    const topEdge = Math.max(4, Math.min(y - height / 2, plot.clientHeight - height - 4))
    element.style.transform = `translate(${String(Math.round(plot.offsetLeft + left))}px, ${String(Math.round(plot.offsetTop + topEdge))}px)`
    element.style.visibility = 'visible'
  }, [x, y, mark, pinned])

  useEscape(pinned, onClose)
  useLayoutEffect(() => {
    if (pinned) note.current?.scrollIntoView({ block: 'nearest' })
  }, [pinned, mark])
  const isByKey = pinned && pointed.at === null
  useLayoutEffect(() => {
    if (isByKey) note.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  }, [isByKey])

  const facts = factsOf(prediction, mode)
  const stack = scene ? stackOf(scene, mark) : []
  return (
    <div
      ref={note}
      className="price-chart-tooltip raised"
      data-held={pinned}
      data-testid="chart-tooltip"
    >
      <Row as="p" gap={3} whole>
        <strong className="grow">{facts.name}</strong>
        <span className="outcome" data-outcome={facts.outcome}>
          <VerdictSign outcome={facts.outcome} /> {OUTCOME_WORDS[facts.outcome]}
        </span>
        {pinned && (
          <IconButton label="Close" className="price-chart-close" onClick={onClose}>
            <Icon name="close" size={16} />
          </IconButton>
        )}
      </Row>
      <Text size="base" strong>
        <span className="muted regular">{facts.type}</span> {facts.level}
      </Text>
      {facts.levelNote !== null && <p>{facts.levelNote}</p>}
      <Facts size="small">
        <Fact name="Said">{facts.made}</Fact>
        <Fact name="For">
          {facts.due}
          {facts.dueNote !== null && <small>{facts.dueNote}</small>}
        </Fact>
      </Facts>
      <p className="ruled-top">{describe(prediction)}</p>
      {stack.length > 1 && !pinned && (
        <p>
          <strong>
            {stack.length - 1} more {stack.length === 2 ? 'call' : 'calls'} at this spot.
          </strong>{' '}
          Click to choose.
        </p>
      )}
      {stack.length > 1 && pinned && (
        <ul className="price-chart-stack" aria-label="Calls at this spot">
          {stack.map((one) => (
            <li key={one.prediction.id}>
              <StackedCall
                {...{ one, mode }}
                isVisible={one === mark}
                onChoose={() => onPoint({ ...pointed, mark: one })}
              />
            </li>
          ))}
        </ul>
      )}
      {pinned && (
        <Row as="p">
          <Button look="primary" className="grow" onClick={() => onOpen(prediction.id)}>
            Open
          </Button>
          <Button className="grow" onClick={() => onToggle(prediction.id)}>
            Remove from chart
          </Button>
        </Row>
      )}
    </div>
  )
}

function StackedCall({
  one,
  mode,
  isVisible,
  onChoose,
}: {
  readonly one: Mark
  readonly mode: JudgeMode
  readonly isVisible: boolean
  readonly onChoose: () => void
}) {
  const { name, level, outcome } = factsOf(one.prediction, mode)
  return (
    <Row
      as="button"
      type="button"
      whole
      className="full tap at-start"
      aria-pressed={isVisible}
      onClick={onChoose}
    >
      <span className="grow">{name}</span> {level}{' '}
      <span className="outcome" data-outcome={outcome}>
        <VerdictSign outcome={outcome} />
        <span className="aside-voice">{OUTCOME_WORDS[outcome]}</span>
      </span>
    </Row>
  )
}
