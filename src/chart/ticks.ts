import { dayFromNumber, dayOf, monthName, partsOf, type Day } from '#domain/day.ts'
import { type AxisRules } from '#domain/asset.ts'
import { lengthOf, type ScaleKind, type Span } from './scale.ts'
import { axisLabels } from './usd.ts'

/** A place on an axis; with an empty label only its line is drawn. */
export type Tick = { readonly at: number; readonly label: string }

const A_YEAR = 365.25
const A_MONTH = A_YEAR / 12
/** Below this many decades a log axis also names the 2 and the 5 of each. */
const FEW_DECADES = 2.5
const YEARS = [1, 2, 5, 10, 20, 50]
const MONTHS = [1, 2, 3, 6, 12]
const DAYS = [1, 2, 5, 7, 14]

/**
 * Round prices across the axis, about `count` of them, with labels that differ from one another.
 *
 * @see public-site.md §9, "Formatting"
 */
export function priceTicks(domain: Span, kind: ScaleKind, count: number): Tick[] {
  const logarithmic = kind === 'log' && domain[0] > 0 ? logSteps(domain, count) : []
  // Zoomed into less than a decade, powers of ten leave the axis empty; even steps work well there.
  const prices = logarithmic.length > 2 ? logarithmic : evenSteps(domain, count)
  const labels = axisLabels(prices)
  return prices.map((at, i) => ({ at, label: labels[i] ?? '' }))
}

function evenSteps([low, high]: Span, count: number): number[] {
  const rough = (high - low) / Math.max(1, count)
  if (!(rough > 0) || !Number.isFinite(rough)) return Number.isFinite(low) ? [low] : []
  const power = 10 ** Math.floor(Math.log10(rough))
  // There are no steps of 2.5 on purpose: $2,500 would be labelled $3k.
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.8) ?? 10) * power
  const out: number[] = []
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    out.push(Number((k * step).toPrecision(12)))
    if (out.length > 100) break
  }
  return out
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
 * Calendar ticks across the view: the first of January, of a quarter or of a month, or single days, named by the asset's
 * rule.
 *
 * @param width of the plot in CSS pixels, which decides how many labels fit
 * @see public-site.md §9, "X-axis tick format"
 */
export function timeTicks(view: Span, width: number, rule: AxisRules['timeLabels']): Tick[] {
  const days = lengthOf(view)
  if (!(days > 0) || !Number.isFinite(days) || width <= 0) return []
  const years = days / A_YEAR
  const months = days / A_MONTH
  const fits = (labelWidth: number) => Math.max(2, Math.floor(width / labelWidth))
  switch (rule) {
    case 'years':
      if (years > 3) return yearTicks(view, stepOf(YEARS, years, fits(44)), twoDigits)
      if (years >= 1) return monthTicks(view, stepOf(MONTHS, months, fits(52)), monthOrYear)
      break
    case 'months':
      if (years > 3) return yearTicks(view, stepOf(YEARS, years, fits(56)), String)
      if (years >= 2) return monthTicks(view, stepOf(MONTHS, months, fits(56)), monthOrYear)
      if (years > 0.5) {
        return monthTicks(
          view,
          stepOf(MONTHS, months, fits(76)),
          (year, month) => `${monthName(month)} ${String(year)}`,
        )
      }
      break
  }
  if (months > 2) {
    return monthTicks(view, stepOf(MONTHS, months, fits(52)), (year, month) =>
      rule === 'years' ? monthOrYear(year, month) : monthName(month),
    )
  }
  return dayTicks(view, stepOf(DAYS, days, fits(56)))
}

function yearTicks(view: Span, step: number, name: (year: number) => string): Tick[] {
  const first = partsOf(dayFromNumber(view[0])).year
  const out: Tick[] = []
  for (let year = Math.ceil(first / step) * step; ; year += step) {
    const at = dayOf(year, 1, 1)
    if (at > view[1]) return out
    if (at >= view[0]) out.push({ at, label: name(year) })
  }
}

/** January is named by its year. */
function monthOrYear(year: number, month: number): string {
  return month === 1 ? String(year) : monthName(month)
}

function monthTicks(
  view: Span,
  step: number,
  name: (year: number, month: number) => string,
): Tick[] {
  const { year, month } = partsOf(dayFromNumber(view[0]))
  const out: Tick[] = []
  for (let k = Math.ceil((year * 12 + month - 1) / step) * step; ; k += step) {
    const at = dayOf(Math.floor(k / 12), (k % 12) + 1, 1)
    if (at > view[1]) return out
    if (at >= view[0]) out.push({ at, label: name(Math.floor(k / 12), (k % 12) + 1) })
  }
}

function dayTicks(view: Span, step: number): Tick[] {
  const out: Tick[] = []
  for (let at = Math.ceil(view[0] / step) * step; at <= view[1]; at += step) {
    out.push({ at, label: dayLabel(dayFromNumber(at)) })
  }
  return out
}

function dayLabel(day: Day): string {
  const { date, month } = partsOf(day)
  return `${String(date)} ${monthName(month)}`
}

function twoDigits(year: number): string {
  return `'${String(year % 100).padStart(2, '0')}`
}

/** The smallest of the steps, given in ascending order, that leaves at most `most` ticks; the largest if none does. */
function stepOf(steps: readonly number[], units: number, most: number): number {
  return steps.find((step) => units / step <= most) ?? steps.at(-1) ?? 1
}
