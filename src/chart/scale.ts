/** Two ends of an axis, the smaller first: days on the time axis, USD on the price axis, pixels on screen. */
export type Span = readonly [number, number]

export type ScaleKind = 'linear' | 'log'

/** A mapping between values and CSS pixels along one axis. Both ways are total. */
export type Scale = {
  readonly kind: ScaleKind
  readonly toPx: (value: number) => number
  readonly toValue: (px: number) => number
  /** `px = p0 + (v - from) * factor`, where v is the value, or its logarithm on a log scale: for loops over many points. */
  readonly p0: number
  readonly from: number
  readonly factor: number
}

/** The smallest price that a log axis can show, USD. */
const LEAST_ON_LOG = 1e-6

/**
 * Maps `values` onto `pixels`; either may run downwards (prices grow up the screen). On a log scale a value at or below
 * zero counts as {@link LEAST_ON_LOG}, far below the edge.
 */
export function makeScale(kind: ScaleKind, values: Span, pixels: Span): Scale {
  const [p0, p1] = pixels
  const from = kind === 'log' ? logOf(values[0]) : values[0]
  const to = kind === 'log' ? logOf(values[1]) : values[1]
  // An empty span would divide by zero; one unit keeps every value on the axis.
  const factor = (p1 - p0) / (to - from || 1)
  const inverse = (px: number) => (factor === 0 ? from : from + (px - p0) / factor)
  return kind === 'linear'
    ? { kind, p0, from, factor, toPx: (value) => p0 + (value - from) * factor, toValue: inverse }
    : {
        kind,
        p0,
        from,
        factor,
        toPx: (value) => p0 + (logOf(value) - from) * factor,
        toValue: (px) => Math.exp(inverse(px)),
      }
}

export function logOf(value: number): number {
  return Math.log(value > LEAST_ON_LOG ? value : LEAST_ON_LOG)
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

export function lengthOf([from, to]: Span): number {
  return to - from
}

export function union(a: Span, b: Span): Span {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])]
}

export function overlaps(a: Span, b: Span): boolean {
  return a[0] <= b[1] && b[0] <= a[1]
}

/** The span between two others, `part` 0 to 1 of the way; on a log axis by the logarithms of prices. */
export function between(kind: ScaleKind, a: Span, b: Span, part: number): Span {
  const mix = (from: number, to: number) =>
    kind === 'log'
      ? Math.exp(logOf(from) + (logOf(to) - logOf(from)) * part)
      : from + (to - from) * part
  return part >= 1 ? b : [mix(a[0], b[0]), mix(a[1], b[1])]
}
