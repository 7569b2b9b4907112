import { type AxisRules } from '#domain/asset.ts'
import { dayFromNumber, dayOf, monthName, partsOf } from '#domain/day.ts'

/** The ends of an axis, smaller first: days, USD or CSS pixels. */
export type Span = readonly [number, number]

export type ScaleKind = 'linear' | 'log'

/** A total mapping between values and CSS pixels along one axis. */
export type Scale = {
  readonly kind: ScaleKind
  readonly toPx: (value: number) => number
  readonly toValue: (px: number) => number
  /** `px = p0 + (v - from) * factor`, where v is the value, or its logarithm on a log scale; for fast loops. */
  readonly p0: number
  readonly from: number
  readonly factor: number
}

/** The smallest price that a log axis can show, USD. */
const LEAST_ON_LOG = 1e-6

/**
 * Maps `values` to `pixels`; either may be descending, as prices grow up the screen. On a log scale values at or below
 * zero count as {@link LEAST_ON_LOG}, far below the edge.
 */
export function makeScale(kind: ScaleKind, values: Span, pixels: Span): Scale {
  const [p0, p1] = pixels
  const along = kind === 'log' ? logOf : (value: number) => value
  const [from, to] = [along(values[0]), along(values[1])]
  // An empty span would divide by zero; one unit keeps every value on the axis.
  const factor = (p1 - p0) / (to - from || 1)
  const inverse = (px: number) => (factor === 0 ? from : from + (px - p0) / factor)
  return {
    kind,
    p0,
    from,
    factor,
    toPx: (value) => p0 + (along(value) - from) * factor,
    toValue: kind === 'log' ? (px) => Math.exp(inverse(px)) : inverse,
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

/** Interpolates between two spans, `part` 0 to 1; by logarithm on a log axis. */
export function between(kind: ScaleKind, a: Span, b: Span, part: number): Span {
  const mix = (from: number, to: number) =>
    kind === 'log'
      ? Math.exp(logOf(from) + (logOf(to) - logOf(from)) * part)
      : from + (to - from) * part
  return part >= 1 ? b : [mix(a[0], b[0]), mix(a[1], b[1])]
}

/** A position on an axis; with an empty label only its line is drawn. */
export type Tick = { readonly at: number; readonly label: string }

const A_YEAR = 365.25
const A_MONTH = A_YEAR / 12
/** Below this many decades a log axis also labels 2 and 5 of each. */
const FEW_DECADES = 2.5
const YEARS = [1, 2, 5, 10, 20, 50]
const MONTHS = [1, 2, 3, 6, 12]
const DAYS = [1, 2, 5, 7, 14]

/**
 * About `count` round prices across the axis, with distinct labels.
 *
 * @see public-site.md §9, "Formatting"
 */
export function priceTicks(domain: Span, kind: ScaleKind, count: number): Tick[] {
  const logarithmic = kind === 'log' && domain[0] > 0 ? logSteps(domain, count) : []
  // Within less than a decade, powers of ten would leave the axis empty, so use even steps.
  const prices = logarithmic.length > 2 ? logarithmic : evenSteps(domain, count)
  const labels = axisLabels(prices)
  return prices.map((at, i) => ({ at, label: labels[i] ?? '' }))
}

function evenSteps([low, high]: Span, count: number): number[] {
  const rough = (high - low) / Math.max(1, count)
  if (!(rough > 0) || !Number.isFinite(rough)) return Number.isFinite(low) ? [low] : []
  const step = roundStep(rough * 0.8)
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)]
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

/** The smallest of 1, 2, 5, 10, 20 … at or above a step; none of 2.5, because $2,500 would be labelled $3k. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power
}

function logSteps([low, high]: Span, count: number): number[] {
  const decades = Math.log10(high / low)
  const factors = decades < FEW_DECADES ? [1, 2, 5] : [1]
  const every = Math.max(1, Math.ceil(decades / (count * 1.6)))
  const out: number[] = []
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
    if (e % every !== 0) continue
    for (const factor of factors) {
      const price = Number((factor * 10 ** e).toPrecision(6))
      if (price >= low && price <= high) out.push(price)
    }
  }
  return out
}

/**
 * Calendar ticks across the view: days, months, quarters or years, labelled by the rule of the asset.
 *
 * @param width of the plot in CSS pixels, which limits the number of labels
 * @see public-site.md §9, "X-axis tick format"
 */
export function timeTicks(view: Span, width: number, rule: AxisRules['timeLabels']): Tick[] {
  const days = lengthOf(view)
  if (!(days > 0) || !Number.isFinite(days) || width <= 0) return []
  const years = days / A_YEAR
  const months = days / A_MONTH
  const fits = (labelWidth: number) => Math.max(2, Math.floor(width / labelWidth))
  const isShort = rule === 'years'
  const everyFew = (labelWidth: number, name: typeof monthOrYear) =>
    monthTicks(view, stepOf(MONTHS, months, fits(labelWidth)), name)
  if (years > 3) {
    const step = stepOf(YEARS, years, fits(isShort ? 44 : 56))
    return monthTicks(view, 12 * step, isShort ? twoDigits : (year) => String(year))
  }
  if (years >= (isShort ? 1 : 2)) return everyFew(isShort ? 52 : 56, monthOrYear)
  if (!isShort && years > 0.5) {
    return everyFew(76, (year, month) => `${monthName(month)} ${String(year)}`)
  }
  if (months > 2) return everyFew(52, isShort ? monthOrYear : (_, month) => monthName(month))
  return dayTicks(view, stepOf(DAYS, days, fits(56)))
}

function monthOrYear(year: number, month: number): string {
  return month === 1 ? String(year) : monthName(month)
}

function monthTicks(view: Span, step: number, name: (year: number, month: number) => string) {
  return monthStarts(view, step).flatMap((at): Tick | readonly [] => {
    const { year, month } = partsOf(dayFromNumber(at))
    return at >= view[0] && at <= view[1] ? { at, label: name(year, month) } : []
  })
}

/** First days of months, from the last one before a span to the first one after it; `step` in months. */
export function monthStarts([from, to]: Span, step: number): number[] {
  const { year, month } = partsOf(dayFromNumber(from))
  const out: number[] = []
  for (
    let k = Math.floor((year * 12 + month - 1) / step) * step;
    (out.at(-1) ?? to) <= to;
    k += step
  )
    out.push(dayOf(Math.floor(k / 12), (k % 12) + 1, 1))
  return out
}

function dayTicks(view: Span, step: number): Tick[] {
  const out: Tick[] = []
  for (let at = Math.ceil(view[0] / step) * step; at <= view[1]; at += step) {
    const { date, month } = partsOf(dayFromNumber(at))
    out.push({ at, label: `${String(date)} ${monthName(month)}` })
  }
  return out
}

function twoDigits(year: number): string {
  return `'${String(year % 100).padStart(2, '0')}`
}

/** The smallest step, from an ascending list, with at most `most` ticks; the largest if none qualifies. */
function stepOf(steps: readonly number[], units: number, most: number): number {
  return steps.find((step) => units / step <= most) ?? steps.at(-1) ?? 1
}

/**
 * A price as an axis label: `$12k`, `$1.5M`, `$0.06`.
 *
 * @param extra additional decimals to distinguish labels
 * @see public-site.md §9, "Formatting"
 */
export function axisUsd(usd: number, extra = 0): string {
  const size = Math.abs(usd)
  const sign = usd < 0 ? '-$' : '$'
  if (size >= 999_950_000) return `${sign}${trimmed(size / 1e9, 1 + extra)}B`
  if (size >= 999_500) return `${sign}${trimmed(size / 1e6, (size < 1e7 ? 1 : 0) + extra)}M`
  if (size >= 1_000) return `${sign}${trimmed(size / 1e3, extra)}k`
  if (size >= 1) return `${sign}${trimmed(size, extra)}`
  return size === 0 ? '$0' : `${sign}${size.toFixed(2 + extra)}`
}

/** Axis labels that differ wherever the prices do: $1,000 and $1,050 become `$1k` and `$1.05k`. */
function axisLabels(prices: readonly number[]): string[] {
  for (let extra = 0; extra < 8; extra++) {
    const labels = prices.map((usd) => axisUsd(usd, extra))
    if (new Set(labels).size === labels.length) return labels
  }
  return prices.map(String)
}

/** A short price for marks, exact to a thousandth: `$12.5k`, not `$13k`. */
export function shortUsd(usd: number): string {
  for (let extra = 0; extra < 4; extra++) {
    const label = axisUsd(usd, extra)
    if (Math.abs(valueOf(label) - usd) <= Math.abs(usd) / 1_000) return label
  }
  return axisUsd(usd, 4)
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, B: 1e9 }

function valueOf(label: string): number {
  return Number(label.replace(/[$kMB]/g, '')) * (UNITS[label.charAt(label.length - 1)] ?? 1)
}

function trimmed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
