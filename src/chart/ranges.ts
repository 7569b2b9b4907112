import { clamp, type Scale, type Span } from './scale.ts'
import { indexFrom, type Series } from './series.ts'
import { isBelowYear } from './viewport.ts'

/** A day with its range, USD; the open may be missing. */
export type RangedDay = {
  readonly day: number
  readonly open: number | null
  readonly high: number
  readonly low: number
  readonly close: number
}

export type RangeLayer = {
  /** The last known day, days since 1970; null if none. */
  readonly last: number | null
  /** The range of a day; null if only its close is known. */
  readonly at: (day: number) => RangedDay | null
  /** Lowest low and highest high in view; null if none is drawn. */
  readonly extent: (days: Span) => Span | null
  /** Null if the view is too long for bars. */
  readonly place: (days: Span, series: Series, axes: Axes) => RangePicture | null
}

type Axes = { readonly time: Scale; readonly price: Scale; readonly dpr: number }

/** CSS pixels; drawn below the price line. */
export type RangePicture = {
  /** Bars from low to high with ticks for open and close, or areas between lows and highs when days are dense. */
  readonly kind: 'bars' | 'areas'
  /** Corners `x, y, x, y …` of each; they do not overlap. */
  readonly outlines: readonly Float64Array[]
  /** Fill opacity, 0 to 1. */
  readonly strength: number
  /** Days in view with a range, out of those with a close; null while loading. */
  readonly known: { readonly ranged: number; readonly days: number } | null
}

/** Fainter than the price line. */
const STRENGTH = { areas: 0.28, bars: 0.6 } as const
/** Minimum distances between days for bars and for their ticks, CSS pixels. */
const APART = { bars: 3, ticks: 10 } as const

/**
 * @param ranged oldest first
 * @param loaded first and last day requested
 */
export function rangeLayer(ranged: readonly RangedDay[], loaded: Span): RangeLayer {
  const days = Int32Array.from(ranged, ({ day }) => day)
  const inView = (view: Span) =>
    ranged.slice(indexFrom(days, Math.floor(view[0])), indexFrom(days, Math.ceil(view[1]) + 1))
  return {
    last: days.at(-1) ?? null,
    at: (day) => {
      const found = ranged[indexFrom(days, day)]
      return found?.day === day ? found : null
    },
    extent: (view) => {
      const seen = isBelowYear(view) ? inView(view) : []
      if (seen.length === 0) return null
      return [Math.min(...seen.map(({ low }) => low)), Math.max(...seen.map(({ high }) => high))]
    },
    place: (view, series, axes) => {
      if (!isBelowYear(view)) return null
      const seen = inView(view)
      const kind = axes.time.factor < APART.bars ? 'areas' : 'bars'
      return {
        kind,
        outlines:
          kind === 'areas'
            ? runsOf(seen, series).map((run) => areaOf(run, axes))
            : barsOf(seen, axes),
        strength: STRENGTH[kind],
        known: knownIn(view, seen, series, loaded),
      }
    },
  }
}

function knownIn(view: Span, seen: readonly RangedDay[], { days }: Series, loaded: Span) {
  const [from, to] = [Math.ceil(view[0]), Math.floor(view[1])]
  const [first, end] = [indexFrom(days, from), indexFrom(days, to + 1)]
  const isLoaded =
    end === first || ((days[first] ?? 0) >= loaded[0] && (days[end - 1] ?? 0) <= loaded[1])
  if (!isLoaded) return null
  return {
    ranged: seen.filter(({ day }) => day >= from && day <= to).length,
    days: end - first,
  }
}

/** Splits days into runs without gaps: a day with only a close ends a run, a weekend of a stock does not. */
function runsOf(seen: readonly RangedDay[], { days }: Series): RangedDay[][] {
  const runs: RangedDay[][] = []
  let next = NaN
  for (const one of seen) {
    const i = indexFrom(days, one.day)
    if (i === next) runs.at(-1)?.push(one)
    else runs.push([one])
    next = i + 1
  }
  return runs
}

/** The area of a run, extended by half a day at both ends so that a single day is visible. */
function areaOf(run: readonly RangedDay[], { time, price }: Axes): Float64Array {
  const edge = (one: RangedDay | undefined, of: 'high' | 'low', by = 0) =>
    one ? [[time.toPx(one.day + by), price.toPx(one[of])]] : []
  const side = (of: 'high' | 'low') => [
    ...edge(run[0], of, -0.5),
    ...run.flatMap((one) => edge(one, of)),
    ...edge(run.at(-1), of, 0.5),
  ]
  return Float64Array.from([...side('high'), ...side('low').toReversed()].flat())
}

/** Bars aligned to device pixels. */
function barsOf(seen: readonly RangedDay[], { time, price, dpr }: Axes): Float64Array[] {
  const apart = time.factor
  const device = (px: number) => Math.max(1, Math.round(px * dpr))
  const stem = device(clamp(apart * 0.16, 1, 3))
  const thick = device(clamp(apart * 0.08, 1, 2))
  const tick = apart < APART.ticks ? 0 : device(clamp(apart * 0.24, 3, 6))
  const out: Float64Array[] = []
  const put = (x: number, y: number, width: number, height: number) => {
    const [right, bottom] = [x + width, y + height]
    out.push(Float64Array.of(x, y, right, y, right, bottom, x, bottom).map((px) => px / dpr))
  }
  for (const { day, open, high, low, close } of seen) {
    const x = Math.round(time.toPx(day) * dpr - stem / 2)
    const [top, bottom] = [Math.round(price.toPx(high) * dpr), Math.round(price.toPx(low) * dpr)]
    put(x, top, stem, Math.max(1, bottom - top))
    if (tick === 0) continue
    const level = (usd: number) => Math.round(price.toPx(usd) * dpr - thick / 2)
    if (open !== null) put(x - tick, level(open), tick, thick)
    put(x + stem, level(close), tick, thick)
  }
  return out
}
