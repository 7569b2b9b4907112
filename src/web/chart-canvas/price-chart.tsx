import { MODE_PRICES } from '#domain/judging/verdict-text.ts'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { type Asset } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Drawn } from '#domain/claim/prediction.ts'
import { type BeforeTargets } from '#chart/target-reach.ts'
import { type RangeLayer } from '#chart/ranges.ts'
import { type Span } from '#chart/scale.ts'
import { sameSpan, type ViewState } from '#chart/view-state.ts'
import { type ThemeName } from '#chart/theme.ts'
import { type OpenTargets } from '#chart/open-targets.ts'
import { type Mark } from '#chart/marks.ts'
import { type Scene } from '#chart/scene.ts'
import { reveal } from '#chart/viewport.ts'
import { moveView, type Settings } from './chart-view.ts'
import { point, type Engine, type Settled } from './engine.ts'
import { drawnText, Legend } from './legend.tsx'
import { type Under } from './paint-base.ts'
import type * as openTargetsModule from './open-targets.tsx'
import { Plot } from './plot.tsx'
import { Toolbar } from './toolbar.tsx'
import { type Pointed } from './tooltip.tsx'
import { useDrawable } from './use-drawable.ts'
import './price-chart.css'
import './chart-notes.css'

const afterFirstPaint = () => import('./after-first-paint.ts')
const MarkList = lazy(async () => ({ default: (await afterFirstPaint()).MarkList }))
const Tooltip = lazy(async () => ({ default: (await afterFirstPaint()).Tooltip }))

/**
 * What the chart shows and its callbacks. Keep `points` and `predictions` referentially stable: a new array means new data.
 */
export type PriceChartProps = {
  /** Stays the same: a chart of another asset has another `key`. */
  readonly asset: Asset
  /** Daily closes in USD, adjusted for splits; the two arrays are parallel, oldest first. */
  readonly points: { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }
  /** The points are on their way: the frame is drawn without a picture. */
  readonly isLoading?: boolean
  /** Highs and lows of days, for views below a year; null while none are loaded. */
  readonly ranges: RangeLayer | null
  /** The days in view, each time the chart rests. */
  readonly onDays: (days: Span) => void
  /** The active predictions, most important first. */
  readonly predictions: readonly Drawn[]
  /** Where the open calls of the asset aim; null until it is known. */
  readonly all: OpenTargets | null
  /** Controlled: `readView` of `#chart/view-state.ts` makes it from the address, `viewParams` writes it back. */
  readonly view: ViewState
  /** A new view, 150 ms after the last movement or at once for a switch. */
  readonly onView: (view: ViewState) => void
  readonly theme: ThemeName
  readonly today: Day
  /** Drawn as of a past day, which `today` is. */
  readonly isPast?: boolean
  /** The price of this moment; null draws no live point. */
  readonly live: { readonly usd: number; readonly direction: 'up' | 'down' | null } | null
  /** The verdict and its reason in a sentence, in the mode that is shown. */
  readonly describe: (prediction: Drawn) => string
  /** A mark was clicked, or Enter pressed on it: show the prediction. */
  readonly onOpen: (id: string) => void
  /** The visitor removed a mark from the chart: remove the prediction from the active ones. */
  readonly onToggle: (id: string) => void
  /** How the predictions were chosen, written into a saved picture: `Miss · PlanB`; empty without a filter. */
  readonly filter?: string
  /** The address of a view, for copying. */
  readonly shareUrl: (view: ViewState) => string
}

/** The price of an asset with the active predictions drawn over it, and all controls to move and read it. */
export function PriceChart(props: PriceChartProps) {
  const { asset, ranges, predictions, view, onView, theme, today, live } = props
  const { describe, onOpen, onToggle } = props
  const { isPast = false, isLoading = false } = props
  const engineRef = useRef<Engine | null>(null)
  const [scene, setScene] = useState<Scene | null>(null)
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const [under, setUnder] = useState<Under | null>(null)
  const { series, marks, threads, median } = useDrawable(props)
  const layer = useTargets(view.targets !== null)
  const beforeRef = useRef<BeforeTargets | null>(null)

  const settings = useMemo<Settings>(() => {
    const { scale, frame, range, prices, threads: withThreads, targets } = view
    const drawn = {
      series,
      ranges,
      marks,
      threads,
      withThreads,
      withTargets: targets !== null,
      median,
      under,
    }
    return { asset, ...drawn, live, today, isPast, theme, scale, frame, range, prices }
  }, [asset, series, ranges, marks, threads, median, under, live, today, isPast, theme, view])

  const settle = ({ scene: now, frame, range, prices }: Settled) => {
    setScene(now)
    props.onDays(now.days)
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
    setPointed({ mark, at: null, held: false })
  }

  const pointAtNothing = () => {
    if (engineRef.current) point(engineRef.current, null, null)
    setPointed(null)
  }

  const pressTargets = () => {
    const before = view.targets ? beforeRef.current?.back(view) : null
    beforeRef.current = view.targets ? null : { view, back: (now) => now }
    onView({ ...view, ...before, targets: view.targets ? null : 'count' })
  }

  return (
    <section
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
        about={aboutText(predictions.length, scene?.seen, view.mode, props.filter ?? '')}
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
            onClose={pointAtNothing}
            mode={view.mode}
            onToggle={(id) => {
              pointAtNothing()
              onToggle(id)
            }}
          />
        </Suspense>
      )}
      {series.days.length === 0 && !isLoading && (
        <p className="price-chart-empty">No price history yet</p>
      )}
      <Legend
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
      {/* Hundreds of items can wait until the first picture. */}
      {scene && (
        <Suspense fallback={null}>
          <MarkList
            {...{ marks, scene, describe, onOpen, onToggle }}
            mode={view.mode}
            onFocusMark={focusMark}
            onLeave={pointAtNothing}
          />
        </Suspense>
      )}
    </section>
  )
}

type TargetLayer = Pick<typeof openTargetsModule, 'OpenTargets'>

/** The code of the layer, loaded when it is first switched on. */
function useTargets(isOn: boolean): TargetLayer | null {
  const [layer, setLayer] = useState<TargetLayer | null>(null)
  useEffect(() => {
    if (isOn)
      import('./open-targets.tsx').then(setLayer, () => {
        setLayer({ OpenTargets: NotLoaded })
      })
  }, [isOn])
  return isOn ? layer : null
}

function NotLoaded() {
  return (
    <p role="alert" className="price-chart-notice">
      Open targets could not be loaded.
    </p>
  )
}

/** The description in a saved picture. */
function aboutText(
  count: number,
  seen: number | undefined,
  mode: ViewState['mode'],
  filter: string,
): string {
  return [drawnText(count, seen ?? count), filter, `judged by ${MODE_PRICES[mode]}`]
    .filter((part) => part !== '')
    .join(' · ')
}
