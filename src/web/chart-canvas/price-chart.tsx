import { useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Asset } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { sameSpan, type ViewState } from '#chart/view-state.ts'
import { type ThemeName } from '#chart/theme.ts'
import { wantsLog } from '#chart/scene.ts'
import { reveal } from '#chart/viewport.ts'
import { makeEngine, type Engine, type Settings, type Settled } from './engine.ts'
import { listen } from './gestures.ts'
import { drawnText, Legend } from './legend.tsx'
import { markKey, MarkList } from './mark-list.tsx'
import { readoutAt } from './readout.ts'
import { forgetWidths, LABEL_FONT } from './sprites.ts'
import { Toolbar } from './toolbar.tsx'
import { Tooltip, type Pointed } from './tooltip.tsx'
import { useDrawable } from './use-drawable.ts'
import './price-chart.css'
import './chart-notes.css'

/**
 * What the chart shows and its callbacks. Keep `points`, `bars` and `predictions` referentially stable: a new array means
 * new data.
 */
export type PriceChartProps = {
  readonly asset: Asset
  /** Daily closes in USD, adjusted for splits; the two arrays are parallel, oldest first. */
  readonly points: { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }
  /** Open, high and low for the readout of the crosshair, if known; oldest first. */
  readonly bars?: readonly Bar[]
  /** The active predictions, most important first. */
  readonly predictions: readonly Prediction[]
  /** Controlled: `readView` of `#chart/view-state.ts` makes it from the address, `viewParams` writes it back. */
  readonly view: ViewState
  /** A new view, 150 ms after the last movement or at once for a switch. */
  readonly onView: (view: ViewState) => void
  readonly theme: ThemeName
  readonly today: Day
  /** The price of this moment; null draws no live point. */
  readonly live: { readonly usd: number; readonly direction: 'up' | 'down' | null } | null
  /** The verdict and its reason in a sentence, in the mode that is shown. */
  readonly describe: (prediction: Prediction) => string
  /** A mark was clicked, or Enter pressed on it: show the prediction. */
  readonly onOpen: (id: string) => void
  /** The visitor removed a mark from the chart: remove the prediction from the active ones. */
  readonly onToggle: (id: string) => void
  /** Written above a saved picture; the asset's name by default. */
  readonly title?: string
  /** How the predictions were chosen, written into a saved picture: `Miss · PlanB`; empty without a filter. */
  readonly filter?: string
  /** The address of a view, for copying; the page's own address by default. */
  readonly shareUrl?: (view: ViewState) => string
}

const SITE_NAME = 'Proof of Price'
/** How far a pointer may be from a mark, CSS pixels; a finger covers 44. */
const REACH = { mouse: 6, touch: 22 } as const

/** The price of an asset with the active predictions drawn over it, and all controls to move and read it. */
export function PriceChart(props: PriceChartProps) {
  const { asset, bars, predictions, view, onView, theme, today, live, describe, onOpen, onToggle } =
    props
  const box = useRef<HTMLDivElement>(null)
  const base = useRef<HTMLCanvasElement>(null)
  const top = useRef<HTMLCanvasElement>(null)
  const pulse = useRef<HTMLSpanElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const engine = useRef<Engine | null>(null)
  const [settled, setSettled] = useState<Settled | null>(null)
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const { series, marks, average } = useDrawable(props)

  const settings = useMemo<Settings>(
    () => ({
      asset,
      series,
      marks,
      average,
      live,
      today,
      theme,
      scale: view.scale,
      frame: view.frame,
      range: view.range,
      prices: view.prices,
      watermark: SITE_NAME,
    }),
    [asset, series, marks, average, live, today, theme, view],
  )

  const showReadout = useEffectEvent((x: number | null) => {
    const scene = engine.current?.scene()
    if (readout.current && scene)
      readout.current.textContent = readoutAt(scene, series, bars, asset, x)
  })

  const settle = useEffectEvent((now: Settled) => {
    setSettled(now)
    if (!pointed) showReadout(null)
    if (!sameSpan(now.range, view.range) || !sameSpan(now.prices, view.prices)) {
      onView({ ...view, range: now.range, prices: now.prices })
    }
  })

  const hover = useEffectEvent((x: number, y: number) => {
    const found = engine.current?.shapeAt(x, y, REACH.mouse) ?? null
    engine.current?.point({ x, y }, found?.mark.prediction.id ?? null)
    showReadout(x)
    const plotX = engine.current?.scene()?.plot.x ?? 0
    if (box.current) box.current.dataset['over'] = found ? 'mark' : x < plotX ? 'prices' : 'plot'
    if (found?.mark !== pointed?.mark) {
      setPointed(found ? { mark: found.mark, at: { x, y }, held: false } : null)
    }
  })

  const leave = useEffectEvent(() => {
    engine.current?.point(null, null)
    showReadout(null)
    if (pointed) setPointed(null)
  })

  const click = useEffectEvent((at: { x: number; y: number; touch: boolean; shift: boolean }) => {
    const found = engine.current?.shapeAt(at.x, at.y, at.touch ? REACH.touch : REACH.mouse) ?? null
    const id = found?.mark.prediction.id ?? null
    if (at.touch) {
      // A finger cannot hover: the first tap shows the tooltip, whose buttons act.
      engine.current?.point(found ? null : at, id)
      showReadout(at.x)
      setPointed(found ? { mark: found.mark, at, held: true } : null)
    } else if (id !== null) {
      if (at.shift) onToggle(id)
      else onOpen(id)
    }
  })

  useLayoutEffect(() => {
    if (!box.current || !base.current || !top.current || !pulse.current) return undefined
    const made = makeEngine(
      { box: box.current, base: base.current, top: top.current, live: pulse.current },
      settle,
    )
    engine.current = made
    const stop = listen(box.current, made, { hover, leave, click, grab: leave })
    let gone = false
    const known = document.fonts?.check(LABEL_FONT) ?? true
    void document.fonts?.load(LABEL_FONT).then(() => {
      if (gone || known) return
      forgetWidths()
      made.refont()
    })
    return () => {
      gone = true
      stop()
      made.destroy()
      engine.current = null
    }
  }, [])

  useLayoutEffect(() => {
    engine.current?.set(settings)
  }, [settings])

  useLayoutEffect(() => {
    box.current?.style.setProperty('--phone-height', `${String(asset.phoneChartHeight)}px`)
  }, [asset])

  const focusMark = (key: string) => {
    const mark = marks.find((one) => markKey(one) === key)
    const now = engine.current
    const days = now?.viewport()?.days
    if (!mark || !now || !days) return
    now.point(null, mark.prediction.id)
    const next = reveal(days, mark.days[1])
    if (next !== days) now.apply({ type: 'show', days: next }, { smooth: true, byPerson: true })
    setPointed({ mark, at: null, held: false })
  }

  const scene = settled?.scene ?? null
  const heading = props.title ?? `${asset.name} (${asset.symbol})`
  return (
    <section
      className="price-chart"
      data-testid="price-chart"
      data-ready={scene ? 'true' : 'false'}
      data-view={scene ? scene.days.map((day) => day.toFixed(2)).join(',') : undefined}
      data-y={
        scene ? scene.prices.map((usd) => String(Number(usd.toPrecision(8)))).join(',') : undefined
      }
      data-scale={view.scale}
      aria-label={`${asset.name} price chart`}
    >
      <Toolbar
        {...{ engine, view, onView, heading }}
        fileName={asset.key}
        about={aboutText(predictions.length, view.mode, props.filter ?? '')}
        shareUrl={props.shareUrl}
      />
      <div
        ref={box}
        className="price-chart-plot"
        role="group"
        aria-label="Chart. Arrow keys move it, plus and minus zoom, 0 resets."
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys move the chart, as its name says
        tabIndex={0}
      >
        <canvas ref={base} aria-hidden="true" />
        <canvas ref={top} aria-hidden="true" />
        <span ref={pulse} className="price-chart-live" data-direction={live?.direction ?? 'none'} />
        <p ref={readout} className="price-chart-readout" aria-hidden="true" />
        {scene && wantsLog(scene) && (
          <button
            type="button"
            className="price-chart-suggestion"
            onClick={() => onView({ ...view, scale: 'log', prices: null })}
          >
            Switch to log
          </button>
        )}
        <noscript>
          <p className="price-chart-empty">
            The chart needs JavaScript. The list of predictions does without, and every prediction
            has a page with its picture.
          </p>
        </noscript>
      </div>
      {pointed && (
        <Tooltip
          {...{ pointed, scene, describe, onOpen }}
          mode={view.mode}
          onToggle={(id) => {
            setPointed(null)
            engine.current?.point(null, null)
            onToggle(id)
          }}
        />
      )}
      {series.days.length === 0 && <p className="price-chart-empty">No price history yet</p>}
      <Legend count={predictions.length} drawn={scene !== null} average={average} />
      {/* Hundreds of items can wait until the first picture. */}
      {scene && (
        <MarkList
          {...{ marks, scene, describe, onOpen, onToggle }}
          mode={view.mode}
          onFocusMark={focusMark}
          onLeave={() => {
            engine.current?.point(null, null)
            setPointed(null)
          }}
        />
      )}
    </section>
  )
}

/** The description in a saved picture. */
function aboutText(count: number, mode: ViewState['mode'], filter: string): string {
  return [drawnText(count), filter, `judged by ${mode}`].filter((part) => part !== '').join(' · ')
}
