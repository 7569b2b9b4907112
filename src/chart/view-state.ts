import { dayFromNumber, isoDay, readDay } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type ScaleKind, type Span } from './scale.ts'

export const TIME_FRAMES = ['ALL', '1Y', '2Y', '3Y', '5Y'] as const
export type TimeFrame = (typeof TIME_FRAMES)[number]

/** Years of a time frame; null is all. */
export const FRAME_YEARS: Readonly<Record<TimeFrame, number | null>> = {
  ALL: null,
  '1Y': 1,
  '2Y': 2,
  '3Y': 3,
  '5Y': 5,
}

/** Weight of open targets: number of calls, or sats. */
export type TargetWeight = 'count' | 'votes'

/** Upper bound of price axes, USD. */
export const MOST_USD = 1e12

/** The view chosen by a visitor. It is stored in the address, so that a copied address reproduces it. */
export type ViewState = {
  readonly frame: TimeFrame | null
  readonly scale: ScaleKind | null
  readonly threads: boolean
  /** Weight of the open targets layer; null hides it. */
  readonly targets: TargetWeight | null
  readonly mode: JudgeMode
  /**
   * First and last day in view, with fractions of days in short views; null for the range of the frame. Never combined
   * with a frame.
   */
  readonly range: Span | null
  /** Lowest and highest price, USD, if the visitor moved the price axis; null is automatic. */
  readonly prices: Span | null
}

export const OPENING_VIEW: ViewState = {
  frame: null,
  scale: null,
  threads: true,
  targets: null,
  mode: 'touch',
  range: null,
  prices: null,
}

export const VIEW_PARAMS = [
  'frame',
  'scale',
  'threads',
  'targets',
  'judge',
  'from',
  'to',
  'low',
  'high',
] as const
export type ViewParam = (typeof VIEW_PARAMS)[number]

/** Address parameters of a view, without defaults. */
export function viewParams(view: ViewState): Partial<Record<ViewParam, string>> {
  return {
    ...(view.frame && !view.range && { frame: view.frame.toLowerCase() }),
    ...(view.scale && { scale: view.scale }),
    ...(!view.threads && { threads: 'off' }),
    ...(view.targets && { targets: view.targets }),
    ...(view.mode === 'close' && { judge: 'close' }),
    ...(view.range && {
      from: writtenDay(view.range[0]),
      to: writtenDay(view.range[1]),
    }),
    ...(view.prices && { low: shortNumber(view.prices[0]), high: shortNumber(view.prices[1]) }),
  }
}

export function readView(param: (name: ViewParam) => string | null): ViewState {
  const frame = (param('frame') ?? '').toUpperCase()
  const scale = param('scale')
  const targets = param('targets')
  const range = rising(readDayPart(param('from')), readDayPart(param('to')))
  return {
    // Chosen days override the frame.
    frame: range ? null : (TIME_FRAMES.find((known) => known === frame) ?? null),
    scale: scale === 'log' || scale === 'linear' ? scale : null,
    threads: param('threads') !== 'off',
    targets: targets === 'count' || targets === 'votes' ? targets : null,
    mode: param('judge') === 'close' ? 'close' : 'touch',
    range,
    prices: rising(readNumber(param('low')), readNumber(param('high'))),
  }
}

export function sameSpan(a: Span | null, b: Span | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1])
}

/** Five digits are precise to a pixel. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(5)))
}

/** `2025-10-01`, or `2025-10-01.25` for 06:00. */
function writtenDay(day: number): string {
  const hundredths = Math.round(day * 100)
  const whole = Math.floor(hundredths / 100)
  const part = hundredths - whole * 100
  const date = isoDay(dayFromNumber(whole))
  return part === 0 ? date : `${date}.${String(part).padStart(2, '0')}`
}

function readDayPart(text: string | null): number | null {
  const [, date = '', part = '0'] = /^([\d-]{10})(?:\.(\d{2}))?$/.exec(text ?? '') ?? []
  const day = readDay(date)
  return day === null ? null : (day * 100 + Number(part)) / 100
}

function readNumber(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && Math.abs(value) < MOST_USD ? value : null
}

function rising(from: number | null, to: number | null): Span | null {
  return from !== null && to !== null && from < to ? [from, to] : null
}
