import { limitsOf, pricesInView, type LimitsQuestion } from '#chart/axes.ts'
import { spansOf } from '#chart/marks.ts'
import { type MedianTarget } from '#chart/open-targets.ts'
import { type RangeLayer } from '#chart/ranges.ts'
import { between, lengthOf, type Span } from '#chart/scale.ts'
import { type Scene } from '#chart/scene.ts'
import { type ThemeName } from '#chart/theme.ts'
import { type Thread } from '#chart/threads.ts'
import { sameSpan, type TimeFrame, type ViewState } from '#chart/view-state.ts'
import {
  flingStep,
  move,
  openViewport,
  snapped,
  type Bounds,
  type Move,
  type Viewport,
} from '#chart/viewport.ts'
import { type Asset } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Under } from './paint-base.ts'

/** Frame, days and prices chosen by the visitor; null if automatic. */
export type ChosenView = Pick<ViewState, 'frame' | 'range' | 'prices'>

export type Settings = LimitsQuestion &
  ChosenView & {
    readonly asset: Asset
    readonly ranges: RangeLayer | null
    /** All threads; at rest they are drawn only if `withThreads`, otherwise on hover. */
    readonly threads: readonly Thread[]
    readonly withThreads: boolean
    readonly median: MedianTarget | null
    readonly under: Under | null
    readonly live: { readonly direction: 'up' | 'down' | null } | null
    readonly theme: ThemeName
  }

/** The visible part of the chart and its motion; changed only by functions of this file. */
export type ChartView = {
  settings: Settings
  frame: TimeFrame | null
  limits: Omit<Bounds, 'prices'>
  viewport: Viewport
  /** The view last exchanged with the page; settings equal to it are an echo. */
  reported: ChosenView
  /** Start of the current glide; `since` in ms of `performance.now()`. */
  glide: { readonly from: Spans; readonly since: number } | null
  /** `velocity` in px per ms at the time `at`. */
  fling: { readonly velocity: number; readonly at: number } | null
  scene: Scene | null
  readonly redraw: () => void
}

type Spans = { readonly days: Span; readonly prices: Span }

/** Duration of view changes by buttons, resets and new predictions. */
const GLIDE_MS = 180
/** Minimum release speed of a fling, px per ms. */
const LEAST_FLING = 0.2

/**
 * Opens the view given by the settings.
 *
 * @param redraw called after each change of the view
 */
export function openView(settings: Settings, redraw: () => void): ChartView {
  const { frame, range, prices, marks } = settings
  const limits = limitsOf(settings, frame)
  const active = spansOf(marks)
  // A linked view is used unchanged; the opening view covers everything drawn.
  return {
    settings,
    frame,
    limits,
    viewport: openViewport(
      range,
      prices,
      limits,
      active.map(({ id }) => id),
    ),
    reported: { frame, range, prices },
    glide: null,
    fling: null,
    scene: null,
    redraw,
  }
}

/** Applies new settings of the same asset; unchanged ones do not disturb the view, even during a gesture. */
export function changeSettings(view: ChartView, next: Settings): void {
  const before = view.settings
  view.settings = next
  const isRequested = !sameView(before, next) && !sameView(next, view.reported)
  followDay(view, before.today, next)
  setLimits(view, isRequested ? next.frame : view.frame)
  if (isRequested) {
    startGlide(view)
    const { frame, range, prices } = next
    view.viewport = openViewport(range, prices, view.limits, view.viewport.fitted)
    view.reported = { frame, range, prices }
  }
  if (before.marks !== next.marks) {
    const active = spansOf(next.marks)
    // Another day has other calls, so do not fit the view to them.
    const stays = before.today !== next.today
    moveView(view, { type: 'fit', active, stays }, { smooth: true })
  }
  // New highs and lows may extend the price axis.
  if (before.ranges !== next.ranges && !view.fling) startGlide(view)
  view.redraw()
}

function followDay(view: ChartView, was: Day, { today, isPast }: Settings): void {
  const { chosen, days } = view.viewport
  const last = days[1] - lengthOf(days) * 0.05
  if (!isPast || !chosen || was < days[0] || was > days[1]) return
  if (today >= days[0] && today <= last) return
  const by = today - was
  view.viewport = { ...view.viewport, days: [days[0] + by, days[1] + by] }
}

function sameView(a: ChosenView, b: ChosenView): boolean {
  return a.frame === b.frame && sameSpan(a.range, b.range) && sameSpan(a.prices, b.prices)
}

/** Updates the limits; an automatic view follows them, a chosen one is clamped. */
function setLimits(view: ChartView, frame: TimeFrame | null): void {
  const before = view.limits
  view.frame = frame
  view.limits = limitsOf(view.settings, frame)
  const { scale } = view.limits
  const { days } = openViewport(rangeOf(view), null, view.limits)
  if (!sameSpan(days, view.viewport.days)) {
    startGlide(view)
    view.viewport = { ...view.viewport, days }
  }
  // A price range chosen on a linear axis does not fit a log axis.
  if (before.scale !== scale) view.viewport = { ...view.viewport, prices: null }
}

export function moveView(view: ChartView, step: Move, { smooth = false } = {}): void {
  if (step.type === 'reset' && view.frame !== null) setLimits(view, null)
  const next = move(view.viewport, step, { ...view.limits, prices: visiblePrices(view) })
  if (next === view.viewport) return
  if (smooth) startGlide(view)
  else view.glide = null
  view.viewport = next
  // A moved view leaves its frame, and gets the limits that a link to it would have.
  if (next.chosen && view.frame !== null) setLimits(view, null)
  view.redraw()
}

function startGlide(view: ChartView): void {
  const { scene } = view
  view.fling = null
  if (scene && !stillMotion()) view.glide = { from: scene, since: performance.now() }
}

/**
 * Continues a drag with decreasing speed.
 *
 * @param velocity px per ms
 */
export function startFling(view: ChartView, velocity: number): void {
  if (Math.abs(velocity) < LEAST_FLING || stillMotion()) return
  view.fling = { velocity, at: performance.now() }
  view.redraw()
}

/** Stops glide and fling, on any new touch, key or wheel event. */
export function halt(view: ChartView): void {
  view.fling = null
  view.glide = null
}

/**
 * Saves the view.
 *
 * @returns a function that restores it
 */
export function remember(view: ChartView): () => void {
  const { viewport, frame } = view
  return () => {
    if (view.viewport === viewport) return
    halt(view)
    view.viewport = viewport
    setLimits(view, frame)
    view.redraw()
  }
}

/**
 * Advances glide and fling to `now`.
 *
 * @returns whether the view still moves
 */
export function advance(view: ChartView, now: number): boolean {
  const { fling, glide, scene } = view
  if (fling && scene) {
    const step = flingStep(fling.velocity, Math.min(50, Math.max(0, now - fling.at)))
    view.fling = step.velocity === 0 ? null : { velocity: step.velocity, at: now }
    const part = -step.px / Math.max(1, scene.plot.width)
    moveView(view, { type: 'pan', days: part * lengthOf(view.viewport.days) })
  }
  if (glide && now - glide.since >= GLIDE_MS) view.glide = null
  return view.fling !== null || view.glide !== null
}

/** Days and prices to draw at `now`, interpolated during a glide. */
export function spansAt(view: ChartView, now: number): Spans {
  const { viewport, glide, limits } = view
  const [days, prices] = [viewport.days, visiblePrices(view)]
  if (!glide) return { days, prices }
  const part = Math.min(1, Math.max(0, (now - glide.since) / GLIDE_MS))
  const eased = 1 - (1 - part) ** 3
  return {
    days: between('linear', glide.from.days, days, eased),
    prices: between(limits.scale, glide.from.prices, prices, eased),
  }
}

/**
 * Rounds a view at rest to the precision of its address, less than a pixel away.
 *
 * @returns the view to report, and whether it must be redrawn
 */
export function restView(view: ChartView): { chosen: ChosenView; moved: boolean } {
  const next = snapped(view.viewport)
  const { days, prices } = view.viewport
  const moved = !sameSpan(next.days, days) || !sameSpan(next.prices, prices)
  if (moved) view.viewport = next
  view.reported = { frame: view.frame, range: rangeOf(view), prices: next.prices }
  return { chosen: view.reported, moved }
}

function rangeOf({ viewport }: ChartView): Span | null {
  return viewport.chosen ? viewport.days : null
}

function visiblePrices({ settings, viewport, frame, limits }: ChartView): Span {
  return pricesInView(settings, viewport, frame, limits.scale)
}

export function stillMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
