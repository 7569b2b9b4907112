import { dayFromNumber, isoDay, readDay } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type ScaleKind, type Span } from './scale.ts'

export const TIME_FRAMES = ['ALL', '1Y', '2Y', '3Y', '5Y'] as const
export type TimeFrame = (typeof TIME_FRAMES)[number]

/** The view a visitor chose; it fits into the address, so that a copied address shows the same picture. */
export type ViewState = {
  /** Null is the opening view of the asset, with no time frame pressed. */
  readonly frame: TimeFrame | null
  readonly scale: ScaleKind
  readonly mode: JudgeMode
  /** First and last day in view, whole days; null is the frame's own range. */
  readonly range: Span | null
  /** Lowest and highest price in view after the visitor moved the price axis, USD; null lets the chart choose. */
  readonly prices: Span | null
}

export const OPENING_VIEW: ViewState = {
  frame: null,
  scale: 'linear',
  mode: 'touch',
  range: null,
  prices: null,
}

/** The names of the address parameters that the chart owns. */
export const VIEW_PARAMS = ['frame', 'scale', 'judge', 'from', 'to', 'low', 'high'] as const
export type ViewParam = (typeof VIEW_PARAMS)[number]

/** The view as address parameters, without those that equal the opening view. */
export function viewParams(view: ViewState): Partial<Record<ViewParam, string>> {
  return {
    ...(view.frame && { frame: view.frame.toLowerCase() }),
    ...(view.scale === 'log' && { scale: 'log' }),
    ...(view.mode === 'close' && { judge: 'close' }),
    ...(view.range && {
      from: isoDay(dayFromNumber(view.range[0])),
      to: isoDay(dayFromNumber(view.range[1])),
    }),
    ...(view.prices && { low: shortNumber(view.prices[0]), high: shortNumber(view.prices[1]) }),
  }
}

/** Reads a view from an address; missing and invalid values are those of the opening view. */
export function readView(param: (name: ViewParam) => string | null): ViewState {
  const frame = (param('frame') ?? '').toUpperCase()
  return {
    frame: TIME_FRAMES.find((known) => known === frame) ?? null,
    scale: param('scale') === 'log' ? 'log' : 'linear',
    mode: param('judge') === 'close' ? 'close' : 'touch',
    range: rising(readDay(param('from') ?? ''), readDay(param('to') ?? '')),
    prices: rising(readNumber(param('low')), readNumber(param('high'))),
  }
}

export function sameSpan(a: Span | null, b: Span | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1])
}

/** Five digits place a price within a pixel of where it was. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(5)))
}

function readNumber(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && Math.abs(value) < 1e12 ? value : null
}

function rising(from: number | null, to: number | null): Span | null {
  return from !== null && to !== null && from < to ? [from, to] : null
}
