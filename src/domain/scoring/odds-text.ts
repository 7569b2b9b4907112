import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { plural, showDay, type Day } from '#domain/day.ts'
import { closedOutsideBy, missedBy, showPercent } from '#domain/judging/verdict-text.ts'
import { decidesAtEnd, mustHold, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { sentenceCase, showCount, showUsd } from '#domain/price-text.ts'
import { LEAST_LUCK } from './luck.ts'
import { type ScoredCall } from './scored-call.ts'
import { type NoLuck, type WayToGo } from './touch.ts'

/** `Its chance was 12%, 1 in 8`, or why it cannot be compared with luck; null for a draft. */
export function luckText(prediction: Prediction, mode: JudgeMode): string | null {
  const odds = prediction.odds?.[mode]
  if (!odds) return null
  if (odds.luck === null) return noLuckSentence({ ...prediction, noLuck: odds.noLuck })
  return chanceText(odds.luck)
}

/** The result in a few words: `on 03/12/2017`, `45% short`, `closed 3.1% below`, `+38% to go`; empty if void. */
export function resultText(prediction: Prediction, mode: JudgeMode, today: Day): string {
  const verdict = prediction.verdicts[mode]
  const { outcome, reason, day } = verdict
  if (outcome === 'pending') return leftText(prediction, mode, today) ?? ''
  if (outcome === 'hit') return day === null ? 'held' : `on ${showDay(day)}`
  if (outcome === 'void') return ''
  if (reason === 'broken' && day !== null) return `broken on ${showDay(day)}`
  const outside = closedOutsideBy(verdict)
  if (reason === 'closed-outside' && outside) {
    return `closed ${showPercent(outside.share)} ${outside.side}`
  }
  const short = missedBy(verdict)
  return short === null ? '' : `${showPercent(short / 100)} short`
}

/** Older prices are shown with their day; a weekend with a holiday is this long. */
const FRESH_DAYS = 4

/**
 * `Needs +38% in 112 days · 9% chance`, or with an older price `+38% to go from 01/10/2026 · 9% chance`; null unless the
 * call is open.
 */
export function wayToGoText(prediction: Prediction, mode: JudgeMode, today: Day): string | null {
  const left = prediction.odds?.[mode].left
  if (!left) return null
  const { direction } = prediction.verdicts[mode]
  if (fromText(left, today) === '') return textOf(direction, left)
  return `${sentenceCase(leftText(prediction, mode, today) ?? '')}${luckOf(left)}`
}

function textOf(direction: Verdict['direction'], left: WayToGo): string {
  const distance = distanceText(direction, left)
  const need = /^[+−×]/.test(distance) ? `Needs ${distance}` : sentenceCase(distance)
  return `${need}${luckOf(left)}`
}

function luckOf({ chance }: WayToGo): string {
  return chance === null ? '' : ` · ${showChance(chance)} chance`
}

/** `Needs +38% in 112 days · 9% chance, from $84,853 on 01/10/2026.` */
export function wayToGoSentence(prediction: Prediction, mode: JudgeMode): string | null {
  const left = prediction.odds?.[mode].left
  if (!left) return null
  const text = textOf(prediction.verdicts[mode].direction, left)
  return `${text}, from ${showUsd(left.usd)} on ${showDay(left.day)}.`
}

/** The required or allowed change: `+38% to go`, with the day of the price if it is not recent; null unless the call is open. */
export function leftText(prediction: Prediction, mode: JudgeMode, today: Day): string | null {
  const left = prediction.odds?.[mode].left
  if (!left) return null
  const { direction } = prediction.verdicts[mode]
  const from = fromText(left, today)
  if (mustHold(direction)) return `at most ${showChange(left.change)}${from}`
  if (left.change !== 0) return `${showChange(left.change)} to go${from}`
  return from === '' ? 'there now' : `there on ${showDay(left.day)}`
}

function fromText({ day }: WayToGo, today: Day): string {
  return today - day > FRESH_DAYS ? ` from ${showDay(day)}` : ''
}

/** `+38% in 112 days` */
function distanceText(direction: Verdict['direction'], { change, days }: WayToGo): string {
  const within = plural(days, 'day')
  if (mustHold(direction)) return `at most ${showChange(change)} for ${within}`
  if (change !== 0) return `${showChange(change)} in ${within}`
  return decidesAtEnd(direction) ? `there now, ${within} to go` : `there now, counts later`
}

/** `+38%`, `−4.2%`, `×12` from ten times on. */
function showChange(change: number): string {
  if (change >= 9) return `×${String(Math.round(change + 1))}`
  const percent = 100 * Math.abs(change)
  const text = percent < 9.95 ? percent.toFixed(1) : String(Math.round(percent))
  return `${change < 0 ? '−' : '+'}${text}%`
}

/** Why a call cannot be compared with luck, as a sentence; null if it can. */
export function noLuckSentence({
  asset,
  made,
  noLuck,
}: {
  readonly asset: AssetKey
  readonly made: ScoredCall['made']
  readonly noLuck: NoLuck | null
}): string | null {
  const { symbol } = ASSETS[asset]
  switch (noLuck) {
    case null:
      return null
    case 'void':
      return 'It is void, and counts in nothing.'
    case 'no-reference':
      return `The price of ${symbol} on ${showDay(made)}, when it was said, is not known.`
    case 'little-history':
      return `There is too little history: luck needs 90 daily returns of ${symbol} before ${showDay(made)}.`
    case 'too-long':
      return 'It runs longer than two years: too long to estimate luck.'
    case 'no-day':
      return `${symbol} does not trade on any day of its window.`
  }
}

/** Formats a chance: `12%`, and `<1%` or `>99%` at the ends. */
export function showChance(chance: number): string {
  if (chance < 0.01) return '<1%'
  return chance > 0.99 ? '>99%' : `${String(Math.round(chance * 100))}%`
}

/** `Its chance was 12%, 1 in 8`; without the odds for an easy call. */
export function chanceText(chance: number): string {
  const text = `Its chance was ${showChance(chance)}`
  if (chance <= LEAST_LUCK) return `${text}, less than 1 in 1,000`
  if (chance >= EASY) return text
  const times = 1 / chance
  return `${text}, 1\u00a0in\u00a0${times < 4.95 ? String(Number(times.toFixed(1))) : showCount(Math.round(times))}`
}

const EASY = 0.6
