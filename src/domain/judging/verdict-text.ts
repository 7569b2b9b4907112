// Over 400 lines: all wording of verdicts in one place, so that no two sentences disagree.

import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { levelsOf, timingOf, type Claim } from '#domain/claim/claim.ts'
import { type Prediction, type Statement, madeText, splitNote } from '#domain/claim/prediction.ts'
import { showClaim } from '#domain/claim/text.ts'
import {
  plural,
  partsOf,
  showDay,
  showDayInWords,
  showMonths,
  showSpan,
  type Day,
} from '#domain/day.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { highOf, isCloseOnly, lowOf, type SeenBar } from './bar.ts'
import { lastTradingDay } from './calendar.ts'
import {
  decidesAtEnd,
  directionOf,
  goalOf,
  isFromAbove,
  mustHold,
  outcomeWord,
  type JudgeMode,
  byMode,
  type Outcome,
  type PricePoint,
  type Verdict,
} from './verdict.ts'

/** `SUCCESS on 05/12/2024`; the word alone if no day decided. */
export function outcomeOn({ outcome, day }: Pick<Verdict, 'outcome' | 'day'>): string {
  return day === null ? outcomeWord(outcome) : `${outcomeWord(outcome)} on ${showDay(day)}`
}

/**
 * The rule for a statement: `Hit if BTC trades at or above $150,000 from 10/12/2025 to the end of 31/12/2026 UTC.`
 * The verdict supplies the side from which the level must be reached.
 */
export function ruleSentence(
  { asset, claim }: Statement,
  mode: JudgeMode,
  direction: Verdict['direction'] | null,
  window: Verdict['window'],
): string {
  const { symbol } = ASSETS[asset]
  const trades = mode === 'touch' ? 'trades' : 'closes a day'
  const end = endOf(asset, window)
  const span = `from ${showDay(window.from)} to ${end}`
  const way = direction ?? directionOf(claim, null)
  const where = whereText(way, claim)
  if (mustHold(way)) return `Hit if ${symbol} never ${trades} ${where} ${span}.`
  if (!decidesAtEnd(way)) return `Hit if ${symbol} ${trades} ${where} ${span}.`
  const why =
    timingOf(claim) === 'at_end'
      ? 'Only the last close counts'
      : `The price was already ${claim.type === 'range' ? 'in the range' : 'at or above the minimum'} when this was said, so the last close decides`
  return `${why}: hit if ${symbol} closes ${where} at ${end}.`
}

/** Where the price must be, or never be: `at or above $150,000`. */
function whereText(direction: Verdict['direction'], claim: Claim): string {
  const level = showClaim(claim)
  if (direction === 'stays') return `outside ${level}`
  if (claim.type === 'range') return `inside ${level}`
  if (direction === 'never-above') return `above ${level}`
  if (direction === 'never-below') return `below ${level}`
  return `at or ${goalOf(direction, levelsOf(claim)).min === 0 ? 'below' : 'above'} ${level}`
}

export function sentencesOf(prediction: Prediction) {
  const { direction, window } = prediction.verdicts.touch
  return {
    rule: ruleSentence(prediction, 'touch', direction, window),
    sentences: byMode((mode) => verdictSentence(prediction, mode)),
  }
}

function endOf(asset: AssetKey, window: Verdict['window']): string {
  const { calendar } = ASSETS[asset]
  return calendar === 'every-day'
    ? `the end of ${showDay(window.to)} UTC`
    : `the New York close of ${showDay(lastTradingDay(calendar, window.to))}`
}

type VerdictText = {
  /** `Hit on 12 Oct 2017`, `Missed`, `Open until 31 Dec 2026`; without a full stop. */
  readonly head: string
  /** `three months after the call`; null if no single day decided. */
  readonly lead: string | null
  /** `Bitcoin closed at $5,447.`: the prices that prove it. */
  readonly evidence: string | null
}

/**
 * The verdict with its evidence: `Hit on 12 Oct 2017, three months after the call. Bitcoin closed at
 * $5,447.`
 */
export function verdictSentence(prediction: Prediction, mode: JudgeMode): string {
  const { head, lead, evidence } = verdictText(prediction, mode)
  return joined(lead === null ? head : `${head}, ${lead}`, evidence)
}

/** Whether both modes have the same evidence, which is then shown once. */
export function saysTheSame(prediction: Prediction): boolean {
  const { touch, close } = prediction.verdicts
  return (
    touch.outcome === close.outcome &&
    verdictSentence(prediction, 'touch') === verdictSentence(prediction, 'close')
  )
}

export function shortVerdictSentence(prediction: Prediction, mode: JudgeMode): string {
  const { head, evidence } = verdictText(prediction, mode)
  const { outcome } = prediction.verdicts[mode]
  const isRepeated = head === resultWord(outcome) || outcome === 'void'
  return isRepeated && evidence !== null ? evidence : joined(head, evidence)
}

function joined(head: string, evidence: string | null): string {
  return evidence === null ? `${head}.` : `${head}. ${evidence}`
}

/** A verdict in words. Prices are in today's units; `splitNote` gives levels stated before a split. */
export function verdictText(prediction: Prediction, mode: JudgeMode): VerdictText {
  const verdict = prediction.verdicts[mode]
  const { asset, claim } = prediction
  const { outcome, reason, day, reference, window } = verdict
  const level = showClaim(claim)
  const textOf = (head: string, evidence: string | null = null): VerdictText => ({
    head,
    lead: null,
    evidence,
  })
  const on = `${resultWord(outcome)}${day === null ? '' : ` on ${showDayInWords(day)}`}`
  const lead = day === null ? null : leadText(prediction, day)
  switch (reason) {
    case 'reached':
      return { head: on, lead, evidence: `${barText(asset, verdict)}.` }
    case 'broken':
      return {
        head: on,
        lead,
        evidence:
          verdict.direction === 'stays'
            ? brokeText(verdict)
            : `${barText(asset, verdict)}, ${sideText(verdict)} ${level}.`,
      }
    case 'closed-inside':
    case 'closed-outside':
      return textOf(resultWord(outcome), lastCloseText(prediction, verdict))
    case 'held':
      return textOf('Hit', successText(claim, verdict))
    case 'not-reached':
      return verdict.nearest
        ? textOf(
            'Missed',
            `The ${nearestName(verdict)} before the deadline was ${pointText(verdict.nearest)}${shortText(verdict)}.`,
          )
        : textOf('Missed', `There was no price at ${level} before the deadline.`)
    case 'not-started':
      return textOf(`Runs from ${showDayInWords(window.from)} to ${showDayInWords(window.to)}`)
    case 'open':
      return textOf(`Open until ${showDayInWords(window.to)}`, soFarText(verdict))
    case 'awaiting-prices':
      return textOf(
        `Waiting for prices: not every day up to ${showDayInWords(window.to)} is known yet`,
        soFarText(verdict),
      )
    case 'needs-range':
      return textOf(
        `Open: needs the high and low of ${showDayInWords(verdict.nearest?.day ?? window.to)}`,
        soFarText(verdict),
      )
    case 'depends-on-day':
      return textOf('Void: depends on the day it was said', possibleDaysText(verdict))
    case 'already-true':
      return textOf(
        'Void: already true',
        `The price was ${reference ? showUsd(reference.usd) : `at ${level}`} when this was said.`,
      )
    case 'already-broken':
      return textOf(
        'Void: already broken',
        `The price was ${reference ? `${showUsd(reference.usd)} when this was said, ` : 'already '}${sideText(verdict)} ${level}${reference ? '' : ' when this was said'}.`,
      )
    case 'overridden':
      return textOf(
        `${resultWord(outcome)}, decided by an administrator; the reason is in the history`,
      )
  }
}

function resultWord(outcome: Outcome): string {
  return { hit: 'Hit', miss: 'Missed', pending: 'Open', void: 'Void' }[outcome]
}

export function datesText(prediction: Prediction): string {
  const { by, byPrecision, deadlineAssumed } = prediction
  return [
    madeText(prediction),
    `Deadline ${showDay(by, byPrecision)}${deadlineAssumed ? ' (assumed: the source gives none)' : ''}`,
    splitNote(prediction),
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

/** Distance of the nearest price from the level, in per cent of the level. */
export function missedBy(verdict: Verdict): number | null {
  if (!verdict.nearest) return null
  const { usd } = verdict.nearest
  const { min, max } = verdict.level
  const edge = usd < min ? min : usd > max ? max : usd
  return (Math.abs(usd - edge) / edge) * 100
}

/** Distance of the last close outside the range, as a share of the nearest edge; null if inside or unknown. */
export function closedOutsideBy({ bar, level, direction }: Verdict) {
  const { min, max } = goalOf(direction, level)
  if (!bar) return null
  if (bar.close < min) return { share: (min - bar.close) / min, side: 'below', edge: min }
  return bar.close > max ? { share: (bar.close - max) / max, side: 'above', edge: max } : null
}

export function sideText({ direction }: Pick<Verdict, 'direction'>): string {
  return { 'never-above': 'above', stays: 'outside' }[direction as string] ?? 'below'
}

/** `Broke the range on 5 Aug 2024 (low $49,050).` */
function brokeText({ bar, mode, level }: Verdict): string {
  if (!bar) return 'Broke the range.'
  const [high, low] = mode === 'touch' ? [highOf(bar), lowOf(bar)] : [bar.close, bar.close]
  const isHigh = high > level.max
  const what = mode === 'close' || isCloseOnly(bar) ? endWord(bar) : isHigh ? 'high' : 'low'
  return `Broke the range on ${showDayInWords(bar.day)} (${what} ${showUsd(isHigh ? high : low)}).`
}

/** `Said on 15 Oct 2023 it would be a hit, on 20 Oct 2023 a miss.` */
function possibleDaysText({ possibleDays = [] }: Verdict): string {
  const isOneWay = new Set(possibleDays.map(({ direction }) => direction)).size === 1
  const parts = possibleDays.map(({ day, outcome, direction }) => {
    const way = goalOf(direction, { min: 1, max: 1 }).min === 0 ? 'downward' : 'upward'
    const what = { hit: 'a hit', miss: 'a miss', pending: 'open', void: 'void' }[outcome]
    return `on ${showDayInWords(day)} it would be ${what}${isOneWay ? '' : ` (a claim ${way})`}`
  })
  return `Said ${parts.join(', said ')}.`
}

/** Time since the statement, at its known precision: `13 months after the call`. */
function leadText({ made, madePrecision }: Prediction, day: Day): string {
  const [madeParts, then] = [partsOf(made), partsOf(day)]
  const years = then.year - madeParts.year
  switch (madePrecision) {
    case 'day': {
      const days = day - made
      if (days === 1) return 'the day after the call'
      return after(days < 730 ? showSpan(days) : showHalfYears(Math.round(days / 30.44)))
    }
    case 'month': {
      const months = 12 * years + then.month - madeParts.month
      return months === 0 ? 'in the month of the call' : after(showHalfYears(months))
    }
    case 'year':
      return years === 0 ? 'in the year of the call' : after(plural(years, 'year'))
  }
}

/** `13 months`; half years from two years on: `7.5 years`. */
function showHalfYears(months: number): string {
  return months < 24 ? showMonths(months) : plural(Math.round(months / 6) / 2, 'year')
}

const SMALL = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** `three months after the call`, with small numbers in words. */
function after(span: string): string {
  return `${span.replace(/^\d+(?= )/, (number) => SMALL[Number(number)] ?? number)} after the call`
}

/** The price that decided: `Bitcoin traded as high as $103,647 that day`, `Bitcoin closed at $5,447`. */
function barText(asset: AssetKey, { bar, mode, direction }: Verdict): string {
  const { name } = ASSETS[asset]
  if (!bar) return `${name} was there`
  if (mode === 'close' || isCloseOnly(bar)) {
    return bar.moving
      ? `The last price of ${name} that day so far is ${showUsd(bar.close)}`
      : `${name} closed at ${showUsd(bar.close)}`
  }
  const up = !isFromAbove(direction)
  const far = up ? `high as ${showUsd(highOf(bar))}` : `low as ${showUsd(lowOf(bar))}`
  return `${name} ${bar.moving ? 'has traded' : 'traded'} as ${far} that day${bar.moving ? ' so far' : ''}`
}

/** A bar's prices: `open $84,000, high $86,100, low $83,900, close $85,600`; so far, if its day is not over. */
export function showBar(bar: SeenBar): string {
  const { open, high, low, close } = bar
  const parts = [
    open !== null && `open ${showUsd(open)}`,
    high !== null && `high ${showUsd(high)}`,
    low !== null && `low ${showUsd(low)}`,
    `${endWord(bar)} ${showUsd(close)}`,
  ]
  return `${parts.filter(Boolean).join(', ')}${bar.moving ? ' (so far)' : ''}`
}

/** The price at the time of a statement: `$84,000 at the close of 20/11/2026`. */
export function showReference({ usd, day, moving }: PricePoint): string {
  const when = showDay(day)
  return moving
    ? `${showUsd(usd)}, last price of ${when} so far`
    : `${showUsd(usd)} at the close of ${when}`
}

/** A day in progress has no close. */
function endWord({ moving }: { readonly moving?: true }): string {
  return moving ? 'last price' : 'close'
}

/**
 * The last close of the window, which decided: `Bitcoin closed at $105 on 10 Jan 2024, the last day: 1% above $104.`;
 * for the end of a month or year, `Closed 2023 at $42,258, 46% above the level.`
 */
function lastCloseText(prediction: Prediction, verdict: Verdict): string {
  const { claim, asset, by, byPrecision } = prediction
  const { bar, level, direction } = verdict
  const { name } = ASSETS[asset]
  if (!bar) return `The last close of ${name} is not known.`
  const outside = closedOutsideBy(verdict)
  const isOfPeriod = timingOf(claim) === 'at_end' && byPrecision !== 'day'
  const close = showUsd(bar.close)
  const beyond = bar.close / level.min - 1
  const where =
    outside !== null
      ? `${showPercent(outside.share)} ${outside.side} ${showUsd(outside.edge)}`
      : claim.type === 'range'
        ? `inside ${showClaim(claim)}`
        : isOfPeriod && beyond !== 0
          ? `${showPercent(Math.abs(beyond))} ${beyond > 0 ? 'above' : 'below'} the level`
          : `${whereText(direction, claim)}`
  if (!isOfPeriod) {
    return `${name} closed at ${close} on ${showDayInWords(bar.day)}, the last day: ${where}.`
  }
  return `Closed ${showDay(by, byPrecision)} at ${close}, ${where}.`
}

/** How near the price has come to an open call's level; null without prices. */
function soFarText(verdict: Verdict): string | null {
  const { nearest, direction } = verdict
  if (!nearest) return null
  const what = `The ${nearestName(verdict)}`
  if (decidesAtEnd(direction)) return `${what} was ${pointText(nearest)}.`
  const away = mustHold(direction) ? '' : shortText(verdict)
  return `${what} so far is ${pointText(nearest)}${away}.`
}

/** A top or bottom that held: `The price never closed above $112 before the deadline: the highest close was $110 (3 Jan 2024).` */
function successText(claim: Claim, verdict: Verdict): string {
  const { mode, closeOnly, someClosesOnly, nearest } = verdict
  const went =
    mode === 'close' || closeOnly
      ? 'The price never closed'
      : someClosesOnly
        ? 'No known price went'
        : 'The price never went'
  const beyond = `${sideText(verdict)} ${showClaim(claim)}`
  const most = nearest ? `: the ${nearestName(verdict)} was ${pointText(nearest)}` : ''
  return `${went} ${beyond} before the deadline${most}.`
}

/**
 * Name of the nearest price: `highest close` if only closes count or that day's high is unknown, `highest known price`
 * if other days' highs are unknown, otherwise `highest price`.
 */
export function nearestName(verdict: Verdict): string {
  const { nearest, mode, closeOnly, someClosesOnly, direction, level } = verdict
  const isAtEnd = decidesAtEnd(direction)
  const isClose = (isAtEnd || mode === 'close' || closeOnly) && !nearest?.moving
  const what = isClose ? 'close' : someClosesOnly ? 'known price' : 'price'
  if (isAtEnd) return `last ${what}`
  const isLow =
    direction === 'stays' && nearest
      ? level.max / nearest.usd > nearest.usd / level.min
      : isFromAbove(direction)
  return `${isLow ? 'lowest' : 'highest'} ${what}`
}

/** `, 32% short` of a level above, `, 32% too high` for a level below. */
function shortText(verdict: Verdict): string {
  const away = missedBy(verdict)
  if (away === null || away === 0) return ''
  return verdict.direction === 'down'
    ? `, ${showPercent(away / 100)} too high`
    : `, ${showPercent(away / 100)} short`
}

function pointText({ usd, day }: PricePoint): string {
  return `${showUsd(usd)} (${showDayInWords(day)})`
}

/** `32%`, `0.4%`; never rounds up to 100%. */
export function showPercent(share: number): string {
  const percent = share * 100
  if (percent < 0.1) return 'less than 0.1%'
  if (percent < 10) return `${String(Number(percent.toFixed(1)))}%`
  return `${showCount(percent < 100 ? Math.min(99, Math.round(percent)) : percent)}%`
}
