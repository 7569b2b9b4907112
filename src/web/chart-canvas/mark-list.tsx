import { memo, useMemo, useState, type RefObject } from 'react'
import { boxOf } from '#chart/hit-test.ts'
import { spokenMark, type Mark } from '#chart/marks.ts'
import { type Scene } from '#chart/scene.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'

type MarkListProps = {
  readonly marks: readonly Mark[]
  readonly scene: Scene
  readonly mode: JudgeMode
  /** In a ref, because new callbacks on each render would redraw all items. */
  readonly actions: RefObject<MarkActions | null>
}

export type MarkActions = {
  readonly describe: (prediction: Drawn) => string
  readonly onOpen: (mark: Mark) => void
  readonly onToggle: (id: string) => void
  readonly onFocusMark: (mark: Mark) => void
  readonly onLeave: () => void
}

function markKey({ prediction, kind }: Mark): string {
  return `${prediction.id} ${kind}`
}

/**
 * The marks as a list for screen readers and keyboards: a single tab stop, arrow keys move chronologically, Enter
 * opens, Delete removes from the chart. Items of visible marks are positioned over them, so that tests can point at
 * them.
 */
export const MarkList = memo(function MarkList(props: MarkListProps) {
  const { marks, scene, mode, actions } = props
  const [current, setCurrent] = useState<{ key: string; text: string } | null>(null)
  const items = useMemo(
    () =>
      marks
        .filter(({ kind }) => kind !== 'ahead')
        .toSorted((a, b) => a.days[1] - b.days[1])
        .map((mark) => ({
          mark,
          key: markKey(mark),
          text: spokenMark(mark.prediction, mark.kind, mark.days, mode),
        })),
    [marks, mode],
  )
  const boxes = useMemo(() => boxesOf(scene), [scene])
  const focused = items.find(({ key }) => key === current?.key)
  const stop = (focused ?? items.find(({ key }) => boxes.has(key)) ?? items[0])?.key

  const onKeyDown = (event: React.KeyboardEvent) => {
    const index = items.findIndex(({ key }) => key === current?.key)
    const to = targetOf(event.key, index, items.length)
    const id = items[index]?.mark.prediction.id
    if (to !== null) {
      event.preventDefault()
      const list = event.currentTarget
      list.querySelectorAll('button')[to]?.focus()
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && id !== undefined) {
      event.preventDefault()
      actions.current?.onToggle(id)
    }
  }

  return (
    <div className="aside-voice">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move the focus among its buttons */}
      <ul
        aria-label="Predictions on the chart"
        onKeyDown={onKeyDown}
        onBlur={() => {
          setCurrent(null)
          actions.current?.onLeave()
        }}
      >
        {items.map(({ mark, key, text }) => (
          <MarkItem
            key={key}
            {...{ mark, text }}
            onOpen={() => actions.current?.onOpen(mark)}
            box={boxes.get(key)}
            isStop={key === stop}
            onFocusItem={() => {
              setCurrent({ key, text: actions.current?.describe(mark.prediction) ?? '' })
              actions.current?.onFocusMark(mark)
            }}
          />
        ))}
      </ul>
      <p role="status">{focused && current?.text}</p>
    </div>
  )
})

type MarkItemProps = {
  readonly mark: Mark
  readonly text: string
  readonly box: string | undefined
  readonly isStop: boolean
  readonly onOpen: () => void
  readonly onFocusItem: () => void
}

const MarkItem = memo(
  function MarkItem({ mark, text, box, isStop, onOpen, onFocusItem }: MarkItemProps) {
    return (
      <li>
        <button
          type="button"
          tabIndex={isStop ? 0 : -1}
          data-prediction-id={mark.prediction.id}
          data-kind={mark.kind}
          data-status={mark.outcome}
          data-box={box}
          onFocus={onFocusItem}
          onClick={onOpen}
        >
          {text}
        </button>
      </li>
    )
  },
  // Ignores the callbacks, which are new after each settle but equivalent; thousands of items need no redraw.
  (a, b) =>
    a.box === b.box &&
    a.isStop === b.isStop &&
    a.text === b.text &&
    a.mark.outcome === b.mark.outcome,
)

function boxesOf(scene: Scene): ReadonlyMap<string, string> {
  const boxes = new Map<string, string>()
  for (const shape of scene.shapes) {
    const box = boxOf(scene, shape)
    if (!box) continue
    const { x, y, w, h } = box
    const sides = [x, y, w, h].map((px) => String(Math.round(px * 10) / 10))
    boxes.set(markKey(shape.mark), sides.join(','))
  }
  return boxes
}

function targetOf(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(count - 1, index + 1)
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, index - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
