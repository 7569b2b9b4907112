import { isWithin } from '#chart/labels.ts'
import { makeScene, type Scene } from '#chart/scene.ts'
import { drawThreads, type ThreadLine } from '#chart/threads.ts'
import { THEMES } from '#chart/theme.ts'
import {
  advance,
  changeSettings,
  openView,
  restView,
  spansAt,
  type ChartView,
  type ChosenView,
  type Settings,
} from './chart-view.ts'
import { deviceDpr, MOST_DPR, onDprChange } from './device.ts'
import { paintBase, type Look } from './paint-base.ts'
import { paintTop, type Pointing } from './paint-top.ts'
import { makeSprites, textWidth } from './sprites.ts'

/** What the chart shows once it is at rest. */
export type Settled = ChosenView & { readonly scene: Scene }

export type Surfaces = {
  readonly box: HTMLElement
  readonly base: HTMLCanvasElement
  readonly top: HTMLCanvasElement
  /** The pulse of the live price. */
  readonly live: HTMLElement
}

/** A chart on two canvases; only the functions of this file change it. */
export type Engine = {
  readonly surfaces: Surfaces
  readonly basePen: CanvasRenderingContext2D | null
  readonly topPen: CanvasRenderingContext2D | null
  readonly onSettle: (settled: Settled) => void
  readonly view: ChartView
  look: Look
  /** CSS pixels; 0 while the page gives the chart no space. */
  size: { readonly width: number; readonly height: number }
  pointing: Omit<Pointing, 'thread'>
  /** What the next frame paints. */
  stale: 'both' | 'top' | null
  /** The requested animation frame; 0 when none is. */
  frame: number
  isPrinted: boolean
  settling: ReturnType<typeof setTimeout> | undefined
  stopObserving: () => void
}

/** On paper a chart is as wide as a page, CSS pixels; `price-chart.css` gives it this shape. */
const PAPER = { width: 720, height: 400 }

/** A movement counts as over after this pause (public-site.md §9, "Timing and layout"). */
const SETTLE_MS = 150

/**
 * Draws a chart on two canvases and keeps it up to date: one animation frame loop that sleeps when nothing changes, and a
 * view that no React state holds. {@link closeEngine} ends it.
 *
 * @param onSettle called after the last change, never per frame
 */
export function openEngine(
  surfaces: Surfaces,
  settings: Settings,
  onSettle: (settled: Settled) => void,
): Engine {
  const view = openView(settings, () => redraw(engine))
  const engine: Engine = {
    surfaces,
    basePen: surfaces.base.getContext('2d', { alpha: false }),
    topPen: surfaces.top.getContext('2d'),
    onSettle,
    view,
    look: lookOf({ view, isPrinted: false }, null),
    size: { width: 0, height: 0 },
    pointing: { cross: null, id: null },
    stale: 'both',
    frame: 0,
    isPrinted: false,
    settling: undefined,
    stopObserving: () => {},
  }
  const resized = () => resize(engine)
  const observer = new ResizeObserver(resized)
  observer.observe(surfaces.box)
  const stopDpr = onDprChange(resized)
  engine.stopObserving = () => {
    observer.disconnect()
    stopDpr()
  }
  return engine
}

export function closeEngine(engine: Engine): void {
  cancelAnimationFrame(engine.frame)
  clearTimeout(engine.settling)
  engine.stopObserving()
}

/** Draws with new settings of the same asset. */
export function showSettings(engine: Engine, next: Settings): void {
  changeSettings(engine.view, next)
  engine.look = lookOf(engine, engine.look)
}

/** Paints at once as paper wants it, or as the screen does again. */
export function paintForPaper(engine: Engine, isPrinted: boolean): void {
  engine.isPrinted = isPrinted
  resize(engine)
}

/** Draws all texts again with newly measured widths: the web font has loaded. */
export function redrawTexts(engine: Engine): void {
  engine.look = lookOf(engine, null)
  redraw(engine)
}

/** Shows the crosshair at a place and highlights a prediction; null shows none. */
export function point(engine: Engine, cross: Pointing['cross'], id: string | null): void {
  if (engine.pointing.cross === null && cross === null && engine.pointing.id === id) return
  engine.pointing = { cross, id }
  engine.stale ??= 'top'
  wake(engine)
}

/** The picture at a time, part of the way while the view glides; at `Infinity` where it will rest. */
export function sceneAt({ view, size }: Engine, now: number, dpr: number): Scene {
  const { asset, series, ranges, marks, threads, withThreads, median, live, today } = view.settings
  return makeScene({
    axis: asset.axis,
    ...size,
    dpr,
    ...spansAt(view, now),
    scale: view.limits.scale,
    series,
    ranges,
    marks,
    threads: withThreads ? threads : [],
    median,
    live: live && { day: today, usd: live.usd },
    pricesChosen: view.viewport.prices !== null,
    measure: textWidth,
  })
}

function redraw(engine: Engine): void {
  engine.stale = 'both'
  wake(engine)
}

function wake(engine: Engine): void {
  if (engine.frame === 0) engine.frame = requestAnimationFrame((now) => tick(engine, now))
}

function tick(engine: Engine, now: number): void {
  engine.frame = 0
  const moves = advance(engine.view, now)
  paint(engine, now)
  if (moves) redraw(engine)
}

function paint(engine: Engine, now: number): void {
  const { view, look, size, stale } = engine
  if (size.width === 0 || size.height === 0) return
  if (stale === 'both') {
    view.scene = sceneAt(engine, now, look.dpr)
    if (engine.basePen) paintBase(engine.basePen, view.scene, look)
    placeLive(engine, view.scene)
    clearTimeout(engine.settling)
    engine.settling = setTimeout(() => settle(engine), SETTLE_MS)
  }
  if (stale && view.scene && engine.topPen) {
    const thread = threadOf(engine, view.scene)
    paintTop(engine.topPen, view.scene, look, { ...engine.pointing, thread })
  }
  engine.stale = null
}

function settle(engine: Engine): void {
  const { view, onSettle } = engine
  if (view.glide || view.fling || !view.scene) return
  const { chosen, moved } = restView(view)
  if (moved) {
    engine.stale = 'both'
    paint(engine, performance.now())
    clearTimeout(engine.settling)
  }
  onSettle({ scene: view.scene, ...chosen })
}

function placeLive({ surfaces, view }: Engine, { last, plot }: Scene): void {
  const { style } = surfaces.live
  const inside = last !== null && view.settings.live !== null && isWithin(plot, last.x, last.y)
  style.visibility = inside ? 'visible' : 'hidden'
  if (inside) style.transform = `translate(${String(last.x)}px, ${String(last.y)}px)`
}

/** The thread of the prediction pointed at, drawn or not. */
function threadOf({ view, pointing }: Engine, scene: Scene): ThreadLine | null {
  if (pointing.id === null) return null
  const own = view.settings.threads.filter(({ mark }) => mark.prediction.id === pointing.id)
  return drawThreads(own, scene.days, scene.plot, scene.time, scene.price)[0] ?? null
}

/** A canvas that changes its size is blank until it is painted, so it is painted at once. */
function resize(engine: Engine): void {
  const { box, base, top } = engine.surfaces
  engine.size = engine.isPrinted ? PAPER : { width: box.clientWidth, height: box.clientHeight }
  const { width, height } = engine.size
  if (width === 0 || height === 0) return
  engine.look = lookOf(engine, engine.look)
  const { dpr } = engine.look
  for (const canvas of [base, top]) {
    canvas.width = Math.round(width * dpr)
    canvas.height = Math.round(height * dpr)
  }
  engine.stale = 'both'
  paint(engine, performance.now())
}

/** Keeps the signs and texts drawn for the same theme and pixel density. Paper is light, and finer than most screens. */
function lookOf(
  { view, isPrinted }: Pick<Engine, 'view' | 'isPrinted'>,
  before: Look | null,
): Look {
  const { settings } = view
  const theme = THEMES[isPrinted ? 'light' : settings.theme]
  const dpr = isPrinted ? MOST_DPR : deviceDpr()
  const sprites =
    before?.theme === theme && before.dpr === dpr ? before.sprites : makeSprites(theme, dpr)
  return { theme, dpr, sprites, direction: settings.live?.direction ?? null, under: settings.under }
}
