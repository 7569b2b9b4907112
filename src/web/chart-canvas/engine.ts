import { isWithin } from '#chart/labels.ts'
import { makeScene, type Scene, type Shape } from '#chart/scene.ts'
import { THEMES, outcomeColour } from '#chart/theme.ts'
import { drawThreads, type ThreadLine } from '#chart/threads.ts'
import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
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
import { paintBase, type Look, paintSign, sharp, strokeLine, withinPlot } from './paint-base.ts'
import { makeSprites, textWidth, LABEL_FONT, stamp, type Pen } from './sprites.ts'

export type Settled = ChosenView & { readonly scene: Scene }

export type Surfaces = {
  readonly box: HTMLElement
  readonly base: HTMLCanvasElement
  readonly top: HTMLCanvasElement
  readonly live: HTMLElement
}

/** A chart on two canvases; changed only by functions of this file. */
export type Engine = {
  readonly surfaces: Surfaces
  readonly basePen: CanvasRenderingContext2D | null
  readonly topPen: CanvasRenderingContext2D | null
  readonly onSettle: (settled: Settled) => void
  readonly view: ChartView
  look: Look
  /** CSS pixels; 0 while the chart has no layout. */
  size: { readonly width: number; readonly height: number }
  pointing: Omit<Pointing, 'thread'>
  stale: 'scene' | 'base' | 'top' | null
  frame: number
  isPrinted: boolean
  settling: ReturnType<typeof setTimeout> | undefined
  stopObserving: () => void
}

/** Size in print, CSS pixels: a page wide; `price-chart.css` has the same aspect ratio. */
const PAPER = { width: 720, height: 400 }

const NOWHERE: Engine['pointing'] = { cross: null, id: null }

/** Pause after which a movement counts as finished (public-site.md §9, "Timing and layout"). */
const SETTLE_MS = 150

/**
 * Draws a chart on two canvases in an animation frame loop that sleeps when nothing changes. The view is kept outside
 * React state. Close it with {@link closeEngine}.
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
    look: lookOf({ view, isPrinted: false, pointing: NOWHERE }, null),
    size: { width: 0, height: 0 },
    pointing: NOWHERE,
    stale: 'scene',
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

export function showSettings(engine: Engine, next: Settings): void {
  changeSettings(engine.view, next)
  engine.look = lookOf(engine, engine.look)
}

/** Repaints immediately for print, or for the screen again. */
export function paintForPaper(engine: Engine, isPrinted: boolean): void {
  engine.isPrinted = isPrinted
  resize(engine)
}

export function redrawTexts(engine: Engine): void {
  engine.look = lookOf(engine, null)
  redraw(engine)
}

/** Moves the crosshair and highlights a prediction; null hides either. */
export function point(engine: Engine, cross: Pointing['cross'], id: string | null): void {
  if (engine.pointing.cross === null && cross === null && engine.pointing.id === id) return
  engine.pointing = { cross, id }
  const focus = focusOf(engine)
  if (focus !== engine.look.focus) {
    engine.look = { ...engine.look, focus }
    if (engine.stale !== 'scene') engine.stale = 'base'
  }
  engine.stale ??= 'top'
  wake(engine)
}

/** The scene at a time, interpolated during a glide; `Infinity` gives the final one. */
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
  engine.stale = 'scene'
  wake(engine)
}

function wake(engine: Engine): void {
  if (engine.frame === 0) engine.frame = requestAnimationFrame((now) => tick(engine, now))
}

function tick(engine: Engine, now: number): void {
  engine.frame = 0
  // Also at the end of a glide whose last step was painted by a resize.
  if (engine.view.glide || engine.view.fling) engine.stale = 'scene'
  const moves = advance(engine.view, now)
  paint(engine, now)
  if (moves) wake(engine)
}

function paint(engine: Engine, now: number): void {
  const { view, look, size, stale } = engine
  if (size.width === 0 || size.height === 0) return
  if (stale === 'scene') {
    const isFirst = view.scene === null
    view.scene = sceneAt(engine, now, look.dpr)
    placeLive(engine, view.scene)
    clearTimeout(engine.settling)
    engine.settling = setTimeout(() => settle(engine), SETTLE_MS)
    if (isFirst && !engine.isPrinted) {
      // Laid out and painted in two frames, because both together block a phone for long.
      engine.stale = 'base'
      wake(engine)
      return
    }
  }
  if (stale !== 'top' && view.scene && engine.basePen) paintBase(engine.basePen, view.scene, look)
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
    engine.stale = 'scene'
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

/** Slug of the person whose prediction is pointed at. */
function focusOf({ view, pointing }: Pick<Engine, 'view' | 'pointing'>): string | null {
  if (pointing.id === null) return null
  const mark = view.settings.marks.find(({ prediction }) => prediction.id === pointing.id)
  return mark?.prediction.expert.slug ?? null
}

/** The thread of the prediction pointed at, even if it is not drawn at rest. */
function threadOf({ view, pointing }: Engine, scene: Scene): ThreadLine | null {
  if (pointing.id === null) return null
  const own = view.settings.threads.filter(({ mark }) => mark.prediction.id === pointing.id)
  return drawThreads(own, scene.days, scene.plot, scene.time, scene.price)[0] ?? null
}

/** Resizing blanks a canvas, so repaint in the same frame. */
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
  engine.stale = 'scene'
  if (engine.view.scene || engine.isPrinted) paint(engine, performance.now())
  else wake(engine)
}

/** Reuses sprites while theme and pixel density are unchanged. Print is always light and dense. */
function lookOf(engine: Pick<Engine, 'view' | 'isPrinted' | 'pointing'>, before: Look | null) {
  const { view, isPrinted } = engine
  const { settings } = view
  const theme = THEMES[isPrinted ? 'light' : settings.theme]
  const dpr = isPrinted ? MOST_DPR : Math.min(MOST_DPR, Math.max(1, window.devicePixelRatio || 1))
  const sprites =
    before?.theme === theme && before.dpr === dpr ? before.sprites : makeSprites(theme, dpr)
  const { live, under } = settings
  const focus = isPrinted ? null : focusOf(engine)
  return { theme, dpr, sprites, direction: live?.direction ?? null, under, focus }
}

export type Pointing = {
  /** CSS pixels; null when the pointer is outside the plot. */
  readonly cross: { readonly x: number; readonly y: number } | null
  readonly id: string | null
  readonly thread: ThreadLine | null
}

/** Paints crosshair and highlight on the otherwise empty top canvas; cheap enough for every pointer move. */
export function paintTop(pen: Pen, scene: Scene, look: Look, pointing: Pointing): void {
  const { plot } = scene
  pen.setTransform(look.dpr, 0, 0, look.dpr, 0, 0)
  pen.clearRect(0, 0, scene.width, scene.height)
  if (plot.width <= 0 || plot.height <= 0) return
  if (pointing.id !== null) paintHighlight(pen, scene, look, pointing)
  if (pointing.cross) paintCross(pen, scene, look, pointing.cross)
}

function paintHighlight(pen: Pen, scene: Scene, look: Look, { id, thread }: Pointing): void {
  const shapes = scene.shapes.filter(({ mark }) => mark.prediction.id === id)
  const [first] = shapes
  if (!first) return
  const colour = outcomeColour(look.theme, first.mark.outcome)
  withinPlot(pen, scene, () => {
    pen.strokeStyle = colour
    if (thread) paintThread(pen, thread, look, colour)
    for (const shape of shapes) paintOutline(pen, shape)
    for (const shape of shapes) {
      paintSign(pen, shape, scene, look)
      if (!shape.mark.sign) continue
      pen.strokeStyle = colour
      pen.lineWidth = 1.5
      pen.beginPath()
      pen.arc(shape.signX, shape.signY, scene.radius + 4, 0, Math.PI * 2)
      pen.stroke()
    }
    // Name the claim unless it is labelled already; a date would overlap the label.
    const labelled = scene.labels.some(({ shape }) => shape.mark === first.mark)
    if (!labelled) paintName(pen, first, scene, look, colour)
  })
}

function paintName(pen: Pen, shape: Shape, scene: Scene, look: Look, colour: string): void {
  const { plot } = scene
  const text = shape.mark.texts[scene.phone ? 1 : 0] ?? shape.mark.texts[0] ?? ''
  const width = textWidth(text)
  const point = shape.x0 === shape.x1
  const preferred = point ? shape.signX - width / 2 : (shape.x0 + shape.x1 - width) / 2
  const x = Math.max(plot.x + 4, Math.min(preferred, plot.x + plot.width - width - 4))
  const above = shape.y0 - scene.radius - 8
  const y = above - 10 > plot.y ? above : shape.y1 + scene.radius + 18
  stamp(pen, look.sprites.words(text, colour), x, y, look.dpr)
}

function paintThread(pen: Pen, { x0, y0, x1, y1 }: ThreadLine, look: Look, colour: string): void {
  pen.lineWidth = 2
  strokeLine(pen, x0, y0, x1, y1)
  pen.fillStyle = look.theme.surface
  pen.strokeStyle = colour
  pen.lineWidth = 1.5
  pen.beginPath()
  pen.arc(x0, y0, 3.5, 0, Math.PI * 2)
  pen.fill()
  pen.stroke()
}

function paintOutline(pen: Pen, { mark, x0, x1, y0, y1 }: Shape): void {
  if (x0 === x1) return
  pen.lineWidth = 2
  if (mark.kind === 'range') pen.strokeRect(x0, y0, x1 - x0, Math.max(1, y1 - y0))
  else strokeLine(pen, x0, y0, x1, y0)
}

function paintCross(pen: Pen, scene: Scene, look: Look, cross: { x: number; y: number }): void {
  const { plot, time, price } = scene
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height]
  if (!isWithin(plot, cross.x, cross.y)) return
  const [x, y] = [sharp(cross.x, look.dpr), sharp(cross.y, look.dpr)]
  pen.strokeStyle = look.theme.ink2
  pen.globalAlpha = 0.7
  pen.lineWidth = 1
  strokeLine(pen, x, plot.y, x, bottom, [4, 4])
  strokeLine(pen, plot.x, y, right, y, [4, 4])
  pen.globalAlpha = 1
  const date = showDay(dayFromNumber(Math.round(time.toValue(cross.x))))
  // More than four digits would exceed the precision of a pointer.
  const usd = showUsd(Number(price.toValue(cross.y).toPrecision(4)))
  paintTag(pen, look, date, x, bottom + 13, 'center', scene.width)
  paintTag(pen, look, usd, plot.x - 2, y, 'right', scene.width)
}

function paintTag(
  pen: Pen,
  { theme }: Look,
  text: string,
  x: number,
  y: number,
  side: 'center' | 'right',
  chartWidth: number,
): void {
  const width = textWidth(text) + 10
  const preferred = side === 'center' ? x - width / 2 : x - width
  const left = Math.max(0, Math.min(preferred, chartWidth - width))
  pen.fillStyle = theme.ink
  pen.beginPath()
  pen.roundRect(left, y - 9, width, 18, 3)
  pen.fill()
  pen.font = LABEL_FONT
  pen.textAlign = 'left'
  pen.textBaseline = 'middle'
  pen.fillStyle = theme.surface
  pen.fillText(text, left + 5, y + 0.5)
}

/** A higher density is not visible and doubles the painting time on phones. */
const MOST_DPR = 2

/** Reports changes of pixel density, such as moving to another screen, which fire no resize event. */
function onDprChange(changed: () => void): () => void {
  let query: MediaQueryList | null = null
  const arm = () => {
    query?.removeEventListener('change', again)
    query = window.matchMedia(`(resolution: ${String(window.devicePixelRatio)}dppx)`)
    query.addEventListener('change', again)
  }
  const again = () => {
    arm()
    changed()
  }
  arm()
  return () => query?.removeEventListener('change', again)
}
