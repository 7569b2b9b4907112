import { type Asset } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type AverageTarget } from '#chart/average-target.ts'
import { frameView, homeSpan, priceDomain } from '#chart/axes.ts'
import { dueDay, spansOf, type Mark } from '#chart/marks.ts'
import { between, lengthOf, union, type ScaleKind, type Span } from '#chart/scale.ts'
import { type Scene } from '#chart/scene.ts'
import { type Series } from '#chart/series.ts'
import { type ThemeName } from '#chart/theme.ts'
import { sameSpan, type TimeFrame } from '#chart/view-state.ts'
import {
  flingStep,
  move,
  openViewport,
  within,
  type Bounds,
  type Move,
  type Viewport,
} from '#chart/viewport.ts'
import { stillMotion } from './device.ts'

/** Everything a chart draws; a new object with the same parts costs only a repaint. */
export type Settings = {
  readonly asset: Asset
  readonly series: Series
  readonly marks: readonly Mark[]
  readonly average: AverageTarget | null
  readonly live: { readonly usd: number; readonly direction: 'up' | 'down' | null } | null
  readonly today: Day
  readonly theme: ThemeName
  readonly scale: ScaleKind
  readonly frame: TimeFrame | null
  readonly range: Span | null
  readonly prices: Span | null
}

/** Which part of the chart is in view and how it moves; only the functions of this file change it. */
export type ChartView = {
  settings: Settings
  limits: Omit<Bounds, 'prices'>
  viewport: Viewport
  /** Whether the visitor chose the view, not the chart. */
  isChosen: boolean
  /** The last report to the page; settings that repeat it are its echo, however late they come. */
  reported: ChosenSpans
  /** Where a gliding view comes from; `since` in ms of `performance.now()`. */
  glide: { readonly from: Spans; readonly since: number } | null
  /** `velocity` in px per ms at the time `at`. */
  fling: { readonly velocity: number; readonly at: number } | null
  /** The picture on the screen; null before the first one. */
  scene: Scene | null
  readonly redraw: () => void
}

/** The view in whole days and the prices if the visitor chose them; null if the chart did. */
export type ChosenSpans = { readonly range: Span | null; readonly prices: Span | null }
type Spans = { readonly days: Span; readonly prices: Span }

/** Buttons, resets and new predictions move the view within this time. */
const GLIDE_MS = 180
/** A slower release does not fling, px per ms. */
const LEAST_FLING = 0.2

/** A view of what the settings name. @param redraw called after each change of the view */
export function openView(settings: Settings, redraw: () => void): ChartView {
  const limits = limitsOf(settings)
  const { range, prices, marks } = settings
  const active = spansOf(marks)
  const fitted = range ? active.map(({ id }) => id) : []
  const view: ChartView = {
    settings,
    limits,
    viewport: openViewport(range, prices, limits, fitted),
    isChosen: range !== null || prices !== null,
    reported: { range: null, prices: null },
    glide: null,
    fling: null,
    scene: null,
    redraw,
  }
  view.viewport = move(view.viewport, { type: 'fit', active }, boundsOf(view))
  return view
}

/** Applies new settings of the same asset; what did not change stays as it is, even in the middle of a gesture. */
export function changeSettings(view: ChartView, next: Settings): void {
  const before = view.settings
  const wasOpening = !view.isChosen && sameSpan(view.viewport.days, view.limits.opening)
  view.settings = next
  view.limits = limitsOf(next)
  const { home, opening } = view.limits
  if (before.frame !== next.frame) {
    startGlide(view)
    const days = next.range ? within(next.range, home) : opening
    const reach = union(days, opening)
    view.viewport = { ...view.viewport, days, reach, prices: next.prices }
    view.isChosen = next.range !== null
  } else if (wasOpening && !sameSpan(view.viewport.days, opening)) {
    view.viewport = { ...view.viewport, days: opening, reach: opening }
  }
  // A price range chosen on a linear axis does not fit a log axis.
  if (before.scale !== next.scale) view.viewport = { ...view.viewport, prices: null }
  if (before.frame === next.frame) followAddress(view, before)
  if (before.marks !== next.marks) {
    moveView(view, { type: 'fit', active: spansOf(next.marks) }, { smooth: true })
  }
  view.redraw()
}

/** Goes where a changed address says, unless it only repeats our report. */
function followAddress(view: ChartView, before: Settings): void {
  const { settings, reported } = view
  const { range, prices } = settings
  if (!sameSpan(before.range, range) && !sameSpan(range, reported.range)) {
    moveView(view, range ? { type: 'show', days: range } : { type: 'reset' }, { smooth: true })
  }
  if (!sameSpan(before.prices, prices) && !sameSpan(prices, reported.prices)) {
    view.viewport = { ...view.viewport, prices }
  }
}

/** Moves the view within its limits, at once or gliding there. */
export function moveView(view: ChartView, step: Move, { smooth = false } = {}): void {
  const next = move(view.viewport, step, boundsOf(view))
  if (step.type === 'reset') view.isChosen = false
  else if (step.type !== 'fit') view.isChosen = true
  if (next === view.viewport) return
  if (smooth) startGlide(view)
  else view.glide = null
  view.viewport = next
  view.redraw()
}

function startGlide(view: ChartView): void {
  const { scene } = view
  view.fling = null
  if (scene && !stillMotion()) view.glide = { from: scene, since: performance.now() }
}

/** Lets the view move on after a drag, ever more slowly. @param velocity px per ms */
export function startFling(view: ChartView, velocity: number): void {
  if (Math.abs(velocity) < LEAST_FLING || stillMotion()) return
  view.fling = { velocity, at: performance.now() }
  view.redraw()
}

/** Stops what is still moving, as any new touch, key or wheel does. */
export function halt(view: ChartView): void {
  view.fling = null
  view.glide = null
}

/** Remembers the view. @returns restores it, as if it had not been moved since */
export function remember(view: ChartView): () => void {
  const { viewport, isChosen } = view
  return () => {
    if (view.viewport === viewport) return
    halt(view)
    Object.assign(view, { viewport, isChosen })
    view.redraw()
  }
}

/** Lets glide and fling go on to the time `now`. @returns whether the view still moves */
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

/** The days and prices to draw at a time, part of the way while the view glides. */
export function spansAt(view: ChartView, now: number): Spans {
  const { viewport, glide, settings } = view
  const [days, prices] = [viewport.days, pricesInView(view)]
  if (!glide) return { days, prices }
  const part = Math.min(1, Math.max(0, (now - glide.since) / GLIDE_MS))
  const eased = 1 - (1 - part) ** 3
  return {
    days: between('linear', glide.from.days, days, eased),
    prices: between(settings.scale, glide.from.prices, prices, eased),
  }
}

/** The days in view, rounded to whole ones. */
export function wholeDays({ viewport: { days } }: ChartView): Span {
  return [Math.round(days[0]), Math.round(days[1])]
}

function boundsOf(view: ChartView): Bounds {
  return { ...view.limits, prices: pricesInView(view) }
}

function pricesInView({ settings, viewport }: ChartView): Span {
  const { days, reach, prices } = viewport
  const { asset, scale: kind, series, marks, live } = settings
  if (prices && (kind === 'linear' || prices[0] > 0)) return prices
  return priceDomain({
    axis: asset.axis,
    kind,
    series,
    marks,
    days,
    reach,
    live: live?.usd ?? null,
  })
}

function limitsOf({ asset, frame, series, marks, today, scale }: Settings): ChartView['limits'] {
  const { axis } = asset
  const ends = marks
    .filter(({ kind }) => kind !== 'ahead' && kind !== 'success' && kind !== 'break')
    .map(({ prediction }) => dueDay(prediction))
  const question = { axis, frame, series, ends, today }
  const home = homeSpan(question)
  return { home, opening: frameView(question, home), scale, panFloor: axis.panFloor }
}
