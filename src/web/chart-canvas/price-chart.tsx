import {
  lazy,
  startTransition,
  Suspense,
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Mark, makeMarks, stackOf } from '#chart/marks.ts'
import { type BeforeTargets, type OpenTargets, medianTarget } from '#chart/open-targets.ts'
import { type RangeLayer } from '#chart/ranges.ts'
import { type Span } from '#chart/scale.ts'
import { type Scene } from '#chart/scene.ts'
import { makeSeries } from '#chart/series.ts'
import { type ThemeName } from '#chart/theme.ts'
import { makeThreads } from '#chart/threads.ts'
import { sameSpan, type ViewState } from '#chart/view-state.ts'
import { reveal } from '#chart/viewport.ts'
import { type Asset } from '#domain/asset.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { MODE_PRICES } from '#domain/judging/verdict.ts'
import { moveView, type Settings } from './chart-view.ts'
import { point, type Engine, type Settled } from './engine.ts'
import { drawnText, Legend } from './legend.tsx'
import { type MarkActions } from './mark-list.tsx'
import type * as openTargetsModule from './open-targets.tsx'
import { type Under } from './paint-base.ts'
import { Plot } from './plot.tsx'
import { Toolbar } from './toolbar.tsx'
import { type Pointed } from './tooltip.tsx'
import './price-chart.css'

const afterFirstPaint = () => import('./after-first-paint.ts')
const MarkList = lazy(async () => ({ default: (await afterFirstPaint()).MarkList }))
const Tooltip = lazy(async () => ({ default: (await afterFirstPaint()).Tooltip }))

/** Keep `points` and `predictions` referentially stable: a new array means new data. */
export type PriceChartProps = {
  /** Must not change: use a new `key` for another asset. */
  readonly asset: Asset
  /** Daily closes in USD, adjusted for splits: parallel arrays, oldest first. */
  readonly points: { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }
  /** While loading, only the frame is drawn. */
  readonly isLoading?: boolean
  /** Daily highs and lows, for views below a year; null until loaded. */
  readonly ranges: RangeLayer | null
  /** Reports the days in view each time the chart settles. */
  readonly onDays: (days: Span) => void
  readonly predictions: readonly Drawn[]
  /** Targets of the open calls of the asset; null until loaded. */
  readonly all: OpenTargets | null
  /** Controlled: read from the address by `readView` and written by `viewParams` (`#chart/view-state.ts`). */
  readonly view: ViewState
  /** Called 150 ms after the last movement, or immediately for a switch. */
  readonly onView: (view: ViewState) => void
  readonly theme: ThemeName
  readonly today: Day
  readonly isPast?: boolean
  /** Current price; null hides the live point. */
  readonly live: { readonly usd: number; readonly direction: 'up' | 'down' | null } | null
  readonly describe: (prediction: Drawn) => string
  readonly onOpen: (id: string) => void
  readonly onToggle: (id: string) => void
  /** Description of the filter for saved pictures: `Miss · PlanB`; may be empty. */
  readonly filter?: string
  readonly shareUrl: (view: ViewState) => string
}

export function PriceChart(props: PriceChartProps) {
  const { asset, ranges, predictions, view, onView, theme, today, live } = props
  const { describe, onOpen, onToggle } = props
  const { isPast = false, isLoading = false } = props
  const engineRef = useRef<Engine | null>(null)
  const section = useRef<HTMLElement>(null)
  const [scene, setScene] = useState<Scene | null>(null)
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const [under, setUnder] = useState<Under | null>(null)
  const { series, marks, threads, median } = useDrawable(props)
  const layer = useTargets(view.targets !== null)
  const beforeRef = useRef<BeforeTargets | null>(null)

  const settings = useMemo<Settings>(() => {
    const { scale, frame, range, prices, threads: withThreads, targets } = view
    const drawn = { series, ranges, marks, threads, withThreads, median, under, live }
    const chosen = { withTargets: targets !== null, scale, frame, range, prices }
    return { asset, ...drawn, ...chosen, today, isPast, theme }
  }, [asset, series, ranges, marks, threads, median, under, live, today, isPast, theme, view])

  const settle = ({ scene: now, frame, range, prices }: Settled) => {
    startTransition(() => {
      setScene(now)
      props.onDays(now.days)
    })
    const isSame =
      frame === view.frame && sameSpan(range, view.range) && sameSpan(prices, view.prices)
    if (!isSame) onView({ ...view, frame, range, prices })
  }

  const focusMark = (mark: Mark) => {
    if (!engineRef.current) return
    point(engineRef.current, null, mark.prediction.id)
    const { days } = engineRef.current.view.viewport
    const next = reveal(days, mark.days[1])
    if (next !== days) {
      moveView(engineRef.current.view, { type: 'show', days: next }, { smooth: true })
    }
    setPointed({ mark, at: null, pinned: false })
  }

  const pointAtNothing = () => {
    if (engineRef.current) point(engineRef.current, null, null)
    setPointed(null)
  }

  /** By keyboard: lists the calls at one spot, or opens a single one. */
  const openMark = (mark: Mark) => {
    if (scene && stackOf(scene, mark).length > 0) setPointed({ mark, at: null, pinned: true })
    else onOpen(mark.prediction.id)
  }

  const closeTooltip = () => {
    pointAtNothing()
    if (pointed?.at === null) focusItem(section.current, pointed.mark)
  }

  const actions = useRef<MarkActions>(null)
  // Must run before layout effects, one of which moves the focus out of the list.
  useInsertionEffect(() => {
    actions.current = {
      describe,
      onOpen: openMark,
      onToggle,
      onFocusMark: focusMark,
      onLeave: () => {
        if (!pointed?.pinned) pointAtNothing()
      },
    }
  })

  const pressTargets = () => {
    const before = view.targets ? beforeRef.current?.back(view) : null
    beforeRef.current = view.targets ? null : { view, back: (now) => now }
    onView({ ...view, ...before, targets: view.targets ? null : 'count' })
  }

  return (
    <section
      ref={section}
      className="price-chart"
      data-testid="price-chart"
      data-ready={scene ? 'true' : 'false'}
      data-view={scene?.days.map((day) => day.toFixed(2)).join(',')}
      data-y={scene?.prices.map((usd) => String(Number(usd.toPrecision(8)))).join(',')}
      data-scale={scene?.price.kind}
      aria-label={`${asset.name} price chart`}
    >
      <Toolbar
        {...{ engineRef, view, onView }}
        onTargets={pressTargets}
        scale={scene?.price.kind ?? 'linear'}
        heading={`${asset.name} (${asset.symbol})`}
        fileName={asset.key}
        about={[
          drawnText(predictions.length, scene?.seen ?? predictions.length),
          ...(props.filter ? [props.filter] : []),
          `judged by ${MODE_PRICES[view.mode]}`,
        ].join(' · ')}
        shareUrl={props.shareUrl}
      />
      <Plot
        {...{ settings, engineRef, scene, pointed, onOpen, onToggle }}
        isReady={!isLoading}
        onPoint={setPointed}
        onSettle={settle}
      />
      {pointed && (
        <Suspense fallback={null}>
          <Tooltip
            {...{ pointed, scene, describe, onOpen }}
            onPoint={(next) => {
              if (engineRef.current) point(engineRef.current, null, next.mark.prediction.id)
              setPointed(next)
            }}
            onClose={closeTooltip}
            mode={view.mode}
            onToggle={(id) => {
              pointAtNothing()
              onToggle(id)
            }}
          />
        </Suspense>
      )}
      {series.days.length === 0 && !isLoading && (
        <p className="price-chart-empty muted at-center">No price history yet</p>
      )}
      <Legend
        marks={marks}
        count={predictions.length}
        seen={scene && (scene.drawn === predictions.length ? scene.seen : predictions.length)}
        median={median}
        ranges={scene?.ranges ?? null}
      />
      {layer && props.all && (
        <layer.OpenTargets
          {...{ asset, series, scene, view, onView, today, isPast, beforeRef }}
          open={props.all}
          onUnder={setUnder}
        />
      )}
      {/* Hundreds of items can wait until after the first paint. */}
      {scene && (
        <Suspense fallback={null}>
          <MarkList {...{ marks, scene }} mode={view.mode} actions={actions} />
        </Suspense>
      )}
    </section>
  )
}

type TargetLayer = Pick<typeof openTargetsModule, 'OpenTargets'>

/** The layer's code, loaded when it is first switched on. */
function useTargets(isOn: boolean): TargetLayer | null {
  const [layer, setLayer] = useState<TargetLayer | null>(null)
  useEffect(() => {
    if (!isOn) return
    import('./open-targets.tsx').then(
      (loaded) => startTransition(() => setLayer(loaded)),
      () => setLayer({ OpenTargets: NotLoaded }),
    )
  }, [isOn])
  return isOn ? layer : null
}

function NotLoaded() {
  return (
    <p role="alert" className="price-chart-notice raised">
      Open targets could not be loaded.
    </p>
  )
}

function focusItem(section: HTMLElement | null, { prediction, kind }: Mark): void {
  const items = section?.querySelectorAll<HTMLElement>('[data-prediction-id]') ?? []
  const isIt = ({ dataset }: HTMLElement) =>
    dataset['predictionId'] === prediction.id && dataset['kind'] === kind
  ;[...items].find(isIt)?.focus()
}

/** Prepares data for drawing; invalid data is reported in the console once per cause. */
function useDrawable(props: PriceChartProps) {
  const { points, predictions, today, isPast = false } = props
  const { mode, frame } = props.view
  const { series, skipped: leftOut } = useMemo(() => makeSeries(points, today), [points, today])
  // On a past day, later prices are no fault.
  const pointsSkipped = isPast ? 0 : leftOut
  const { marks, skipped } = useMemo(
    () => makeMarks(predictions, mode, today),
    [predictions, mode, today],
  )
  const threads = useMemo(() => makeThreads(marks, series), [marks, series])
  const median = useMemo(
    () => medianTarget(predictions, mode, frame, today),
    [predictions, mode, frame, today],
  )
  const faults = skipped.map(({ id, reason }) => `${id}: ${reason}`).join('; ')
  useEffect(() => {
    warn(faults === '' ? null : `chart: predictions left out: ${faults}`)
    warn(pointsSkipped === 0 ? null : `chart: ${String(pointsSkipped)} price points left out`)
  }, [faults, pointsSkipped])
  return { series, marks, threads, median }
}

const reported = new Set<string>()

function warn(fault: string | null): void {
  if (fault === null || reported.has(fault)) return
  reported.add(fault)
  // oxlint-disable-next-line no-console -- public-site.md §5: invalid data is skipped with a console warning
  console.warn(fault)
}
