import { levelsOf, type Claim } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { addDays, endOfPrecision, startOfPrecision, type Day } from '#domain/day.ts'
import { isCloseOnly, type AgreedBar, type SeenBar } from './bar.ts'
import { type MaxTree, type Series } from './series.ts'
import {
  decidesAtEnd,
  directionOf,
  goalOf,
  isFromAbove,
  mustHold,
  RULE_VERSION,
  type Direction,
  type JudgeMode,
  type Outcome,
  type PossibleDay,
  type PricePoint,
  type Verdict,
  type VerdictReason,
} from './verdict.ts'

/**
 * Judges a statement by rule set 2. Pure: the same bars, statement and day give the same verdict, and bars after the
 * deciding one have no effect.
 *
 * @param today only distinguishes `open` from `awaiting-prices` once the window has ended without its bars
 * @see decisions.md §2
 */
export function judge(series: Series, statement: Statement, mode: JudgeMode, today: Day): Verdict {
  const { context, found, reference, window, day } = find(series, statement, mode, today)
  const bar = found.position === null ? null : plainBar(series.bars[found.position])
  const nearest = found.outcome === 'void' ? null : nearestOf(context, found.position)
  const nearestBar = nearest && series.bars[series.atOrAfter(nearest.day)]
  const evidenceBar = bar ?? nearestBar
  return {
    outcome: found.outcome,
    mode,
    rule: RULE_VERSION,
    reason: found.reason,
    day,
    level: levelsOf(statement.claim),
    direction: context.direction,
    reference,
    window,
    ...(found.possibleDays && { possibleDays: found.possibleDays }),
    bar,
    nearest,
    unconfirmed: mode === 'touch' ? unconfirmedOf(context, found) : null,
    closeOnly: evidenceBar ? isCloseOnly(evidenceBar) : false,
    someClosesOnly: bar === null && nearestBar ? hasNearerUnseen(context, nearestBar) : false,
  }
}

function find(series: Series, statement: Statement, mode: JudgeMode, today: Day) {
  const finding = findForDay(series, statement, mode, today)
  const other = otherDayOf(series, statement, mode, today, finding)
  const found: Found =
    other === null
      ? finding.found
      : {
          outcome: 'void',
          reason: 'depends-on-day',
          position: null,
          possibleDays: [possibleDay(statement.made, finding), other],
        }
  return { ...finding, found, day: decidingDay(found, statement, series, finding.window) }
}

function findForDay(series: Series, statement: Statement, mode: JudgeMode, today: Day) {
  const window = windowOf(statement)
  const reference = referenceOf(series, statement.made)
  const known = isReferenceFinal(series, statement.made, reference)
  const direction = directionOf(statement.claim, reference)
  const from = series.atOrAfter(window.from)
  const to = series.atOrAfter(addDays(window.to, 1)) - 1
  const final =
    series.finalThrough === null ? -1 : series.atOrAfter(addDays(series.finalThrough, 1)) - 1
  const context: Context = {
    series,
    claim: statement.claim,
    mode,
    direction,
    from,
    // A daily close exists only once its day is over, and a moving bar cannot prove a miss.
    to: mode === 'close' ? Math.min(to, final) : to,
    final: Math.min(to, final),
    window,
    complete: series.isComplete(window.from, window.to),
  }
  const found: Found =
    (known && voidOf(statement.claim, direction, reference)) ||
    (known ? decide(context) : null) ||
    undecided(series, window, today)
  return { context, found, reference, window, isSideKnown: known && reference !== null }
}

function otherDayOf(
  series: Series,
  statement: Statement,
  mode: JudgeMode,
  today: Day,
  { found, context, isSideKnown }: DayFinding,
): PossibleDay | null {
  for (const day of possibleDays(statement, today)) {
    const other = findForDay(series, { ...statement, made: day }, mode, today)
    const outcomes = new Set([found.outcome, other.found.outcome])
    outcomes.delete('pending')
    // A moving or unknown price is on neither side of the level.
    const isOtherWay =
      isSideKnown && other.isSideKnown && other.context.direction !== context.direction
    if (outcomes.size > 1 || isOtherWay) return possibleDay(day, other)
  }
  return null
}

type DayFinding = {
  readonly found: Found
  readonly context: Context
  readonly isSideKnown: boolean
}

function possibleDay(
  day: Day,
  { found, context }: Pick<DayFinding, 'found' | 'context'>,
): PossibleDay {
  return { day, outcome: found.outcome, direction: context.direction }
}

/** The days before the deadline on which an imprecisely dated statement may have been made; empty if the day is known. */
export function possibleDays({ made, madePrecision = 'day', by }: Statement, today: Day) {
  if (madePrecision === 'day') return []
  const first = startOfPrecision(made, madePrecision)
  const last = Math.min(endOfPrecision(made, madePrecision), by - 1, today)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => addDays(first, i))
}

/** Whether bars of these days can change the verdict; bars after the deciding one cannot. */
export function dependsOn(verdict: Verdict, statement: Statement, from: Day, to: Day): boolean {
  const isDayKnown = (statement.madePrecision ?? 'day') === 'day'
  const oldest = (isDayKnown ? verdict.reference?.day : null) ?? -Infinity
  return to >= oldest && from <= lastDayThatMatters(verdict, statement)
}

function lastDayThatMatters(verdict: Verdict, statement: Statement): number {
  if (verdict.outcome === 'pending') return Infinity
  if ((statement.madePrecision ?? 'day') !== 'day') return verdict.window.to
  if (verdict.outcome === 'void') return statement.made
  const early = verdict.reason === 'reached' || verdict.reason === 'broken'
  return early && verdict.day !== null ? verdict.day : verdict.window.to
}

/** The first and last day that count: prices on or before the day of the statement do not. */
export function windowOf(statement: Statement): { from: Day; to: Day } {
  const next = addDays(statement.made, 1)
  return {
    from: statement.from !== null && statement.from > next ? statement.from : next,
    to: statement.by,
  }
}

type Found = {
  readonly outcome: Outcome
  readonly reason: VerdictReason
  /** Position of the deciding bar in the series; null if no single bar decided. */
  readonly position: number | null
  readonly possibleDays?: readonly PossibleDay[]
}

type Context = {
  readonly series: Series
  readonly claim: Claim
  readonly mode: JudgeMode
  readonly direction: Direction
  /** Positions of the first and last bar of the window that can prove a touch; empty if `from > to`. */
  readonly from: number
  readonly to: number
  readonly final: number
  readonly window: Verdict['window']
  readonly complete: boolean
}

/** The last close on or before a day. */
function referenceOf(series: Series, made: Day): PricePoint | null {
  const bar = series.bars[series.atOrAfter(addDays(made, 1)) - 1]
  return bar ? { day: bar.day, usd: bar.close, ...movingOf(bar) } : null
}

function isReferenceFinal(series: Series, made: Day, reference: PricePoint | null): boolean {
  if (series.finalThrough === null || series.finalThrough < series.lastSession(made)) return false
  return reference === null || series.isComplete(addDays(reference.day, 1), made)
}

function voidOf(claim: Claim, direction: Direction, reference: PricePoint | null): Found | null {
  if (!reference) return null
  const { usd } = reference
  const { min, max } = levelsOf(claim)
  if (mustHold(direction)) {
    const goal = goalOf(direction, { min, max })
    return usd > goal.max || usd < goal.min
      ? { outcome: 'void', reason: 'already-broken', position: null }
      : null
  }
  // For a top, bottom or range judged at the end, the last close decides whatever the direction.
  const isOneWay = claim.type === 'target' || claim.type === 'by-date' || !decidesAtEnd(direction)
  const isTrue =
    (claim.direction === 'up' && isOneWay && usd >= min) ||
    (claim.direction === 'down' && isOneWay && usd <= max && claim.type !== 'by-date') ||
    ((direction === 'up' || direction === 'down') && usd >= min && usd <= max)
  return isTrue ? { outcome: 'void', reason: 'already-true', position: null } : null
}

function decide(context: Context): Found | null {
  const { direction, complete, series, window, final } = context
  if (decidesAtEnd(direction)) {
    const end = series.lastSession(window.to)
    const position = series.atOrAfter(addDays(end, 1)) - 1
    const last = series.bars[position]
    // There was no session between the statement and its deadline.
    if (end < window.from) return complete ? NOT_REACHED : null
    if (last?.day !== end || position > final) return null
    const goal = goalOf(direction, levelsOf(context.claim))
    const isInside = last.close >= goal.min && last.close <= goal.max
    return {
      outcome: isInside ? 'hit' : 'miss',
      reason: isInside ? 'closed-inside' : 'closed-outside',
      position,
    }
  }
  if (mustHold(direction)) {
    const position = firstBreak(context)
    if (position >= 0) return { outcome: 'miss', reason: 'broken', position }
    return complete ? { outcome: 'hit', reason: 'held', position: null } : null
  }
  const position = firstReach(context)
  if (position >= 0) return { outcome: 'hit', reason: 'reached', position }
  if (!complete) return null
  return mayHaveReachedUnseen(context)
    ? { outcome: 'pending', reason: 'needs-range', position: null }
    : NOT_REACHED
}

const NOT_REACHED: Found = { outcome: 'miss', reason: 'not-reached', position: null }

/** A close this near to the level, as a share of it, leaves open whether that day's high or low reached it. */
const NEAR = 0.1

/** Whether the price nearest to an unreached level is a close within `NEAR` on a day whose range is unknown. */
function mayHaveReachedUnseen(context: Context): boolean {
  const { series, claim, mode, direction, from, final } = context
  if (mode === 'close') return false
  const { highs, lows } = treesOf(context)
  const { min, max } = levelsOf(claim)
  const isUp = direction === 'up'
  const tree = isUp ? highs : lows
  const best = tree.max(from, final)
  const bar = series.bars[tree.firstAtLeast(from, final, best)]
  const away = isUp ? 1 - best / min : -best / max - 1
  return bar !== undefined && isCloseOnly(bar) && away <= NEAR
}

export function treesOf({ series, mode }: Pick<Context, 'series' | 'mode'>) {
  return mode === 'touch'
    ? { highs: series.highs, lows: series.lows }
    : { highs: series.closes, lows: series.negativeCloses }
}

function firstReach(context: Context): number {
  const { highs, lows } = treesOf(context)
  const { min, max } = levelsOf(context.claim)
  const up = context.direction === 'up'
  if (context.claim.type !== 'range') {
    return up
      ? highs.firstAtLeast(context.from, context.to, min)
      : lows.firstAtLeast(context.from, context.to, -max)
  }
  // A stock may gap across the whole range overnight; it then has to come back from the other side.
  let at = context.from
  for (let rising = up; ; rising = !rising) {
    at = rising ? highs.firstAtLeast(at, context.to, min) : lows.firstAtLeast(at, context.to, -max)
    if (at < 0) return -1
    const other = rising ? lows.max(at, at) >= -max : highs.max(at, at) >= min
    if (other) return at
  }
}

/** The first complete bar beyond a level that must hold; reaching it exactly is no break. */
function firstBreak(context: Context): number {
  const { direction, from, final } = context
  const { highs, lows } = treesOf(context)
  const { min, max } = goalOf(direction, levelsOf(context.claim))
  const above = highs.firstAbove(from, final, max)
  const below = lows.firstAbove(from, final, -min)
  return above < 0 || below < 0 ? Math.max(above, below) : Math.min(above, below)
}

function undecided(series: Series, window: { from: Day; to: Day }, today: Day): Found {
  const lastBar = series.bars.at(-1)?.day ?? null
  const ended = today > series.lastSession(window.to)
  const gap = series.finalThrough !== null && series.finalThrough >= series.lastSession(window.to)
  const begun = lastBar !== null && lastBar >= window.from
  const reason = ended || gap ? 'awaiting-prices' : begun ? 'open' : 'not-started'
  return { outcome: 'pending', reason, position: null }
}

function decidingDay(found: Found, statement: Statement, series: Series, window: { to: Day }) {
  switch (found.outcome) {
    case 'pending':
      return null
    case 'void':
      return statement.made
    case 'hit':
    case 'miss':
      return found.position === null
        ? series.lastSession(window.to)
        : (series.bars[found.position]?.day ?? null)
  }
}

function nearestOf(context: Context, decidedAt: number | null): PricePoint | null {
  const { series, direction, from } = context
  const to = decidedAt ?? context.to
  if (to < from) return null
  if (decidesAtEnd(direction)) return pointAt(series, to, series.bars[to]?.close)
  const { highs, lows } = treesOf(context)
  const [high, low] = [highs.max(from, to), -lows.max(from, to)]
  return isHighNearest(context, high, low)
    ? pointAt(series, highs.firstAtLeast(from, to, high), high)
    : pointAt(series, lows.firstAtLeast(from, to, -low), low)
}

function isHighNearest({ direction, claim }: Context, high: number, low: number): boolean {
  if (direction !== 'stays') return !isFromAbove(direction)
  const { min, max } = levelsOf(claim)
  return high / max >= min / low
}

/** Whether a day with only a close may have come nearer than this bar, which has a high and low. */
function hasNearerUnseen({ series, mode, direction, from, to }: Context, nearest: AgreedBar) {
  if (mode === 'close' || decidesAtEnd(direction) || isCloseOnly(nearest)) return false
  return series.closesOnly(from, Math.min(to, series.bars.length - 1)) > 0
}

/** The first single-venue price that would have decided earlier. */
function unconfirmedOf(
  { series, claim, direction, from, to }: Context,
  { outcome, position }: Found,
): PricePoint | null {
  if (outcome === 'void' || decidesAtEnd(direction)) return null
  const { loneHighs, loneLows } = series
  const { min, max } = levelsOf(claim)
  const last = position === null ? to : position - 1
  const holds = mustHold(direction)
  const first = (tree: MaxTree | null, level: number): number =>
    tree?.[holds ? 'firstAbove' : 'firstAtLeast'](from, last, level) ?? -1
  const isLow = isFromAbove(direction)
  const high = isLow ? -1 : first(loneHighs, holds ? max : min)
  const low = isLow || direction === 'stays' ? first(loneLows, holds ? -min : -max) : -1
  if (loneHighs && high >= 0 && (low < 0 || high <= low)) {
    return pointAt(series, high, loneHighs.max(high, high))
  }
  return loneLows && low >= 0 ? pointAt(series, low, -loneLows.max(low, low)) : null
}

function pointAt(series: Series, position: number, usd: number | undefined): PricePoint | null {
  const bar = series.bars[position]
  if (!bar || usd === undefined || !Number.isFinite(usd)) return null
  return { day: bar.day, usd, ...movingOf(bar) }
}

function plainBar(bar: AgreedBar | undefined): SeenBar | null {
  if (!bar) return null
  const { day, open, high, low, close, source } = bar
  return { day, open, high, low, close, source, ...movingOf(bar) }
}

function movingOf({ moving }: AgreedBar): { moving?: true } {
  return moving ? { moving } : {}
}
