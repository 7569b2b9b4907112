import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type HedgehogView } from '#contracts/hedgehog.ts'
import { OUTCOME_ORDER } from '#chart/colours.ts'
import { makeHedgehog, type Hedgehog, type HedgehogThread } from '#chart/hedgehog.ts'
import { pathOf, type Series } from '#chart/series.ts'
import { distanceToThread } from '#chart/threads.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { outcomeWord } from '#domain/judging/verdict-text.ts'
import { showLevel, showUsd } from '#domain/price-text.ts'
import { type SaidCall } from '#domain/scoring/said-calls.ts'
import { errorText } from '#domain/scoring/year-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { onPrint } from '#web/ui/on-print.ts'
import { Text } from '#web/ui/text.tsx'
import css from './hedgehog-picture.module.css'

/** What the server draws, before the place for the picture is known, pixels. */
const FIRST_SIZE = { width: 1_200, height: 620 }
const PAPER = { width: 720, height: 440 }
/** How far a pointer may be from a thread, pixels. */
const REACH = { mouse: 8, touch: 20 }

type HedgehogPictureProps = {
  readonly asset: AssetKey
  readonly calls: readonly SaidCall[]
  readonly series: Series
  readonly today: Day
  readonly view: HedgehogView
  /** The call pointed at here or in the table. */
  readonly pointed: string | null
  /** The alternative text. */
  readonly label: string
  readonly onPoint: (id: string | null) => void
  /** A thread was pressed: its person is chosen. */
  readonly onPick: (slug: string) => void
}

/** The hedgehog as it is on the page: threads come forward by year, by person, and under the pointer. */
export function HedgehogPicture(props: HedgehogPictureProps) {
  const { asset, calls, series, today, view, pointed, label, onPoint, onPick } = props
  const box = useRef<HTMLDivElement>(null)
  const size = useSizeOf(box)
  const drawn = useMemo(
    () => makeHedgehog({ axis: ASSETS[asset].axis, series, calls, today, ...size }),
    [asset, series, calls, today, size],
  )
  const over = drawn.threads.find(({ of }) => of.id === pointed) ?? null
  const threadAt = (event: React.PointerEvent) => {
    const rect = event.currentTarget.getBoundingClientRect()
    const scale = drawn.width / Math.max(1, rect.width)
    const [x, y] = [(event.clientX - rect.left) * scale, (event.clientY - rect.top) * scale]
    return nearest(
      drawn.threads,
      view,
      x,
      y,
      event.pointerType === 'touch' ? REACH.touch : REACH.mouse,
    )
  }
  return (
    <figure className={css.figure}>
      <div ref={box} className={css.box}>
        <svg
          viewBox={`0 0 ${String(drawn.width)} ${String(drawn.height)}`}
          role="img"
          aria-label={label}
          data-over={over ? 'thread' : undefined}
          onPointerMove={(event) => {
            if (event.pointerType !== 'touch') onPoint(threadAt(event)?.of.id ?? null)
          }}
          onPointerLeave={(event) => {
            if (event.pointerType !== 'touch') onPoint(null)
          }}
          onPointerUp={(event) => {
            const thread = threadAt(event)
            if (event.pointerType === 'touch') onPoint(thread?.of.id ?? null)
            else if (thread) onPick(thread.of.slug)
          }}
        >
          <Ground drawn={drawn} />
          <Threads drawn={drawn} view={view} isBehind={over !== null} />
          {over && <Highlight drawn={drawn} over={over} />}
          <PriceLine drawn={drawn} />
          <Consensus drawn={drawn} view={view} />
        </svg>
      </div>
      <figcaption className={css.caption}>{over ? <Card call={over.of} /> : <Legend />}</figcaption>
    </figure>
  )
}

function nearest(
  threads: readonly HedgehogThread[],
  view: HedgehogView,
  x: number,
  y: number,
  reach: number,
): HedgehogThread | null {
  let best: HedgehogThread | null = null
  let least = reach
  for (const thread of threads) {
    if (!isChosen(thread, view)) continue
    // The end of a thread is easier to hit than its length.
    const end = thread.isCut ? Infinity : Math.hypot(x - thread.x1, y - thread.y1) - 4
    const distance = Math.min(end, distanceToThread(thread, x, y))
    if (distance > least) continue
    least = distance
    best = thread
  }
  return best
}

function isChosen({ year, of }: HedgehogThread, view: HedgehogView): boolean {
  return (
    (view.year === null || year === view.year) && (view.person === null || of.slug === view.person)
  )
}

/** Grid and axes. */
const Ground = memo(function Ground({ drawn }: { readonly drawn: Hedgehog }) {
  const { plot, rows, columns } = drawn
  return (
    <g aria-hidden="true">
      {rows.map(({ y, label }) => (
        <g key={label}>
          <path className={css.grid} d={`M${String(plot.x)} ${String(y)}h${String(plot.width)}`} />
          <text className={css.tick} x={plot.x - 7} y={y + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {columns.map(({ x, label }) => (
        <text key={x} className={css.tick} x={x} y={plot.y + plot.height + 17} textAnchor="middle">
          {label}
        </text>
      ))}
    </g>
  )
})

/** All threads, those of what is chosen in full; drawn again only when that changes. */
const Threads = memo(function Threads({
  drawn,
  view,
  isBehind,
}: {
  readonly drawn: Hedgehog
  readonly view: HedgehogView
  /** A person's threads are drawn above. */
  readonly isBehind: boolean
}) {
  const isAll = view.year === null && view.person === null
  return (
    <g className={css.threads} data-behind={isBehind} aria-hidden="true">
      {OUTCOME_ORDER.flatMap((outcome) =>
        [false, true].map((chosen) => {
          const own = drawn.threads.filter(
            (thread) => thread.of.outcome === outcome && isChosen(thread, view) === chosen,
          )
          return (
            <g
              key={`${outcome} ${String(chosen)}`}
              data-outcome={outcome}
              data-strength={isAll ? 'plain' : chosen ? 'chosen' : 'other'}
            >
              <path className={css.thread} d={own.map(lineOf).join('')} />
              {(isAll || chosen) && own.map((thread) => <End key={thread.of.id} thread={thread} />)}
            </g>
          )
        }),
      )}
    </g>
  )
})

function lineOf({ x0, y0, x1, y1 }: HedgehogThread): string {
  return `M${x0.toFixed(1)} ${y0.toFixed(1)}L${x1.toFixed(1)} ${y1.toFixed(1)}`
}

function End({ thread }: { readonly thread: HedgehogThread }) {
  return thread.isCut ? null : (
    <circle className={css.end} cx={thread.x1.toFixed(1)} cy={thread.y1.toFixed(1)} r="2.6" />
  )
}

/** All calls of the person pointed at, the one itself heavier. */
function Highlight({ drawn, over }: { readonly drawn: Hedgehog; readonly over: HedgehogThread }) {
  const own = drawn.threads.filter(({ of }) => of.slug === over.of.slug)
  return (
    <g aria-hidden="true">
      {own.map((thread) => (
        <g key={thread.of.id} data-outcome={thread.of.outcome} data-strength="chosen">
          <path className={css.thread} d={lineOf(thread)} data-over={thread === over} />
          <End thread={thread} />
        </g>
      ))}
    </g>
  )
}

const PriceLine = memo(function PriceLine({ drawn }: { readonly drawn: Hedgehog }) {
  const { last, plot } = drawn
  return (
    <g aria-hidden="true">
      <path className={css.price} d={pathOf(drawn.line)} />
      {last && (
        <text className={css.last} x={plot.x + plot.width + 6} y={last.y + 4}>
          {last.text}
        </text>
      )}
    </g>
  )
})

function Consensus({ drawn, view }: { readonly drawn: Hedgehog; readonly view: HedgehogView }) {
  if (view.person !== null) return null
  return (
    <g aria-hidden="true">
      {drawn.consensus
        .filter(({ year }) => view.year === null || year === view.year)
        .map(({ year, x0, y0, x1, y1, nameX, nameY }) => (
          <g key={year}>
            <path
              className={css.consensus}
              d={`M${String(x0)} ${String(y0)}L${String(x1)} ${String(y1)}`}
            />
            <text className={css.consensusYear} x={nameX} y={nameY}>
              {year}
            </text>
          </g>
        ))}
    </g>
  )
}

/** Who said what, under the picture, where it hides no thread. */
function Card({ call }: { readonly call: SaidCall }) {
  const { name, level, due, made, from, outcome, error } = call
  return (
    <Text as="p">
      <a href={predictionPath(call)}>
        <bdi>{name}</bdi>
        {`: ${showLevel(level)} by ${showDay(due)}`}
      </a>
      {`, said on ${showDay(made)} at ${showUsd(from)}. `}
      <strong data-outcome={outcome} className={css.outcome}>
        {outcomeWord(outcome)}
      </strong>
      {error !== null && error !== 0 && `, ${errorText(error)} at the deadline`}
    </Text>
  )
}

function Legend() {
  return (
    <Text as="p" tone="quiet">
      <span className={css.key} data-outcome="hit">
        came true
      </span>
      {' · '}
      <span className={css.key} data-outcome="miss">
        missed
      </span>
      {' · '}
      <span className={css.key} data-outcome="pending">
        open
      </span>
      <span className={css.hint}>
        {' · point at a line to see whose it is, press it to see all by that person'}
      </span>
    </Text>
  )
}

/** The size of an element, followed; that of the server's picture until it is known, and that of paper for printing. */
function useSizeOf(box: React.RefObject<HTMLElement | null>): typeof FIRST_SIZE {
  const [size, setSize] = useState(FIRST_SIZE)
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element
      if (width > 0 && height > 0) setSize({ width, height })
    })
    observer.observe(element)
    const stop = onPrint((isPrinted) => {
      // The style sheet gives it this shape; back on the screen the observer follows it again.
      if (isPrinted) observer.disconnect()
      else observer.observe(element)
      if (isPrinted) flushSync(() => setSize(PAPER))
    })
    return () => {
      observer.disconnect()
      stop()
    }
  }, [box])
  return size
}
