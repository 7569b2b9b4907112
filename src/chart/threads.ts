import { levelsOf } from '#domain/claim/claim.ts'
import { type Rect } from './labels.ts'
import { drawnClaim, isClaim, type Mark } from './marks.ts'
import { overlaps, type Scale, type Span } from './scale.ts'
import { closeAt, tenths, type Series } from './series.ts'

export type Way = {
  readonly days: Span
  /** Starting price and level, USD. */
  readonly usd: readonly [from: number, to: number]
  readonly usdTo?: number
}

export type Thread = Way & { readonly mark: Mark }

/** A line in CSS pixels, clipped to the plot. */
export type ThreadLine<One extends Way = Thread> = {
  readonly of: One
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** Threads of predictions with a known starting price, in the order of the marks. */
export function makeThreads(marks: readonly Mark[], series: Series): Thread[] {
  return marks.flatMap((mark) => {
    if (!isClaim(mark)) return []
    const { prediction, days } = mark
    const close = closeAt(series, prediction.made)
    const due = days[1]
    if (!close || due <= prediction.made) return []
    const { min, max } = levelsOf(drawnClaim(prediction))
    const usd = [close.usd, max] as const
    return [{ mark, days: [prediction.made, due], usd, ...(min < max && { usdTo: min }) }]
  })
}

export function drawThreads<One extends Way>(
  threads: readonly One[],
  days: Span,
  plot: Rect,
  time: Scale,
  price: Scale,
): ThreadLine<One>[] {
  const out: ThreadLine<One>[] = []
  for (const of of threads) {
    const { days: way, usd, usdTo } = of
    if (!overlaps(way, days)) continue
    const level = price.toPx(usd[1])
    const end = usdTo === undefined ? level : middleOf(level, price.toPx(usdTo), plot)
    const line = cut([time.toPx(way[0]), price.toPx(usd[0]), time.toPx(way[1]), end], plot)
    if (line) out.push({ of, x0: line[0], y0: line[1], x1: line[2], y1: line[3] })
  }
  return out
}

function middleOf(high: number, low: number, { y, height }: Rect): number {
  const [top, bottom] = [Math.max(high, y), Math.min(low, y + height)]
  return top < bottom ? (top + bottom) / 2 : (high + low) / 2
}

type Line = readonly [x0: number, y0: number, x1: number, y1: number]

/** Clips a line to a rectangle (Liang–Barsky); null if outside. */
function cut([x0, y0, x1, y1]: Line, { x, y, width, height }: Rect): Line | null {
  const [dx, dy] = [x1 - x0, y1 - y0]
  let [from, to] = [0, 1]
  const edges = [
    [-dx, x0 - x],
    [dx, x + width - x0],
    [-dy, y0 - y],
    [dy, y + height - y0],
  ] as const
  for (const [step, room] of edges) {
    if (step === 0) {
      if (room < 0) return null
      continue
    }
    const at = room / step
    if (step < 0) from = Math.max(from, at)
    else to = Math.min(to, at)
    if (from > to) return null
  }
  return [x0 + dx * from, y0 + dy * from, x0 + dx * to, y0 + dy * to]
}

type Ends = Pick<ThreadLine, 'x0' | 'y0' | 'x1' | 'y1'>

/** SVG path data of lines. */
export function pathOfThreads(lines: readonly Ends[]): string {
  return lines
    .map(({ x0, y0, x1, y1 }) => `M${tenths(x0)},${tenths(y0)}L${tenths(x1)},${tenths(y1)}`)
    .join('')
}

/** Distance of a point from a thread, CSS pixels. */
export function distanceToThread({ x0, y0, x1, y1 }: Ends, x: number, y: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / length))
  return Math.hypot(x - x0 - dx * part, y - y0 - dy * part)
}
