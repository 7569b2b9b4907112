import { ASSETS } from '#domain/asset.ts'
import { timingOf } from '#domain/claim/claim.ts'
import { type Prediction, type Statement, splitNote } from '#domain/claim/prediction.ts'
import { showClaim } from '#domain/claim/text.ts'
import { addDays, showDay, startOfPrecision, plural } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { isTradingDay } from './calendar.ts'
import { windowOf } from './judge.ts'
import { type Series } from './series.ts'
import { nearestName, showBar, showReference, verdictSentence } from './verdict-text.ts'
import { decidesAtEnd, isFromAbove, mustHold, type Verdict } from './verdict.ts'

/**
 * The bars a statement is judged by, oldest first: the last one before it, or before its possible period, and those of
 * its window.
 */
export function barsThatJudge({ bars, atOrAfter }: Series, statement: Statement) {
  const first = startOfPrecision(statement.made, statement.madePrecision ?? 'day')
  const reference = atOrAfter(addDays(first, 1)) - 1
  const after = atOrAfter(addDays(windowOf(statement).to, 1))
  return bars.slice(Math.max(0, reference), after)
}

export type Step = { readonly name: string; readonly text: string }

/**
 * How the rule reaches a verdict, step by step with its figures.
 *
 * @param series the prices it was judged by
 * @param verdict the result of `judge` on these prices
 */
export function stepsOf(prediction: Prediction, series: Series, verdict: Verdict): readonly Step[] {
  const split = splitNote(prediction)
  return [
    { name: 'Level', text: `${showClaim(prediction.claim)}${split === null ? '' : ` (${split})`}` },
    { name: 'Price when it was made', text: referenceText(prediction, series, verdict) },
    { name: 'Which way', text: directionText(prediction, verdict) },
    { name: 'Days that count', text: windowText(series, verdict) },
    { name: 'What is compared', text: comparedText(prediction, series, verdict) },
    {
      name: 'Verdict',
      text: verdictSentence(
        { ...prediction, verdicts: { ...prediction.verdicts, [verdict.mode]: verdict } },
        verdict.mode,
      ),
    },
  ]
}

function referenceText({ made }: Prediction, series: Series, { reference }: Verdict): string {
  const isFinal = series.finalThrough !== null && series.finalThrough >= series.lastSession(made)
  const wait = isFinal
    ? ''
    : ` The prices of ${showDay(made)} are not final yet: nothing is decided.`
  return reference
    ? `${showReference(reference)}: the last one up to the day it was made.${wait}`
    : `These prices include none up to ${showDay(made)}.${wait}`
}

function directionText({ claim, asset }: Prediction, { direction, reference }: Verdict): string {
  const { name } = ASSETS[asset]
  const level = claim.type === 'range' ? 'the range' : 'the level'
  switch (direction) {
    case 'up':
      if (claim.direction) return `The source says ${name} would rise to ${level}.`
      return reference
        ? `${name} was below ${level}, so it has to rise to it.`
        : `No earlier price says on which side ${name} was, so it has to rise to ${level}.`
    case 'down':
      if (claim.direction) return `The source says ${name} would fall to ${level}.`
      return `${name} was above ${level}, so it has to fall to it.`
    case 'above':
    case 'below':
    case 'inside':
      return timingOf(claim) === 'at_end'
        ? `The claim is about the end, so the last close decides: ${direction === 'inside' ? 'inside the range' : `at or ${direction} the level`}.`
        : `${name} was ${claim.type === 'range' ? 'inside the range' : 'at or above the level'} already, so the last close decides.`
    case 'never-above':
      return 'No price may go above the level.'
    case 'never-below':
      return 'No price may go below the level.'
    case 'stays':
      return 'No price may leave the range.'
  }
}

function windowText(series: Series, { window }: Verdict): string {
  const { calendar, finalThrough } = series
  let [days, over] = [0, 0]
  const missing = []
  for (let at = window.from; at <= window.to; at = addDays(at, 1)) {
    if (!isTradingDay(calendar, at)) continue
    days += 1
    if (finalThrough === null || at > finalThrough) continue
    over += 1
    if (series.bars[series.atOrAfter(at)]?.day !== at) missing.push(at)
  }
  const kind = calendar === 'every-day' ? 'day' : 'trading day'
  const all = `${showDay(window.from)} to ${showDay(window.to)}: ${plural(days, kind)}`
  const [first] = missing
  const known =
    over === days
      ? ''
      : over === 0
        ? ', but these prices include none of them'
        : `, of which these prices include ${String(over)}`
  return first === undefined
    ? `${all}${known}.`
    : `${all}${known}; ${plural(missing.length, 'price')} missing, the first of ${showDay(first)}. Without all of them, nothing counts as never reached.`
}

function comparedText(
  { claim, made, madePrecision }: Prediction,
  series: Series,
  verdict: Verdict,
): string {
  const { mode, direction, window, bar, nearest, outcome, reason } = verdict
  const level = showClaim(claim)
  if (outcome === 'void') {
    return reason === 'depends-on-day'
      ? `Each day of ${showDay(made, madePrecision)} on which it may have been said: their outcomes differ.`
      : `The price when it was made with ${level}: it was already there.`
  }
  const [from, to] = [series.atOrAfter(window.from), series.atOrAfter(addDays(window.to, 1)) - 1]
  if (decidesAtEnd(direction)) {
    return bar
      ? `The close of the last day with ${level}: ${showUsd(bar.close)} on ${showDay(bar.day)}.`
      : `The close of the last day with ${level}, once it is known.`
  }
  const what =
    mode === 'close'
      ? 'closes'
      : direction === 'stays'
        ? 'highs and lows'
        : isFromAbove(direction)
          ? 'lows'
          : 'highs'
  const alone = mode === 'touch' ? series.closesOnly(from, to) : 0
  const note =
    alone === 0
      ? ''
      : ` Of ${plural(alone, 'day')} only the close is known; it counts as high and low.`
  const found = bar
    ? `${mustHold(direction) ? 'The first beyond it' : 'The first that reaches it'}: ${showDay(bar.day)}, ${showBar(bar)}.`
    : nearest
      ? `None of them ${mustHold(direction) ? 'goes beyond it' : 'reaches it'}: the ${nearestName(verdict)} is ${showUsd(nearest.usd)} on ${showDay(nearest.day)}.`
      : 'There are none yet.'
  return `The ${what} of these days with ${level}, oldest first. ${found}${note}`
}
