import { clamp, type Span } from './scale.ts'

export type Rect = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** @param slack how far outside still counts */
export function isWithin(
  { x: left, y: top, width, height }: Rect,
  x: number,
  y: number,
  slack = 0,
) {
  const isAcross = x >= left - slack && x <= left + width + slack
  return isAcross && y >= top - slack && y <= top + height + slack
}

/** A positioned text: `x` is its left end and `y` its baseline, CSS pixels. */
export type Label = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Text width in the label font, CSS pixels. */
export type Measure = (text: string) => number

/** Minimum distance between baselines; closer labels would read as one. */
const APART = 25
const ASCENT = 10
const DESCENT = 4
/** Minimum distance of a label from the centre of another mark's sign. */
const SIGN = 10
/** Column width for storing the price line, CSS pixels. */
const COLUMN = 4
/** What a label keeps free beside it, and above and below its baseline, CSS pixels. */
const MARGINS = {
  label: { side: 6, above: APART, below: APART },
  level: { side: 0, above: ASCENT + 1, below: DESCENT },
  upright: { side: 2, above: ASCENT, below: DESCENT },
  sign: { side: SIGN, above: ASCENT + 6, below: DESCENT + 6 },
} as const

/** Corners in CSS pixels; a level, an upright and a sign have no height, width or neither. */
type Box = { readonly x0: number; readonly x1: number; readonly y0: number; readonly y1: number }
type Obstacle = Box & (typeof MARGINS)[keyof typeof MARGINS]

export type LabelSpace = {
  /** Occupies the first free place, given as left end and baseline; null if all are taken. */
  readonly take: (text: string, width: number, places: readonly Place[]) => Label | null
  /** A label may touch its own sign only at the side. */
  readonly block: (kind: keyof typeof MARGINS, box: Box) => void
}

export type Place = readonly [x: number, y: number]

/**
 * Tracks the free space of a plot.
 *
 * @param line corners of the price line, `x, y, x, y …`
 * @see public-site.md §9, "Label overlap threshold"
 */
export function labelSpace(plot: Rect, line: Float64Array): LabelSpace {
  const rows = new Map<number, Obstacle[]>()
  const { tops, bottoms } = bandOf(plot, line)
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height]
  const rowOf = (y: number) => Math.floor(clamp(y, plot.y - APART, bottom + APART) / APART)

  const block = (kind: keyof typeof MARGINS, { x0, x1, y0, y1 }: Box) => {
    const obstacle = { ...MARGINS[kind], x0, x1, y0, y1 }
    for (let at = rowOf(y0); at <= rowOf(y1); at++) {
      const row = rows.get(at)
      if (row) row.push(obstacle)
      else rows.set(at, [obstacle])
    }
  }

  const meetsObstacle = (x: number, y: number, width: number) => {
    const meets = ({ x0, x1, y0, y1, side, above, below }: Obstacle) =>
      x0 < x + width + side && x1 > x - side && y0 < y + below && y1 > y - above
    for (let row = rowOf(y - APART); row <= rowOf(y + APART); row++) {
      if (rows.get(row)?.some(meets)) return true
    }
    return false
  }

  const meetsLine = (x: number, y: number, width: number) => {
    const last = columnOf(plot, x + width)
    for (let column = columnOf(plot, x); column <= last; column++) {
      if (
        (bottoms[column] ?? -Infinity) > y - ASCENT - 2 &&
        (tops[column] ?? Infinity) < y + DESCENT
      ) {
        return true
      }
    }
    return false
  }

  const isFree = (x: number, y: number, width: number) =>
    x >= plot.x + 2 &&
    x + width <= right - 2 &&
    y - ASCENT >= plot.y &&
    y + DESCENT <= bottom &&
    !meetsObstacle(x, y, width) &&
    !meetsLine(x, y, width)

  const take = (text: string, width: number, places: readonly Place[]) => {
    const place = places.find(([x, y]) => isFree(x, y, width))
    if (!place) return null
    const [x, y] = place
    block('label', { x0: x, x1: x + width, y0: y, y1: y })
    return { text, x, y, width }
  }
  return { take, block }
}

export function aroundPoint(x: number, y: number, radius: number, width: number): Place[] {
  const gap = Math.max(radius + 5, SIGN)
  return [
    [x + gap, y + 4],
    [x - gap - width, y + 4],
    [x - width / 2, y - gap - 2],
    [x - width / 2, y + gap + 10],
  ]
}

export function alongBox(plot: Rect, box: Box, width: number): Place[] {
  const left = Math.max(box.x0, plot.x) + 3
  const end = Math.min(box.x1, plot.x + plot.width) - width - 12
  const middle = clamp((box.x0 + box.x1 - width) / 2, plot.x + 3, plot.x + plot.width - width - 3)
  return [
    [left, box.y0 - 6],
    [left, box.y1 + 14],
    [end, box.y0 - 6],
    [end, box.y1 + 14],
    [middle, box.y0 - 6],
  ]
}

function columnOf(plot: Rect, x: number): number {
  return clamp(Math.floor((x - plot.x) / COLUMN), 0, columnsOf(plot) - 1)
}

function columnsOf({ width }: Rect): number {
  return Math.max(1, Math.ceil(width / COLUMN))
}

function bandOf(plot: Rect, line: Float64Array): { tops: Float64Array; bottoms: Float64Array } {
  const columns = columnsOf(plot)
  const tops = new Float64Array(columns).fill(Infinity)
  const bottoms = new Float64Array(columns).fill(-Infinity)
  const right = plot.x + plot.width
  const widen = (column: number, a: number, b: number) => {
    const [low, high] = a < b ? [a, b] : [b, a]
    if (low < (tops[column] ?? 0)) tops[column] = low
    if (high > (bottoms[column] ?? 0)) bottoms[column] = high
  }
  for (let i = 0; i + 1 < line.length; i += 2) {
    const [x, y] = [line[i] ?? 0, line[i + 1] ?? 0]
    const [nextX, nextY] = [line[i + 2] ?? x, line[i + 3] ?? y]
    if (nextX < plot.x || x > right) continue
    const [first, last] = [columnOf(plot, x), columnOf(plot, nextX)]
    if (first === last) {
      widen(first, y, nextY)
      continue
    }
    for (let column = first; column <= last; column++) {
      // A long segment crosses many columns at different heights.
      const at = plot.x + column * COLUMN
      const length = nextX - x || 1
      const a = y + (nextY - y) * clamp((at - x) / length, 0, 1)
      const b = y + (nextY - y) * clamp((at + COLUMN - x) / length, 0, 1)
      widen(column, a, b)
    }
  }
  return { tops, bottoms }
}

/** Parts of a horizontal line not covered by labels. */
export function levelGaps(y: number, from: number, to: number, labels: readonly Label[]) {
  const over = labels.filter((label) => y > label.y - ASCENT - 1 && y < label.y + DESCENT)
  return gaps(
    from,
    to,
    over.map(({ x, width }) => [x - 3, x + width + 3]),
  )
}

/** Parts of a vertical line not covered by labels. */
export function uprightGaps(x: number, from: number, to: number, labels: readonly Label[]) {
  const over = labels.filter((label) => x > label.x - 2 && x < label.x + label.width + 2)
  return gaps(
    from,
    to,
    over.map(({ y }) => [y - ASCENT - 1, y + DESCENT]),
  )
}

function gaps(from: number, to: number, covered: readonly Span[]): Span[] {
  const out: Span[] = []
  let start = from
  for (const [low, high] of covered.toSorted((a, b) => a[0] - b[0])) {
    if (low > start) out.push([start, Math.min(low, to)])
    start = Math.max(start, high)
  }
  if (start < to) out.push([start, to])
  return out
}
