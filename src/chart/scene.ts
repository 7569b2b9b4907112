// Over 400 lines: one scene, laid out in steps that depend on the results of earlier ones.

import { type AxisRules } from '#domain/asset.ts'
import { dayFromNumber, showDay } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import {
  alongBox,
  aroundPoint,
  labelSpace,
  type Label,
  type LabelSpace,
  type Measure,
  type Rect,
} from './labels.ts'
import { isClaim, type Mark, stacked, type Stack } from './marks.ts'
import { type MedianTarget } from './open-targets.ts'
import { type RangeLayer, type RangePicture } from './ranges.ts'
import {
  makeScale,
  type Scale,
  type ScaleKind,
  type Span,
  priceTicks,
  timeTicks,
  type Tick,
  axisUsd,
} from './scale.ts'
import { lineRoom, traceLine, type Series } from './series.ts'
import { drawThreads, type Thread, type ThreadLine } from './threads.ts'

export type SceneQuestion = {
  readonly axis: AxisRules
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  readonly dpr: number
  readonly days: Span
  readonly prices: Span
  readonly scale: ScaleKind
  readonly series: Series
  /** Daily highs and lows; absent until loaded. */
  readonly ranges?: RangeLayer | null
  readonly marks: readonly Mark[]
  /** Empty when switched off. */
  readonly threads: readonly Thread[]
  readonly median: MedianTarget | null
  readonly live: { readonly day: number; readonly usd: number } | null
  /** Whether the visitor chose the prices; levels outside are then hidden instead of pinned to the edge. */
  readonly pricesChosen: boolean
  readonly measure: Measure
}

/** A mark in CSS pixels: `x0 <= x1`, `y0 <= y1`. */
export type Shape = {
  readonly mark: Mark
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
  /** End of the faint extension of a top or bottom line; null without one. */
  readonly tail: number | null
  readonly pinned: 'above' | 'below' | null
  readonly signX: number
  readonly signY: number
}

export type Scene = {
  readonly width: number
  readonly height: number
  readonly plot: Rect
  readonly time: Scale
  readonly price: Scale
  readonly days: Span
  readonly prices: Span
  readonly timeTicks: readonly Tick[]
  readonly priceTicks: readonly Tick[]
  /** Corners of the price line, `x, y, x, y …` */
  readonly line: Float64Array
  /** Daily highs and lows; null if the view is too long. */
  readonly ranges: RangePicture | null
  readonly shapes: readonly Shape[]
  readonly threads: readonly ThreadLine[]
  /** Opacity of threads, 0 to 1. */
  readonly threadStrength: number
  /** With many marks, the price line is painted over their signs, and areas are not filled. */
  readonly isDense: boolean
  /** Shapes with a visible sign or ring: of several at one position, the most important. */
  readonly signs: readonly Shape[]
  readonly stacks: readonly Stack<Shape>[]
  readonly labels: readonly { readonly label: Label; readonly shape: Shape }[]
  /** Radius of a sign, CSS pixels. */
  readonly radius: number
  readonly median: {
    readonly x0: number
    readonly x1: number
    readonly y: number
    readonly label: Label | null
  } | null
  /** Position and text of the last known price; the text is empty if it does not fit into the margin. */
  readonly last: { readonly x: number; readonly y: number; readonly text: string } | null
  /** A line from the last close to the live price, `x0 y0 x1 y1`, if there are days without a close in between. */
  readonly gap: readonly [number, number, number, number] | null
  readonly phone: boolean
  readonly drawn: number
  readonly seen: number
  /** Marks beyond the right edge; null if none. */
  readonly later: Later | null
  readonly events: readonly AxisEvent[]
}

export type AxisEvent = { readonly x: number; readonly label: Label | null }

/** Drawn predictions due after the view, with nothing in view. */
type Later = {
  readonly count: number
  readonly until: number
  readonly label: Label
}

/** What every step of the layout needs. */
type Layout = Pick<Scene, 'plot' | 'time' | 'price' | 'radius' | 'phone'> & {
  readonly measure: Measure
  readonly space: LabelSpace
}

/** Narrower charts use the phone layout; on a tablet the chart shares the screen with the panel. */
const PHONE_WIDTH = 600
/** With more marks, signs get smaller and threads fainter to keep the price readable. */
const DETAIL = [
  { upTo: 60, threads: 0.55, radius: [5.5, 6.5], labels: 26 },
  { upTo: 150, threads: 0.35, radius: [4.5, 5.5], labels: 26 },
  { upTo: Infinity, threads: 0.2, radius: [4, 5], labels: 20 },
] as const
const PHONE_LABELS = 8

/** The plot area within a chart; margins on phones follow the specification. */
export function plotOf(width: number, height: number, axis: AxisRules): Rect {
  const phone = width < PHONE_WIDTH
  const [top, right, bottom, left] = phone ? [15, axis.phoneRightMargin, 25, 45] : [16, 66, 28, 56]
  return {
    x: left,
    y: top,
    width: Math.max(0, width - left - right),
    height: Math.max(0, height - top - bottom),
  }
}

export function makeScene(question: SceneQuestion): Scene {
  const { width, height, axis, days, prices, series, measure, marks } = question
  const phone = width < PHONE_WIDTH
  const plot = plotOf(width, height, axis)
  const time = makeScale('linear', days, [plot.x, plot.x + plot.width])
  const price = makeScale(question.scale, prices, [plot.y + plot.height, plot.y])
  const room = new Float64Array(Math.max(lineRoom(plot.width * question.dpr), 64))
  const line = room.subarray(0, traceLine(series, time, price, plot, question.dpr, room))
  const shapes = plot.width > 0 && plot.height > 0 ? project(question, { plot, time, price }) : []
  const drawn = marks.filter(({ sign }) => sign).length
  const detail = DETAIL.find(({ upTo }) => drawn <= upTo) ?? DETAIL[2]
  const radius = detail.radius[phone ? 0 : 1]
  const stacks = stacked(shapes, radius)
  const covered = new Set(stacks.flatMap(([, ...others]) => others))
  const space = labelSpace(plot, line)
  blockShapes(shapes, space)
  const layout = { plot, time, price, radius, phone, measure, space }
  const median = placeMedian(question.median, layout)
  const free = shapes.filter((one) => !covered.has(one))
  const counted = new Set(stacks.map(([first]) => first))
  const labels = placeLabels(free, counted, phone ? PHONE_LABELS : detail.labels, layout)
  const inView = shapes.filter(({ x0, x1 }) => x1 >= plot.x && x0 <= plot.x + plot.width)
  const seen = new Set(inView.map(({ mark }) => mark.prediction.id))
  const later = placeLater(question, seen, layout)
  return {
    width,
    height,
    plot,
    time,
    price,
    days,
    prices,
    timeTicks: timeTicks(days, plot.width, axis.timeLabels),
    priceTicks: priceTicks(prices, question.scale, Math.min(axis.ticks, plot.height / 28)),
    line,
    ranges: question.ranges?.place(days, series, { time, price, dpr: question.dpr }) ?? null,
    shapes,
    threads: drawThreads(question.threads, days, plot, time, price),
    threadStrength: detail.threads,
    isDense: detail === DETAIL[2],
    signs: free.filter(({ mark }) => mark.sign || mark.kind === 'target'),
    stacks,
    median,
    labels,
    radius,
    last: lastPrice(question, layout),
    gap: unknownDays(question, layout),
    phone,
    drawn,
    seen: seen.size,
    later,
    events: placeEvents(question, layout),
  }
}

function project(
  { marks, prices, pricesChosen, scale }: SceneQuestion,
  { plot, time, price }: Pick<Layout, 'plot' | 'time' | 'price'>,
): Shape[] {
  const [left, right] = [plot.x - 10, plot.x + plot.width + 10]
  const [top, bottom] = [plot.y, plot.y + plot.height]
  const out: Shape[] = []
  for (const mark of marks) {
    const x0 = time.toPx(mark.days[0])
    const x1 = time.toPx(mark.days[1])
    const tail = mark.tail === null ? null : time.toPx(mark.tail)
    if (x0 > right || Math.max(x1, tail ?? x1) < left) continue
    const impossible = scale === 'log' && mark.prices[1] <= 0
    const above = mark.prices[0] > prices[1]
    const below = impossible || mark.prices[1] < prices[0]
    if ((above || below) && pricesChosen && !impossible) continue
    const pinned = above ? 'above' : below ? 'below' : null
    const y0 = above ? top + 8 : below ? bottom - 8 : price.toPx(mark.prices[1])
    const y1 = pinned || mark.prices[0] === mark.prices[1] ? y0 : price.toPx(mark.prices[0])
    out.push({
      mark,
      x0,
      x1,
      y0,
      y1,
      tail,
      pinned,
      signX: x1,
      signY: (Math.max(y0, top) + Math.min(y1, bottom)) / 2,
    })
  }
  return out
}

function blockShapes(shapes: readonly Shape[], { block }: LabelSpace): void {
  for (const { mark, x0, x1, y0, y1, signX, signY } of shapes) {
    if (mark.sign) block('sign', { x0: signX, x1: signX, y0: signY, y1: signY })
    if (x0 === x1) continue
    block('level', { x0, x1, y0, y1: y0 })
    if (mark.kind !== 'range') continue
    block('level', { x0, x1, y0: y1, y1 })
    block('upright', { x0, x1: x0, y0, y1 })
    block('upright', { x0: x1, x1, y0, y1 })
  }
}

/** `14 more after Nov 2028 →` in the lower right corner. */
function placeLater(
  { marks, days }: SceneQuestion,
  seen: ReadonlySet<string>,
  { plot, measure, space }: Layout,
): Later | null {
  const later = marks.filter(
    (mark) => mark.days[1] > days[1] && isClaim(mark) && !seen.has(mark.prediction.id),
  )
  if (later.length === 0) return null
  const until = Math.max(...later.map((mark) => mark.days[1]))
  const after = showDay(dayFromNumber(Math.floor(days[1])), 'month')
  const text = `${String(later.length)} more after ${after} →`
  const width = measure(text)
  const [x, bottom] = [plot.x + plot.width - width - 14, plot.y + plot.height]
  const places = Array.from({ length: 6 }, (_, i) => [x, bottom - 12 - i * 26] as const)
  const label = space.take(text, width, places)
  return label && { count: later.length, until, label }
}

function placeEvents({ axis, days }: SceneQuestion, { plot, time, measure, space }: Layout) {
  if (plot.width <= 0) return []
  return axis.events
    .filter(({ day }) => day >= days[0] && day <= days[1])
    .map(({ day, name }) => {
      const x = time.toPx(day)
      const width = measure(name)
      const y = plot.y + plot.height - 5
      const places = [[x + 4, y] as const, [x - 4 - width, y] as const]
      return { x, label: space.take(name, width, places) }
    })
}

/** Label priority: marks with a sign, then days ahead, then claims, each by importance. */
const LABEL_PASSES: readonly {
  readonly isOf: (mark: Mark) => boolean
  readonly share: number
}[] = [
  { isOf: ({ sign }) => sign, share: 0.9 },
  { isOf: ({ kind }) => kind === 'ahead', share: 1 },
  { isOf: isClaim, share: 1 },
]

function placeLabels(
  shapes: readonly Shape[],
  counted: ReadonlySet<Shape>,
  most: number,
  layout: Layout,
): Scene['labels'] {
  const out: { label: Label; shape: Shape }[] = []
  const tried = new Set<Shape>()
  const named = new Set<string>()
  for (const { isOf, share } of LABEL_PASSES) {
    // Limits the work per frame: after this many attempts no more labels are placed.
    let tries = most * 4
    for (const shape of shapes) {
      if (out.length >= most * share || tries <= 0) break
      const { kind, prediction } = shape.mark
      if (!isOf(shape.mark) || tried.has(shape)) continue
      // A call is labelled once, preferably at its sign.
      if (kind !== 'ahead' && named.has(prediction.id)) continue
      tries--
      tried.add(shape)
      const label = placeLabel(shape, counted.has(shape) ? COUNT_WIDTH : 0, layout)
      if (!label) continue
      out.push({ label, shape })
      if (kind !== 'ahead') named.add(prediction.id)
    }
  }
  return out
}

function placeLabel(
  shape: Shape,
  countWidth: number,
  { plot, radius, phone, measure, space }: Layout,
): Label | null {
  const apart = radius + (shape.pinned ? 3 : 0) + countWidth
  for (const text of textsOf(shape, phone)) {
    const width = measure(text)
    const places =
      shape.x0 === shape.x1
        ? aroundPoint(shape.signX, shape.signY, apart, width)
        : alongBox(plot, shape, width)
    const label = space.take(text, width, places)
    if (label) return label
  }
  return null
}

/** Width of the number on a stack, CSS pixels. */
const COUNT_WIDTH = 10

function textsOf({ mark, pinned, x0, x1 }: Shape, phone: boolean): readonly string[] {
  // Phones have room only for shortened names.
  const texts = phone && mark.texts.length > 2 ? mark.texts.slice(1) : mark.texts
  if (!pinned || x0 === x1) return texts
  return texts.map((text) => `${pinned === 'above' ? '↑' : '↓'} ${text}`)
}

function placeMedian(median: MedianTarget | null, { plot, time, price, measure, space }: Layout) {
  if (!median || plot.width <= 0) return null
  const x0 = Math.max(plot.x, time.toPx(median.days[0]))
  const x1 = Math.min(plot.x + plot.width, time.toPx(median.days[1]))
  const y = price.toPx(median.usd)
  if (x0 >= x1 || y < plot.y || y > plot.y + plot.height) return null
  space.block('level', { x0, x1, y0: y, y1: y })
  const width = measure(median.label)
  const places = [
    [x1 - width - 4, y - 6],
    [x1 - width - 4, y + 14],
    [x0 + 4, y - 6],
  ] as const
  return { x0, x1, y, label: space.take(median.label, width, places) }
}

function lastPrice({ series, live, width }: SceneQuestion, { plot, time, price, measure }: Layout) {
  const day = live?.day ?? series.days.at(-1)
  const usd = live?.usd ?? series.closes.at(-1)
  if (day === undefined || usd === undefined || !(usd > 0)) return null
  const [x, y] = [time.toPx(day), price.toPx(usd)]
  if (y < plot.y || y > plot.y + plot.height) return { x, y, text: '' }
  const room = width - plot.x - plot.width - 8
  const names = [showUsd(usd), axisUsd(usd, 1), axisUsd(usd)]
  return { x, y, text: names.find((name) => measure(name) <= room) ?? '' }
}

function unknownDays({ series, live }: SceneQuestion, { time, price }: Layout): Scene['gap'] {
  const [day, usd] = [series.days.at(-1), series.closes.at(-1)]
  if (!live || day === undefined || usd === undefined || live.day - day <= 1) return null
  return [time.toPx(day), price.toPx(usd), time.toPx(live.day), price.toPx(live.usd)]
}

export function wordsOf({ labels, median, later, events }: Scene): Label[] {
  return [
    ...labels.map(({ label }) => label),
    ...(median?.label ? [median.label] : []),
    ...(later ? [later.label] : []),
    ...events.flatMap(({ label }) => (label ? [label] : [])),
  ]
}
