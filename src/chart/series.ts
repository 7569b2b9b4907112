import { type Day } from '#domain/day.ts'
import { logOf, type Scale } from './scale.ts'

/** Daily closes in USD: oldest first, one per day, all above zero. */
export type Series = {
  readonly days: Int32Array
  readonly closes: Float64Array
  /** Natural logarithms of the closes, precomputed for log axes. */
  readonly logs: Float64Array
}

export type Points = { readonly days: ArrayLike<number>; readonly closes: ArrayLike<number> }

/**
 * Sorts raw closes and drops invalid ones: prices not above zero, invalid days, and the future unless nothing else is
 * left. The last close of a day counts.
 *
 * @returns the series, and how many points were left out
 * @see public-site.md §5, "Chart data rules"
 */
export function makeSeries(points: Points, today: Day): { series: Series; skipped: number } {
  const count = Math.min(points.days.length, points.closes.length)
  const dayAt = (i: number) => points.days[i] ?? NaN
  const closeOf = (i: number) => points.closes[i] ?? NaN
  const valid: number[] = []
  for (let i = 0; i < count; i++) {
    if (Number.isInteger(dayAt(i)) && Number.isFinite(closeOf(i)) && closeOf(i) > 0) valid.push(i)
  }
  const past = valid.filter((i) => dayAt(i) <= today)
  const chosen = past.length > 0 ? past : valid
  const rises = chosen.every((i, k) => k === 0 || dayAt(i) > dayAt(chosen[k - 1] ?? -1))
  const ordered = rises ? chosen : chosen.toSorted((a, b) => dayAt(a) - dayAt(b))
  const single = rises ? chosen : ordered.filter((i, k) => dayAt(ordered[k + 1] ?? -1) !== dayAt(i))
  const closes = Float64Array.from(single, closeOf)
  return {
    series: { days: Int32Array.from(single, dayAt), closes, logs: closes.map(logOf) },
    skipped: count - chosen.length,
  }
}

export const EMPTY_SERIES: Series = {
  days: new Int32Array(0),
  closes: new Float64Array(0),
  logs: new Float64Array(0),
}

/** Index of the first day at or after `day`; the length if all days are earlier. */
export function indexFrom(days: Int32Array, day: number): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle] ?? Infinity) < day) low = middle + 1
    else high = middle
  }
  return low
}

/** Lowest and highest close from `from` to `to`; null if there are none. */
export function extent(series: Series, from: number, to: number): readonly [number, number] | null {
  const end = indexFrom(series.days, to + 1)
  let low = Infinity
  let high = -Infinity
  for (let i = indexFrom(series.days, from); i < end; i++) {
    const close = series.closes[i] ?? NaN
    if (close < low) low = close
    if (close > high) high = close
  }
  return low <= high ? [low, high] : null
}

/** The last close on or before the day; null before the first one. */
export function closeAt(series: Series, day: number): { day: number; usd: number } | null {
  const i = indexFrom(series.days, day + 1) - 1
  const [at, usd] = [series.days[i], series.closes[i]]
  return at === undefined || usd === undefined ? null : { day: at, usd }
}

export function lineRoom(devicePixels: number): number {
  return (Math.ceil(devicePixels) + 4) * 8
}

/**
 * The price line as corners `x, y, x, y …` in CSS pixels, reduced to the first, lowest, highest and last close per
 * device pixel column, so that spikes remain.
 *
 * @param out receives the corners; see {@link lineRoom}
 * @returns the number of values written
 */
export function traceLine(
  series: Series,
  time: Scale,
  price: Scale,
  plot: { readonly x: number; readonly width: number },
  dpr: number,
  out: Float64Array,
): number {
  const { days } = series
  const values = price.kind === 'log' ? series.logs : series.closes
  // One point beyond each edge, so that the line extends to the edge of the plot.
  const first = Math.max(0, indexFrom(days, time.toValue(plot.x)) - 1)
  const last = Math.min(days.length, indexFrom(days, time.toValue(plot.x + plot.width)) + 2)
  const dense = (last - first) / Math.max(1, plot.width * dpr) > 2
  let n = 0
  let column = NaN
  let [open, low, high, close] = [0, 0, 0, 0]
  const flush = () => {
    n = put(out, n, column / dpr, open)
    if (low === high) return
    // The nearer extreme first, so that the line enters and leaves the column as the price did.
    const fallsFirst = open - low < high - open
    n = put(out, n, column / dpr, fallsFirst ? low : high)
    n = put(out, n, column / dpr, fallsFirst ? high : low)
    n = put(out, n, column / dpr, close)
  }
  for (let i = first; i < last; i++) {
    const x = time.p0 + ((days[i] ?? 0) - time.from) * time.factor
    const y = price.p0 + ((values[i] ?? 0) - price.from) * price.factor
    if (!dense) {
      n = put(out, n, x, y)
      continue
    }
    const at = Math.round(x * dpr)
    if (at === column) {
      if (y < low) low = y
      if (y > high) high = y
      close = y
    } else {
      if (i > first) flush()
      column = at
      open = low = high = close = y
    }
  }
  if (dense && last > first) flush()
  return n
}

function put(out: Float64Array, n: number, x: number, y: number): number {
  out[n] = x
  out[n + 1] = y
  return n + 2
}

/** Rounds to a tenth of a pixel, which is finer than visible. */
export function tenths(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** Corners `x, y, x, y …` as an SVG path `M1,2l3,-4v5…`, rounded to tenths of a pixel without duplicates. */
export function pathOf(line: Float64Array): string {
  let path = ''
  let [lastX, lastY] = [0, 0]
  for (let i = 0; i + 1 < line.length; i += 2) {
    const x = Math.round((line[i] ?? 0) * 10)
    const y = Math.round((line[i + 1] ?? 0) * 10)
    const [right, down] = [(x - lastX) / 10, (y - lastY) / 10]
    if (i === 0) path += `M${String(right)},${String(down)}`
    else if (right !== 0) path += `l${String(right)},${String(down)}`
    else if (down !== 0) path += `v${String(down)}`
    lastX = x
    lastY = y
  }
  return path
}
