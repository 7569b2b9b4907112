import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import { markAt } from '#chart/hit-test.ts'
import { stackOf } from '#chart/marks.ts'
import { type RangeLayer } from '#chart/ranges.ts'
import { type Scene } from '#chart/scene.ts'
import { closeAt, type Series } from '#chart/series.ts'
import { type Asset } from '#domain/asset.ts'
import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { onPrint } from '#web/ui/hooks.ts'
import { moveView, type Settings } from './chart-view.ts'
import {
  closeEngine,
  openEngine,
  paintForPaper,
  point,
  redrawTexts,
  showSettings,
  type Engine,
  type Settled,
} from './engine.ts'
import { listen, type Listener } from './gestures.ts'
import { forgetWidths, LABEL_FONT } from './sprites.ts'
import { type Pointed } from './tooltip.tsx'

type PlotProps = {
  readonly settings: Settings
  readonly isReady: boolean
  readonly engineRef: RefObject<Engine | null>
  readonly scene: Scene | null
  readonly pointed: Pointed | null
  readonly onPoint: (pointed: Pointed | null) => void
  readonly onSettle: (settled: Settled) => void
  readonly onOpen: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** Hit radius around a mark, CSS pixels; 44 px across for touch. */
const REACH = { mouse: 6, touch: 22 } as const

export function Plot(props: PlotProps) {
  const { settings, isReady, engineRef, scene, pointed } = props
  const { onPoint, onSettle, onOpen, onToggle } = props
  const box = useRef<HTMLDivElement>(null)
  const base = useRef<HTMLCanvasElement>(null)
  const top = useRef<HTMLCanvasElement>(null)
  const pulse = useRef<HTMLSpanElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const { asset, live } = settings

  const showReadout = (at: { readonly x: number; readonly y: number } | null) => {
    const now = engineRef.current?.view.scene
    if (!readout.current || !now) return
    const price = readoutAt(now, settings, asset, at?.x ?? null, live?.usd ?? null)
    readout.current.textContent = (at && settings.under?.readAt(now, at.x, at.y)) || price
  }
  const markNear = (x: number, y: number, reach: number) => {
    const now = engineRef.current?.view.scene
    return now ? markAt(now, x, y, reach) : null
  }

  /** Updates the readout under the pointer; the readout of a tapped mark stays. */
  const renewReadout = () => {
    const cross = engineRef.current?.pointing.cross ?? null
    if (cross || !pointed) showReadout(cross)
  }

  const settle = useEffectEvent((settled: Settled) => {
    renewReadout()
    onSettle(settled)
  })

  const hover = useEffectEvent((x: number, y: number) => {
    const mark = markNear(x, y, REACH.mouse)
    const visibleMark = pointed?.pinned ? pointed.mark : mark
    if (engineRef.current) point(engineRef.current, { x, y }, visibleMark?.prediction.id ?? null)
    showReadout({ x, y })
    const plotX = engineRef.current?.view.scene?.plot.x ?? 0
    if (box.current) box.current.dataset['over'] = mark ? 'mark' : x < plotX ? 'prices' : 'plot'
    if (visibleMark !== (pointed?.mark ?? null))
      onPoint(mark && { mark, at: { x, y }, pinned: false })
  })

  const grab = useEffectEvent(() => {
    if (engineRef.current) point(engineRef.current, null, null)
    showReadout(null)
    if (pointed) onPoint(null)
  })

  const leave = useEffectEvent(() => {
    if (!pointed?.pinned) grab()
  })

  const click = useEffectEvent<Listener['click']>(({ x, y, touch, shift }) => {
    const mark = markNear(x, y, touch ? REACH.touch : REACH.mouse)
    const id = mark?.prediction.id ?? null
    const now = engineRef.current?.view.scene
    const isStacked = mark && now ? stackOf(now, mark).length > 1 : false
    if (touch || (!shift && isStacked) || (mark === null && pointed?.pinned)) {
      // Touch has no hover, and a click on stacked marks is ambiguous, so pin the tooltip and let its buttons act.
      if (engineRef.current) point(engineRef.current, mark ? null : { x, y }, id)
      showReadout({ x, y })
      onPoint(mark && { mark, at: { x, y }, pinned: true })
    } else if (id !== null) {
      if (shift) onToggle(id)
      else onOpen(id)
    }
  })

  const showLater = () => {
    const engine = engineRef.current
    if (!engine || !scene?.later) return
    const [from, to] = scene.days
    const until = scene.later.until
    const days = [from, until + (until - from) * 0.04] as const
    if (until > to) moveView(engine.view, { type: 'show', days }, { smooth: true })
  }

  const open = useEffectEvent(() => {
    if (!box.current || !base.current || !top.current || !pulse.current) return null
    const surfaces = { box: box.current, base: base.current, top: top.current, live: pulse.current }
    return openEngine(surfaces, settings, settle)
  })

  useLayoutEffect(() => {
    const made = isReady ? open() : null
    if (!made) return undefined
    engineRef.current = made
    const stop = listen(made.surfaces.box, made.view, { hover, leave, click, grab })
    const stopPrint = onPrint((isPrinted) => paintForPaper(made, isPrinted))
    const known = document.fonts?.check(LABEL_FONT) ?? true
    void document.fonts?.load(LABEL_FONT).then(() => {
      if (engineRef.current !== made || known) return
      forgetWidths()
      redrawTexts(made)
    })
    return () => {
      stop()
      stopPrint()
      closeEngine(made)
      engineRef.current = null
    }
  }, [engineRef, isReady])

  const showNewDays = useEffectEvent(renewReadout)

  useLayoutEffect(() => {
    if (engineRef.current) showSettings(engineRef.current, settings)
  }, [engineRef, settings])

  useLayoutEffect(() => showNewDays(), [settings.series])

  useLayoutEffect(() => {
    box.current?.style.setProperty('--phone-height', `${String(asset.phoneChartHeight)}px`)
  }, [asset])

  return (
    <div
      ref={box}
      className="price-chart-plot relative clipped by-script"
      role="group"
      aria-label="Chart. Arrow keys move it, plus and minus zoom, 0 resets."
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys move the chart, as its name says
      tabIndex={0}
    >
      <canvas ref={base} aria-hidden="true" />
      {/* In print it would be a white page over the chart. */}
      <canvas ref={top} className="by-screen" aria-hidden="true" />
      <span
        ref={pulse}
        className="price-chart-live by-screen"
        data-direction={live?.direction ?? 'none'}
      />
      <p
        ref={readout}
        className="price-chart-readout muted as-written by-screen"
        aria-hidden="true"
      />
      {scene?.later && (
        <button
          type="button"
          className="price-chart-later"
          style={{ left: scene.later.label.x - 11, top: scene.later.label.y - 17 }}
          aria-label={`Show ${scene.later.label.text.replace(' →', '')}`}
          onClick={showLater}
        >
          {scene.later.label.text}
        </button>
      )}
    </div>
  )
}

/**
 * The readout in the plot's corner: the price on the day under the pointer, high and low if drawn, and the change since
 * then. Without a pointer, the last price; without prices, empty.
 *
 * @param now current price, USD; null for the last close
 */
function readoutAt(
  scene: Scene,
  { series, ranges }: { readonly series: Series; readonly ranges: RangeLayer | null },
  asset: Asset,
  x: number | null,
  now: number | null,
): string {
  const day = x === null ? scene.days[1] : Math.round(scene.time.toValue(x))
  const last = series.days.at(-1) ?? -Infinity
  const close = closeAt(series, Math.min(day, last))
  if (!close || (x !== null && day > last)) return ''
  const range = x === null || !scene.ranges ? null : (ranges?.at(close.day) ?? null)
  const span = range ? `  high ${showUsd(range.high)}, low ${showUsd(range.low)}` : ''
  const read = `${asset.symbol} ${showDay(dayFromNumber(close.day))}  ${showUsd(close.usd)}${span}`
  const today = now ?? series.closes.at(-1)
  // There is no room for both on a phone.
  const isFull = scene.phone && range !== null
  if (x === null || today === undefined || day >= last || isFull) return read
  return `${read}  ${changeText(today / close.usd)} since`
}

/** `+34%`, `−12%`, and `× 42` above a thousand per cent. */
function changeText(ratio: number): string {
  if (ratio >= 11) return `× ${String(Math.round(ratio))}`
  const percent = Math.round((ratio - 1) * 100)
  return `${percent < 0 ? '−' : '+'}${String(Math.abs(percent))}%`
}
