import { levelsOf, timingOf, type Claim, makeClaim, type ClaimType } from '#domain/claim/claim.ts'
import { dueDay, type Drawn, type DrawnVerdict, splitNote } from '#domain/claim/prediction.ts'
import { claimText, typeLabel } from '#domain/claim/text.ts'
import { addDays, showDay, type Day } from '#domain/day.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { isolatedName } from '#domain/people/name.ts'
import { type Span, shortUsd } from './scale.ts'

/**
 * A claim or a part of it: the days it was ahead, the day it came true, the day it was broken. A level judged by the
 * last close only is a `target`: a point at its deadline.
 */
export type MarkKind = ClaimType | 'ahead' | 'success' | 'break'

/** A drawable part of a prediction, in days and USD. */
export type Mark = {
  readonly kind: MarkKind
  readonly prediction: Drawn
  readonly outcome: Outcome
  readonly days: Span
  /** Lowest and highest price, USD; equal for a level. */
  readonly prices: Span
  readonly tail: number | null
  /** Whether the outcome sign is drawn here. Every prediction has exactly one such mark. */
  readonly sign: boolean
  /** Label variants, longest first: with the full name, with a short name, without a name. */
  readonly texts: readonly string[]
}

export function isClaim({ kind }: Mark): boolean {
  return kind !== 'ahead' && kind !== 'success' && kind !== 'break'
}

export type Skipped = { readonly id: string; readonly reason: string }

/** Minimum lead time, in days, for showing how far ahead a prediction was made. */
const AHEAD_DAYS = 30
/** Lines of tops and bottoms extend about two years from now. */
const TAIL_DAYS = 730

/**
 * Marks of each prediction in input order, and the predictions that cannot be drawn.
 *
 * @see public-site.md §4 "Success marker on the chart" and §5 "Chart data rules"; decisions.md §3
 */
export function makeMarks(
  predictions: readonly Drawn[],
  mode: JudgeMode,
  today: Day,
): { marks: Mark[]; skipped: Skipped[] } {
  const marks: Mark[] = []
  const skipped: Skipped[] = []
  for (const prediction of predictions) {
    if (prediction.excludeFromChart) continue
    const reason = faultOf(prediction)
    if (reason === null) marks.push(...marksOf(prediction, mode, today))
    else skipped.push({ id: prediction.id, reason })
  }
  return { marks, skipped }
}

export function drawnClaim({ claim, chartValue }: Drawn): Claim {
  if (chartValue === null) return claim
  return claim.type === 'range'
    ? claim
    : makeClaim(claim.type, { min: chartValue, max: chartValue }, claim)
}

/** @see public-site.md §3, predictions without a name */
export function chartName({ expert }: Drawn): string {
  return expert.name.trim() === '' ? 'Unknown Expert' : expert.name
}

function faultOf(prediction: Drawn): string | null {
  const claim = drawnClaim(prediction)
  const { min, max } = levelsOf(claim)
  if (!Number.isFinite(min) || !Number.isFinite(max)) return 'its level is not a number'
  if (claim.type === 'range' && !(min > 0 && max > min))
    return 'its range is not above zero and rising'
  if (claim.type === 'by-date' && !(min > 0)) return 'its minimum is not above zero'
  if (!Number.isFinite(prediction.by)) return 'it has no deadline'
  if (!Number.isFinite(prediction.made)) return 'it has no date'
  // A target is a point at its deadline; other claims need a window to be drawn.
  if (claim.type !== 'target' && dueDay(prediction) < startOf(prediction))
    return 'it ends before it starts'
  return null
}

function startOf({ from, made }: Drawn): Day {
  return from === null || from <= made ? addDays(made, 1) : from
}

function marksOf(prediction: Drawn, mode: JudgeMode, today: Day): Mark[] {
  const verdict = prediction.verdicts[mode]
  const claim = drawnClaim(prediction)
  const { min, max } = levelsOf(claim)
  const [start, end] = [startOf(prediction), dueDay(prediction)]
  const texts = labelTexts(chartName(prediction), levelLabel(claim))
  const base = { prediction, outcome: verdict.outcome, tail: null, sign: false, texts }
  const evidence = evidenceMark(base, verdict, end)
  const isAtEnd = timingOf(claim) === 'at_end'
  const kind = isAtEnd && claim.type !== 'range' ? 'target' : claim.type
  const out: Mark[] = [
    {
      ...base,
      kind,
      // With judging by the final close, touches before the deadline do not count.
      days: isAtEnd || kind === 'target' ? [end, end] : [start, end],
      prices: [min, max],
      tail: kind === 'top' || kind === 'bottom' ? Math.max(end, today + TAIL_DAYS) : null,
      sign: evidence === null,
    },
  ]
  if (evidence) out.push(evidence)
  const { made, from } = prediction
  if (from !== null && from - made > AHEAD_DAYS) {
    const ahead = [`${String(from - made)} days ahead`]
    out.push({ ...base, kind: 'ahead', days: [made, from], prices: [min, min], texts: ahead })
  }
  return out
}

function labelTexts(name: string, level: string): string[] {
  const names = [...new Set([name, shortName(name)])]
  return [...names.map((one) => `${isolatedName(one)} ${level}`), level]
}

/** Names with more graphemes are shortened when space is short. */
const SHORT_NAME = 12

/** Shortens `Geoff Kendrick` to `G. Kendrick`, and truncates a long single word. */
export function shortName(name: string): string {
  if (name.length <= SHORT_NAME || letters(name).length <= SHORT_NAME) return name
  const words = name.split(/\s+/)
  const last = words.at(-1) ?? ''
  const initial = letters(words[0] ?? '')[0] ?? ''
  const short = words.length > 1 ? `${initial}. ${last}` : name
  const cut = letters(short)
  return cut.length <= SHORT_NAME + 2 ? short : `${cut.slice(0, SHORT_NAME - 1).join('')}…`
}

/** Graphemes of a text. The segmenter is shared because creating it is slower than making a mark. */
function letters(text: string): readonly string[] {
  if (/^[ -~]*$/.test(text)) return text.split('')
  return [...new Intl.Segmenter().segment(text)].map((one) => one.segment)
}

/** A short level: `$25k`, `$20k–$30k`, `≥ $25k`, `top $310k`. */
function levelLabel(claim: Claim): string {
  const timing = timingOf(claim)
  switch (claim.type) {
    case 'target':
      return shortUsd(claim.usd)
    case 'range':
      return `${shortUsd(claim.min)}–${shortUsd(claim.max)}`
    case 'by-date':
      return `${timing === 'throughout' ? 'bottom' : '≥'} ${shortUsd(claim.usd)}`
    case 'top':
      return `${timing === 'at_end' ? '≤' : 'top'} ${shortUsd(claim.usd)}`
    case 'bottom':
      return `${timing === 'at_end' ? '≥' : 'bottom'} ${shortUsd(claim.usd)}`
  }
}

/** The deciding day, from stored evidence only, so that the picture and the verdict cannot disagree. */
function evidenceMark(
  base: Omit<Mark, 'kind' | 'days' | 'prices'>,
  verdict: DrawnVerdict,
  end: Day,
): Mark | null {
  const { outcome, reason, day, direction, level, bar } = verdict
  const at = (kind: 'success' | 'break', on: Day, usd: number): Mark => ({
    ...base,
    kind,
    days: [on, on],
    prices: [usd, usd],
    sign: true,
    // There is room for the day even with the longest of these.
    texts: base.texts.map((text, i) => `${text}, ${showDay(on, i === 0 ? 'day' : 'month')}`),
  })
  // A range is left at the edge nearer to the price.
  const isHigh =
    base.prediction.claim.type === 'top' || (bar !== null && 2 * bar.close > level.min + level.max)
  const lastLevel = isHigh ? level.max : level.min
  if (outcome === 'miss' && reason === 'broken' && day !== null) return at('break', day, lastLevel)
  if (outcome !== 'hit') return null
  if (reason === 'held') return at('success', end, lastLevel)
  if (reason === 'closed-inside') return at('success', day ?? end, bar?.close ?? lastLevel)
  // A range is entered at its nearer edge: from above at its maximum.
  return day === null ? null : at('success', day, direction === 'down' ? level.max : level.min)
}

export function spansOf(marks: readonly Mark[]): { id: string; days: Span }[] {
  return marks.filter(isClaim).map(({ prediction: { id, made }, days }) => {
    return { id, days: [made, Math.max(days[1], made)] as const }
  })
}

/** A mark with the centre of its sign, CSS pixels. */
type Signed = { readonly mark: Mark; readonly signX: number; readonly signY: number }

/** Shapes with signs at the same position, most important first; only the first sign is drawn. */
export type Stack<One extends Signed = Signed> = readonly [One, ...One[]]

/**
 * Groups signs that would hide one another, as many deadlines are at the end of a year.
 *
 * @param samePlace distance to the first sign that counts as the same position, CSS pixels
 */
export function stacked<One extends Signed>(shapes: readonly One[], samePlace: number) {
  const cells = new Map<number, [One, ...One[]][]>()
  const found: [One, ...One[]][] = []
  for (const shape of shapes) {
    const { signX, signY } = shape
    if (!shape.mark.sign) continue
    const cell = Math.floor(signX / samePlace) * 8_192 + Math.floor(signY / samePlace)
    const isNear = ([first]: Stack<One>) =>
      Math.hypot(first.signX - signX, first.signY - signY) < samePlace
    const own = NEIGHBOURS.map((by) => cells.get(cell + by)?.find(isNear)).find(Boolean)
    if (own) own.push(shape)
    else {
      const first: [One, ...One[]] = [shape]
      found.push(first)
      cells.set(cell, [...(cells.get(cell) ?? []), first])
    }
  }
  return found.filter(({ length }) => length > 1)
}

/** Offsets of a cell and its neighbours. */
const NEIGHBOURS = [-1, 0, 1].flatMap((dy) => [-8_192 + dy, dy, 8_192 + dy])

export function stackOf(
  { stacks }: { readonly stacks: readonly Stack[] },
  { prediction, kind }: Mark,
): readonly Mark[] {
  const isIt = ({ mark }: Signed) => mark.prediction.id === prediction.id && mark.kind === kind
  return stacks.find((stack) => stack.some(isIt))?.map(({ mark }) => mark) ?? []
}

export function countOf([{ mark, signX, signY }, ...others]: Stack, radius: number) {
  return {
    mark,
    text: String(others.length + 1),
    x: signX + radius * 0.75,
    y: signY - radius * 0.5,
  }
}

/** Outcome words of the chart; cards say SUCCESS (public-site.md §4). */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  hit: 'HIT',
  miss: 'MISS',
  pending: 'PENDING',
  void: 'VOID',
}

export type Facts = {
  readonly name: string
  readonly type: string
  readonly outcome: Outcome
  readonly level: string
  /** `said $1,800 = $180 today` after a split, or that the drawn level differs from the claim. */
  readonly levelNote: string | null
  readonly made: string
  readonly due: string
  readonly dueNote: string | null
}

export function factsOf(prediction: Drawn, mode: JudgeMode): Facts {
  const { claim, made, madePrecision, by, byPrecision, from, verdicts } = prediction
  return {
    name: chartName(prediction),
    type: typeLabel(claim.type),
    outcome: verdicts[mode].outcome,
    level: claimText(claim),
    levelNote:
      prediction.chartValue === null
        ? splitNote(prediction)
        : `drawn at ${claimText(drawnClaim(prediction))}`,
    made: showDay(made, madePrecision),
    due:
      from === null ? showDay(by, byPrecision) : `${showDay(from)} – ${showDay(by, byPrecision)}`,
    dueNote: dueNote(prediction),
  }
}

/** One line for screen readers: `Tom Lee, target $25,000 by 31/12/2018, MISS`. */
export function spokenMark(
  prediction: Drawn,
  kind: MarkKind,
  days: readonly [number, number],
  mode: JudgeMode,
): string {
  const { name, type, outcome, level, due } = factsOf(prediction, mode)
  const claim = `${name}, ${type.toLowerCase()} ${level}, ${due}`
  if (kind === 'ahead') return `${claim}: made ${String(days[1] - days[0])} days ahead`
  const on = showDay(days[0] as Day)
  const how =
    kind === 'success' ? `: came true on ${on}` : kind === 'break' ? `: broken on ${on}` : ''
  return `${claim}${how}, ${OUTCOME_WORDS[outcome]}`
}

function dueNote(prediction: Drawn): string | null {
  const { by, byPrecision, deadlineAssumed } = prediction
  const due = showDay(dueDay(prediction))
  if (deadlineAssumed) return `no deadline was named; ${due} is assumed`
  if (byPrecision === 'day') return null
  return `the source only says ${showDay(by, byPrecision)}; judged on ${due}`
}
