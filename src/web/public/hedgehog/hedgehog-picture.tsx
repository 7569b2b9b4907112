import { Fragment, memo, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { makeHedgehog, type Hedgehog, type HedgehogThread } from '#chart/hedgehog.ts'
import { pathOf, type Series } from '#chart/series.ts'
import { OUTCOME_ORDER } from '#chart/theme.ts'
import { distanceToThread } from '#chart/threads.ts'
import { type HedgehogView } from '#contracts/hedgehog.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { showLevel, showUsd } from '#domain/price-text.ts'
import { type StatedCall } from '#domain/scoring/stated-calls.ts'
import { errorText } from '#domain/scoring/year-card.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { onPrint } from '#web/ui/hooks.ts'
import { Text } from '#web/ui/primitives.tsx'
import css from './hedgehog-picture.module.css'

/** Initial size for the server, before the layout is known, pixels. */
const FIRST_SIZE = { width: 1_200, height: 620 }
const PAPER = { width: 720, height: 440 }
/** Hit radius of a thread, pixels. */
const REACH = { mouse: 8, touch: 20 }

export function HedgehogPicture({
  asset,
  calls,
  series,
  today,
  view,
  pointed,
  label,
  isSmall = false,
  onPoint,
  onPick,
}: {
  readonly asset: AssetKey
  readonly calls: readonly StatedCall[]
  readonly series: Series
  readonly today: Day
  readonly view: HedgehogView
  readonly pointed: string | null
  readonly label: string
  readonly isSmall?: boolean
  readonly onPoint: (id: string | null) => void
  readonly onPick: (call: StatedCall) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const size = useSizeOf(box)
  const drawn = useMemo(
    () => makeHedgehog({ axis: ASSETS[asset].axis, series, calls, today, ...size }),
    [asset, series, calls, today, size],
  )
  const frame = useRef<HTMLDivElement>(null)
  const first = drawn.threads.find((thread) => thread.year === view.year)?.x0 ?? drawn.width
  // On phones the picture is wider than the screen, so scroll the selection into view.
  useEffect(() => {
    frame.current?.scrollTo({ left: first - 80 })
  }, [first])
  const over = drawn.threads.find(({ of }) => of.id === pointed) ?? null
  const threadAt = (event: React.PointerEvent) => {
    const rect = event.currentTarget.getBoundingClientRect()
    const scale = drawn.width / Math.max(1, rect.width)
    const [x, y] = [(event.clientX - rect.left) * scale, (event.clientY - rect.top) * scale]
    const reach = event.pointerType === 'touch' ? REACH.touch : REACH.mouse
    return nearest(drawn.threads, view, x, y, reach)
  }
  return (
    <figure>
      {/* Keys scroll it where it is wider than the screen. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- axe: scrollable-region-focusable */}
      <div className={css.frame} ref={frame} role="group" aria-label="Picture" tabIndex={0}>
        <div ref={box} className={isSmall ? css.small : css.box}>
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
              else if (thread) onPick(thread.of)
            }}
          >
            <Ground drawn={drawn} isSmall={isSmall} />
            <Threads drawn={drawn} view={view} isBehind={over !== null} />
            {over && <Highlight drawn={drawn} over={over} />}
            <PriceLine drawn={drawn} />
            <Consensus drawn={drawn} view={view} />
          </svg>
        </div>
      </div>
      <figcaption className={css.caption}>
        {over ? <Card call={over.of} /> : <Legend isSmall={isSmall} />}
      </figcaption>
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
  const chosen = threads.filter((thread) => isChosen(thread, view))
  const distances = chosen.map((thread) => {
    // The end of a thread is a larger target than the line.
    const end = thread.isCut ? Infinity : Math.hypot(x - thread.x1, y - thread.y1) - 4
    return Math.min(end, distanceToThread(thread, x, y))
  })
  return chosen[distances.lastIndexOf(Math.min(reach, ...distances))] ?? null
}

function isChosen({ year, of }: HedgehogThread, view: HedgehogView): boolean {
  return (
    (view.year === null || year === view.year) && (view.person === null || of.slug === view.person)
  )
}

type Drawn = { readonly drawn: Hedgehog }
type Viewed = Drawn & { readonly view: HedgehogView }

const Ground = memo(function Ground({ drawn, isSmall }: Drawn & { readonly isSmall: boolean }) {
  const { plot, rows, columns } = drawn
  return (
    <g aria-hidden="true">
      {rows.map(({ y, label }) => (
        <g key={label}>
          <path
            stroke="var(--hairline)"
            d={`M${String(plot.x)} ${String(y)}h${String(plot.width)}`}
          />
          <text className={css.tick} x={plot.x - 7} y={y + 4} textAnchor="end">
            {label}
          </text>
          {/* Beside the newest calls, as the left end may be out of view. */}
          {!isSmall && (
            <text
              className={`${css.tick} on-phones`}
              x={plot.x + plot.width - 4}
              y={y - 4}
              textAnchor="end"
            >
              {label}
            </text>
          )}
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

/** All threads, with the selected ones at full strength; memoized, as drawing them is slow. */
const Threads = memo(function Threads(props: Viewed & { readonly isBehind: boolean }) {
  const { drawn, view, isBehind } = props
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
              {view.person === null
                ? (isAll || chosen) && <Ends id={`end-${outcome}`} threads={own} />
                : chosen && own.map((thread) => <End key={thread.of.id} thread={thread} />)}
            </g>
          )
        }),
      )}
    </g>
  )
})

function lineOf({ x0, y0, x1, y1 }: HedgehogThread): string {
  return pathOf(Float64Array.of(x0, y0, x1, y1))
}

function Ends({ id, threads }: Pick<Hedgehog, 'threads'> & { readonly id: string }) {
  const ends = threads.filter(({ isCut }) => !isCut)
  if (ends.length === 0) return null
  const mark = `url(#${id})`
  return (
    <>
      <marker id={id} markerUnits="userSpaceOnUse" overflow="visible">
        <circle className={css.end} r="2.6" />
      </marker>
      <polyline
        fill="none"
        points={ends.map(({ x1, y1 }) => `${x1.toFixed(1)},${y1.toFixed(1)}`).join(' ')}
        markerStart={mark}
        markerMid={mark}
        markerEnd={mark}
      />
    </>
  )
}

function End({ thread }: { readonly thread: HedgehogThread }) {
  return thread.isCut ? null : (
    <circle className={css.end} cx={thread.x1.toFixed(1)} cy={thread.y1.toFixed(1)} r="2.6" />
  )
}

function Highlight({ drawn, over }: Drawn & { readonly over: HedgehogThread }) {
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

const PriceLine = memo(function PriceLine({ drawn: { last, line, plot } }: Drawn) {
  return (
    <g aria-hidden="true">
      <path
        fill="none"
        stroke="var(--brand)"
        strokeWidth="2.4"
        strokeLinejoin="round"
        d={pathOf(line)}
      />
      {last && (
        <text
          fill="var(--brand-text)"
          fontSize="12"
          fontWeight="600"
          x={plot.x + plot.width + 6}
          y={last.y + 4}
        >
          {last.text}
        </text>
      )}
    </g>
  )
})

function Consensus({ drawn, view }: Viewed) {
  const of = view.person === null && drawn.consensus.find(({ year }) => year === view.year)
  if (!of) return null
  const { year, x0, y0, x1, y1, nameX, nameY } = of
  return (
    <g aria-hidden="true">
      <path
        stroke="var(--ink)"
        strokeOpacity="0.7"
        strokeWidth="2.2"
        d={`M${String(x0)} ${String(y0)}L${String(x1)} ${String(y1)}`}
      />
      <text
        fill="var(--ink)"
        stroke="var(--page)"
        strokeWidth="3"
        paintOrder="stroke"
        fontSize="11"
        fontWeight="600"
        x={nameX}
        y={nameY}
      >
        {year}
      </text>
    </g>
  )
}

function Card({ call }: { readonly call: StatedCall }) {
  const { name, level, due, made, from, outcome, error } = call
  return (
    <Text as="p">
      <a href={predictionPath(call)}>
        <bdi>{name}</bdi>
        {`: ${showLevel(level)} by ${showDay(due)}`}
      </a>
      {`, said on ${showDay(made)} at ${showUsd(from)}. `}
      <strong data-outcome={outcome} className="toned">
        {outcomeWord(outcome)}
      </strong>
      {error !== null && error !== 0 && `, ${errorText(error)} at the deadline`}
    </Text>
  )
}

function Legend({ isSmall }: { readonly isSmall: boolean }) {
  return (
    <Text as="p" tone="quiet">
      {Object.entries({ hit: 'came true', miss: 'missed', pending: 'open' }).map(
        ([key, word], i) => (
          <Fragment key={key}>
            {i > 0 && ' · '}
            <span className={css.key} data-outcome={key}>
              {word}
            </span>
          </Fragment>
        ),
      )}
      <span className="by-screen">
        {isSmall
          ? ' · log scale · point at a line to see the call, press it for its page'
          : ' · log scale · hover for the name, click for all calls by that person (phone: tap)'}
      </span>
    </Text>
  )
}

/** Observes the size of an element; initially the server's size, and a fixed size for print. */
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
      // The style sheet sets the same aspect ratio; after printing, the observer takes over again.
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
