import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { outcomeColour } from '#chart/colours.ts'
import { isWithin } from '#chart/labels.ts'
import { type Scene, type Shape } from '#chart/scene.ts'
import { type ThreadLine } from '#chart/threads.ts'
import { paintSign, sharp, strokeLine, withinPlot, type Look } from './paint-base.ts'
import { LABEL_FONT, stamp, textWidth, type Pen } from './sprites.ts'

/** What follows the pointer or the focus. */
export type Pointing = {
  /** In CSS pixels; null without a pointer over the plot. */
  readonly cross: { readonly x: number; readonly y: number } | null
  /** The id of the prediction pointed at. */
  readonly id: string | null
  /** The way from the day it was made to its level. */
  readonly thread: ThreadLine | null
}

/** Paints crosshair and highlight on an empty canvas; fast enough for every pointer move. */
export function paintTop(pen: Pen, scene: Scene, look: Look, pointing: Pointing): void {
  const { plot } = scene
  pen.setTransform(look.dpr, 0, 0, look.dpr, 0, 0)
  pen.clearRect(0, 0, scene.width, scene.height)
  if (plot.width <= 0 || plot.height <= 0) return
  if (pointing.id !== null) paintHighlight(pen, scene, look, pointing)
  if (pointing.cross) paintCross(pen, scene, look, pointing.cross)
}

/** The marks of one prediction at full strength, joined to the day it was made, which shows how far ahead it was. */
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
    // The claim itself is named where it has no label; the name of a day beside it would lie over it.
    const labelled = scene.labels.some(({ shape }) => shape.mark === first.mark)
    if (!labelled) paintName(pen, first, scene, look, colour)
  })
}

/** Paints the label of a mark that had no place for it, while the mark is pointed at. */
function paintName(pen: Pen, shape: Shape, scene: Scene, look: Look, colour: string): void {
  const { plot } = scene
  const text = shape.mark.texts[scene.phone ? 1 : 0] ?? shape.mark.texts[0] ?? ''
  const width = textWidth(text)
  const point = shape.x0 === shape.x1
  const wanted = point ? shape.signX - width / 2 : (shape.x0 + shape.x1 - width) / 2
  const x = Math.max(plot.x + 4, Math.min(wanted, plot.x + plot.width - width - 4))
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
  // A pointer cannot distinguish more than four digits.
  const usd = showUsd(Number(price.toValue(cross.y).toPrecision(4)))
  paintTag(pen, look, date, x, bottom + 13, 'center', scene.width)
  paintTag(pen, look, usd, plot.x - 2, y, 'right', scene.width)
}

/** A text on a dark background over the axis, kept within the chart. */
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
  const wanted = side === 'center' ? x - width / 2 : x - width
  const left = Math.max(0, Math.min(wanted, chartWidth - width))
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
