import { clamp } from './scale.ts'

export type Rect = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function isWithin(rect: Rect, x: number, y: number): boolean {
  return x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height
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

export type LabelSpace = {
  /** Occupies the first free place, given as left end and baseline; null if all are taken. */
  readonly take: (text: string, width: number, places: readonly Place[]) => Label | null
  readonly blockLevel: (x0: number, x1: number, y: number) => void
  readonly blockUpright: (x: number, y0: number, y1: number) => void
}

export type Place = readonly [x: number, y: number]

/**
 * Tracks the free space of a plot.
 *
 * @param line corners of the price line, `x, y, x, y …`
 * @param signs centres of signs, `x, y, x, y …`; a label may touch its own sign only at the side
 * @see public-site.md §9, "Label overlap threshold"
 */
export function labelSpace(plot: Rect, line: Float64Array, signs: Float64Array): LabelSpace {
  const rows = new Map<number, Label[]>()
  const levels = new Map<
    number,
    { readonly x0: number; readonly x1: number; readonly y: number }[]
  >()
  const uprights: { readonly x: number; readonly y0: number; readonly y1: number }[] = []
  const { tops, bottoms } = bandOf(plot, line)
  const right = plot.x + plot.width
  const rowOf = (y: number) => Math.floor(y / APART)

  const block = (label: Label) => {
    addTo(rows, rowOf(label.y), label)
  }

  const meetsLabel = (x: number, y: number, width: number) => {
    for (let row = rowOf(y) - 1; row <= rowOf(y) + 1; row++) {
      for (const other of rows.get(row) ?? []) {
        const apart = Math.abs(other.y - y) >= APART
        if (!apart && other.x < x + width + 6 && x < other.x + other.width + 6) return true
      }
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

  const meetsLevel = (x: number, y: number, width: number) => {
    for (let row = rowOf(y - ASCENT - 1); row <= rowOf(y + DESCENT); row++) {
      for (const level of levels.get(row) ?? []) {
        const across = level.x0 < x + width && level.x1 > x
        if (across && level.y > y - ASCENT - 1 && level.y < y + DESCENT) return true
      }
    }
    return false
  }

  const meetsUpright = (x: number, y: number, width: number) =>
    uprights.some(
      (line) =>
        line.x > x - 2 && line.x < x + width + 2 && line.y0 < y + DESCENT && line.y1 > y - ASCENT,
    )

  const meetsSign = (x: number, y: number, width: number) => {
    for (let i = 0; i < signs.length; i += 2) {
      const [sx, sy] = [signs[i] ?? 0, signs[i + 1] ?? 0]
      if (sx > x - SIGN && sx < x + width + SIGN && sy > y - ASCENT - 6 && sy < y + DESCENT + 6)
        return true
    }
    return false
  }

  const take = (text: string, width: number, places: readonly Place[]) => {
    for (const [x, y] of places) {
      const inside =
        x >= plot.x + 2 &&
        x + width <= right - 2 &&
        y - ASCENT >= plot.y &&
        y + DESCENT <= plot.y + plot.height
      if (!inside || meetsLabel(x, y, width) || meetsLevel(x, y, width)) continue
      if (meetsUpright(x, y, width)) continue
      if (meetsLine(x, y, width) || meetsSign(x, y, width)) continue
      const label = { text, x, y, width }
      block(label)
      return label
    }
    return null
  }
  const blockLevel = (x0: number, x1: number, y: number) => {
    addTo(levels, rowOf(y), { x0, x1, y })
  }
  return { take, blockLevel, blockUpright: (x, y0, y1) => uprights.push({ x, y0, y1 }) }
}

function addTo<One>(rows: Map<number, One[]>, at: number, one: One): void {
  const row = rows.get(at)
  if (row) row.push(one)
  else rows.set(at, [one])
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

export function alongBox(
  plot: Rect,
  box: { readonly x0: number; readonly x1: number; readonly y0: number; readonly y1: number },
  width: number,
): Place[] {
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

/** Parts of a horizontal line not covered by labels, `x0, x1, x0, x1 …` */
export function levelGaps(y: number, from: number, to: number, labels: readonly Label[]): number[] {
  const over = labels.filter((label) => y > label.y - ASCENT - 1 && y < label.y + DESCENT)
  return gaps(
    from,
    to,
    over.map(({ x, width }) => [x - 3, x + width + 3] as const),
  )
}

/** Parts of a vertical line not covered by labels, `y0, y1, y0, y1 …` */
export function uprightGaps(x: number, from: number, to: number, labels: readonly Label[]) {
  const over = labels.filter((label) => x > label.x - 2 && x < label.x + label.width + 2)
  return gaps(
    from,
    to,
    over.map(({ y }) => [y - ASCENT - 1, y + DESCENT] as const),
  )
}

function gaps(from: number, to: number, covered: readonly (readonly [number, number])[]): number[] {
  const out: number[] = []
  let start = from
  for (const [low, high] of covered.toSorted((a, b) => a[0] - b[0])) {
    if (low > start) out.push(start, Math.min(low, to))
    start = Math.max(start, high)
  }
  if (start < to) out.push(start, to)
  return out
}
