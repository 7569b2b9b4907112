import { levelGaps, uprightGaps, type Label } from '#chart/labels.ts'
import { type Mark, type MarkKind, countOf } from '#chart/marks.ts'
import { wordsOf, type Scene, type Shape } from '#chart/scene.ts'
import { OUTCOME_ORDER, outcomeColour, type Theme } from '#chart/theme.ts'
import { SITE_NAME } from '#domain/site.ts'
import { FONT_FAMILY, LABEL_FONT, stamp, type Pen, type Sprites } from './sprites.ts'

/** Rendering parameters besides the scene. */
export type Look = {
  readonly theme: Theme
  readonly dpr: number
  readonly sprites: Sprites
  readonly direction: 'up' | 'down' | null
  readonly under: Under | null
  /** Slug of the person to highlight, dimming everyone else; null dims nobody. */
  readonly focus: string | null
}

/** An optional layer between grid and marks, loaded on demand. */
export type Under = {
  readonly paint: (pen: Pen, scene: Scene, theme: Theme) => void
  /** Hit test at a position in CSS pixels; empty if nothing is there. */
  readonly readAt: (scene: Scene, x: number, y: number) => string
}

/**
 * Paints everything except crosshair and highlight, from bottom to top: watermark, grid, areas, levels, the price line,
 * signs, texts. This order keeps the price readable among hundreds of predictions.
 *
 * @see docs/decisions/0003-chart.md
 */
export function paintBase(pen: Pen, scene: Scene, look: Look): void {
  const { plot } = scene
  pen.setTransform(look.dpr, 0, 0, look.dpr, 0, 0)
  pen.fillStyle = look.theme.surface
  pen.fillRect(0, 0, scene.width, scene.height)
  if (plot.width <= 0 || plot.height <= 0) return
  paintWatermark(pen, scene, look)
  paintAxes(pen, scene, look)
  withinPlot(pen, scene, () => {
    look.under?.paint(pen, scene, look.theme)
    paintRanges(pen, scene, look)
    paintUnder(pen, scene, look)
    paintLine(pen, scene, look)
  })
  paintOver(pen, scene, look)
}

/** Everything below the price line: areas, levels, the median target, the last price, and signs that would hide the line. */
export function paintUnder(pen: Pen, scene: Scene, look: Look): void {
  paintThreads(pen, scene, look)
  paintBodies(pen, scene, look)
  paintMedian(pen, scene, look)
  paintLast(pen, scene, look)
  if (scene.isDense) paintSigns(pen, scene, look)
}

export function paintOver(pen: Pen, scene: Scene, look: Look): void {
  withinPlot(pen, scene, () => {
    if (!scene.isDense) paintSigns(pen, scene, look)
    paintCounts(pen, scene, look)
  })
  paintWords(pen, scene, look)
}

export function withinPlot(pen: Pen, { plot }: Scene, paint: () => void): void {
  pen.save()
  pen.beginPath()
  pen.rect(plot.x, plot.y, plot.width, plot.height)
  pen.clip()
  paint()
  pen.restore()
}

/** Opacity of other people's marks while a person is highlighted. */
const DIMMED = 0.1

/** Paints other people's marks first, dimmed, then those of the highlighted person; without one, all in one pass. */
function byPerson(
  { focus }: Look,
  paint: (isOf: (mark: Mark) => boolean, strength: number) => void,
): void {
  if (focus === null) return paint(() => true, 1)
  paint(({ prediction }) => prediction.expert.slug !== focus, DIMMED)
  paint(({ prediction }) => prediction.expert.slug === focus, 1)
}

function paintWatermark(pen: Pen, { plot }: Scene, { theme }: Look): void {
  const size = Math.max(18, Math.min(60, plot.width / 12))
  pen.font = `700 ${String(Math.round(size))}px ${FONT_FAMILY}`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillStyle = theme.ink2
  pen.globalAlpha = 0.07
  pen.fillText(SITE_NAME, plot.x + plot.width / 2, plot.y + plot.height / 2)
  pen.globalAlpha = 1
}

function paintAxes(pen: Pen, scene: Scene, look: Look): void {
  const { plot, time, price, timeTicks, priceTicks } = scene
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height]
  pen.font = LABEL_FONT
  pen.fillStyle = look.theme.ink2
  pen.strokeStyle = look.theme.hairline
  pen.lineWidth = 1
  pen.beginPath()
  pen.textAlign = 'center'
  pen.textBaseline = 'alphabetic'
  const words = wordsOf(scene)
  for (const { at, label } of timeTicks) {
    const x = sharp(time.toPx(at), look.dpr)
    for (const [from, to] of uprightGaps(x, plot.y, bottom, words)) {
      pen.moveTo(x, from)
      pen.lineTo(x, to)
    }
    if (label !== '') pen.fillText(label, x, bottom + 17)
  }
  pen.textAlign = 'right'
  pen.textBaseline = 'middle'
  for (const { at, label } of priceTicks) {
    const y = sharp(price.toPx(at), look.dpr)
    for (const [from, to] of levelGaps(y, plot.x, right, words)) {
      pen.moveTo(from, y)
      pen.lineTo(to, y)
    }
    pen.fillText(label, plot.x - 7, y)
  }
  pen.stroke()
}

/** One path per outcome, so hundreds of threads cost as much as a few. */
function paintThreads(pen: Pen, { threads, threadStrength }: Scene, look: Look): void {
  if (threads.length === 0) return
  pen.lineWidth = 1
  byPerson(look, (isOf, strength) => {
    pen.globalAlpha = strength < 1 ? Math.min(strength, threadStrength) : threadStrength
    for (const outcome of OUTCOME_ORDER) {
      pen.strokeStyle = outcomeColour(look.theme, outcome)
      pen.setLineDash(outcome === 'void' ? [VOID_DASH.on, VOID_DASH.step - VOID_DASH.on] : [])
      pen.beginPath()
      for (const { of, x0, y0, x1, y1 } of threads) {
        if (of.mark.outcome !== outcome || !isOf(of.mark)) continue
        pen.moveTo(x0, y0)
        pen.lineTo(x1, y1)
      }
      pen.stroke()
    }
  })
  pen.globalAlpha = 1
}

/** Opacity of levels and outlines, also among hundreds of others. */
const BODY = { few: 0.7, dense: 0.35 } as const

function paintBodies(pen: Pen, { shapes, isDense }: Scene, look: Look): void {
  byPerson(look, (isOf, strength) => {
    for (const outcome of OUTCOME_ORDER) {
      const own = shapes.filter(
        ({ mark, x0, x1 }) =>
          (x0 < x1 || mark.kind === 'range') && mark.outcome === outcome && isOf(mark),
      )
      if (own.length === 0) continue
      pen.fillStyle = outcomeColour(look.theme, outcome)
      pen.strokeStyle = pen.fillStyle
      // Many overlapping areas would hide the chart; outlines are sufficient.
      if (!isDense && strength === 1) {
        pen.globalAlpha = 0.11
        for (const { mark, x0, x1, y0, y1 } of own) {
          if (mark.kind === 'range') pen.fillRect(x0, y0, x1 - x0, Math.max(1, y1 - y0))
        }
      }
      pen.globalAlpha = strength < 1 ? strength : isDense ? BODY.dense : BODY.few
      fillLevels(pen, own, look.dpr, outcome === 'void' ? VOID_DASH : null)
      if (!isDense) strokeDotted(pen, own)
      pen.globalAlpha = 1
    }
  })
}

/** Void predictions are dashed, so as not to depend on colour alone. */
const VOID_DASH = { on: 5, step: 9 } as const
/** Wider than any screen, CSS pixels. */
const MOST_PX = 8_000

/**
 * Length of the ticks at the ends of a level, CSS pixels, positive downwards; they point to the side where the price is
 * predicted.
 */
const FEET: Partial<Record<MarkKind, number>> = { 'by-date': -6, top: 5, bottom: -5 }

/**
 * Draws outlines and levels as rectangles on whole device pixels. All lines are horizontal or vertical, and filling is
 * many times cheaper than stroking.
 */
function fillLevels(
  pen: Pen,
  shapes: readonly Shape[],
  dpr: number,
  dash: { readonly on: number; readonly step: number } | null,
): void {
  const thick = Math.max(1, Math.round(1.25 * dpr)) / dpr
  const across = (x0: number, x1: number, y: number) => {
    const top = snap(y - thick / 2, dpr)
    if (!dash) pen.fillRect(x0, top, x1 - x0, thick)
    else {
      // Lines may be much longer than the screen; the dash pattern starts at their start.
      const from = x0 < 0 ? x0 % dash.step : x0
      for (let x = from; x < Math.min(x1, MOST_PX); x += dash.step) {
        pen.fillRect(x, top, Math.min(dash.on, x1 - x), thick)
      }
    }
  }
  const upright = (x: number, y0: number, y1: number) => {
    pen.fillRect(snap(x - thick / 2, dpr), Math.min(y0, y1), thick, Math.abs(y1 - y0))
  }
  for (const { mark, x0, x1, y0, y1 } of shapes) {
    const isRange = mark.kind === 'range'
    const foot = isRange ? y1 - y0 : FEET[mark.kind]
    if (foot === undefined) continue
    across(x0, x1, y0)
    if (isRange) across(x0, x1, y1)
    upright(x0, y0, y0 + foot)
    upright(x1, y0, y0 + foot)
  }
}

function strokeDotted(pen: Pen, shapes: readonly Shape[]): void {
  pen.lineWidth = 1
  pen.setLineDash([2, 4])
  pen.beginPath()
  for (const { mark, x0, x1, y0, tail } of shapes) {
    if (mark.kind === 'ahead') {
      pen.moveTo(x0, y0)
      pen.lineTo(x1, y0)
    } else if (tail !== null) {
      pen.moveTo(x1, y0)
      pen.lineTo(tail, y0)
    }
  }
  pen.stroke()
  pen.setLineDash([])
}

function paintMedian(pen: Pen, { median }: Scene, { theme }: Look): void {
  if (!median) return
  pen.strokeStyle = theme.brandText
  pen.lineWidth = 1.25
  strokeLine(pen, median.x0, median.y, median.x1, median.y, [6, 4])
}

export function strokeLine(
  pen: Pen,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  dash: readonly number[] = [],
): void {
  pen.setLineDash([...dash])
  pen.beginPath()
  pen.moveTo(x0, y0)
  pen.lineTo(x1, y1)
  pen.stroke()
  pen.setLineDash([])
}

function paintLast(pen: Pen, { last, plot }: Scene, look: Look): void {
  if (!last || last.text === '') return
  const y = sharp(last.y, look.dpr)
  pen.strokeStyle = directionColour(look)
  pen.lineWidth = 1
  pen.globalAlpha = 0.55
  strokeLine(pen, Math.max(plot.x, last.x), y, plot.x + plot.width, y, [1, 3])
  pen.globalAlpha = 1
}

function paintRanges(pen: Pen, { ranges }: Scene, { theme }: Look): void {
  if (!ranges) return
  pen.fillStyle = theme.brand
  pen.globalAlpha = ranges.strength
  pen.beginPath()
  for (const corners of ranges.outlines) trace(pen, corners)
  pen.fill()
  pen.globalAlpha = 1
}

function paintLine(pen: Pen, { line, gap }: Scene, { theme }: Look): void {
  pen.strokeStyle = theme.brand
  pen.lineWidth = 1.75
  // Round joins take a quarter of the frame time and look the same at this width.
  pen.lineJoin = 'bevel'
  pen.beginPath()
  trace(pen, line)
  pen.stroke()
  if (gap) strokeLine(pen, ...gap, [2, 4])
}

function trace(pen: Pen, corners: Float64Array): void {
  pen.moveTo(corners[0] ?? 0, corners[1] ?? 0)
  for (let i = 2; i + 1 < corners.length; i += 2) pen.lineTo(corners[i] ?? 0, corners[i + 1] ?? 0)
}

function paintSigns(pen: Pen, scene: Scene, look: Look): void {
  byPerson(look, (isOf, strength) => {
    pen.globalAlpha = strength
    // Signs of the highlighted person are drawn even if hidden below others.
    const shapes = look.focus !== null && strength === 1 ? scene.shapes : scene.signs
    for (const outcome of OUTCOME_ORDER) {
      for (const shape of shapes) {
        if (shape.mark.outcome === outcome && isOf(shape.mark)) paintSign(pen, shape, scene, look)
      }
    }
  })
  pen.globalAlpha = 1
}

function paintCounts(pen: Pen, { stacks, radius }: Scene, look: Look): void {
  pen.globalAlpha = look.focus === null ? 1 : DIMMED
  for (const stack of stacks) {
    const { text, x, y, mark } = countOf(stack, radius)
    stamp(pen, look.sprites.words(text, outcomeColour(look.theme, mark.outcome)), x, y, look.dpr)
  }
  pen.globalAlpha = 1
}

/** The sign of a mark, or a small ring for a target whose sign is elsewhere; with an arrow if pinned. */
export function paintSign(pen: Pen, shape: Shape, scene: Scene, look: Look): void {
  const { mark, signX, signY, pinned } = shape
  if (mark.sign || mark.kind === 'target') {
    const sprite = look.sprites.sign(mark.outcome, scene.radius, !mark.sign)
    stamp(pen, sprite, signX, signY, look.dpr)
  }
  if (pinned && mark.kind !== 'ahead') paintArrow(pen, shape, scene, look)
}

function paintArrow(pen: Pen, { mark, signX, signY, pinned }: Shape, scene: Scene, look: Look) {
  const out = pinned === 'above' ? -1 : 1
  const base = signY + out * (scene.radius * -1 - 3)
  pen.fillStyle = outcomeColour(look.theme, mark.outcome)
  pen.beginPath()
  pen.moveTo(signX - 4, base - out * 3)
  pen.lineTo(signX + 4, base - out * 3)
  pen.lineTo(signX, base + out * 2)
  pen.fill()
}

function paintWords(pen: Pen, scene: Scene, look: Look): void {
  const { median, last, plot, later, events } = scene
  const { theme, dpr } = look
  const write = ({ text, x, y }: Omit<Label, 'width'>, colour: string) =>
    stamp(pen, look.sprites.words(text, colour), x, y, dpr)
  byPerson(look, (isOf, strength) => {
    pen.globalAlpha = strength
    for (const { label, shape } of scene.labels) {
      if (isOf(shape.mark)) write(label, outcomeColour(theme, shape.mark.outcome))
    }
  })
  if (median?.label) write(median.label, theme.brandText)
  pen.fillStyle = theme.ink2
  for (const { x, label } of events) {
    pen.fillRect(snap(x - 0.5, dpr), plot.y + plot.height - 8, 1, 8)
    if (label) write(label, theme.ink2)
  }
  if (later) write(later.label, theme.ink2)
  if (last?.text) {
    write({ text: last.text, x: plot.x + plot.width + 6, y: last.y + 4 }, directionColour(look))
  }
}

function directionColour({ theme, direction }: Look): string {
  return direction ? theme[direction === 'up' ? 'hit' : 'miss'] : theme.brandText
}

function snap(px: number, dpr: number): number {
  return Math.round(px * dpr) / dpr
}

/** The centre of a device pixel, so that a one-pixel line covers exactly that pixel. */
export function sharp(px: number, dpr: number): number {
  return (Math.floor(px * dpr) + 0.5) / dpr
}
