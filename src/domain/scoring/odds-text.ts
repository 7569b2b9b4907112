import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type NoLuck } from './odds.ts'
import { type ScoredCall } from './scored-call.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showDay, type Day } from '#domain/day.ts'
import { decidesAtEnd, mustHold, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { LEAST_LUCK } from './least-luck.ts'
import { type WayToGo } from './odds.ts'

/** `Luck said 12 %: a 1-in-8 call`; why it cannot be compared with luck; null where a statement is only being tried. */
export function luckText(prediction: Prediction, mode: JudgeMode): string | null {
  const odds = prediction.odds?.[mode]
  if (!odds) return null
  if (odds.luck === null) return noLuckSentence({ ...prediction, noLuck: odds.noLuck })
  return `Luck said ${showChance(odds.luck)}: ${showBoldness(odds.luck)}`
}

/** Older than that a price is named with its day; a weekend with a holiday is as long. */
const FRESH_DAYS = 4

/** `+38 % in 112 days; luck says 9 %`, with the day it counts from where that is not of these days; null unless it is open. */
export function wayToGoText(prediction: Prediction, mode: JudgeMode, today: Day): string | null {
  const left = prediction.odds?.[mode].left
  if (!left) return null
  return textOf(prediction.verdicts[mode].direction, left, fromText(left, today))
}

function textOf(direction: Verdict['direction'], left: WayToGo, from: string): string {
  const luck = left.chance === null ? '' : `; luck says ${showChance(left.chance)}`
  return `${distanceText(direction, left)}${from}${luck}`
}

/** `From $84,853 on 01/10/2026: +38 % in 112 days; luck says 9 %.` */
export function wayToGoSentence(prediction: Prediction, mode: JudgeMode): string | null {
  const left = prediction.odds?.[mode].left
  if (!left) return null
  const text = textOf(prediction.verdicts[mode].direction, left, '')
  return `From ${showUsd(left.usd)} on ${showDay(left.day)}: ${text}.`
}

/** What luck said when it was made, and of an open one what is left; empty where it says nothing. */
export function oddsLines(prediction: Prediction, mode: JudgeMode, today: Day): readonly string[] {
  const odds = prediction.odds?.[mode]
  if (odds?.luck == null && odds?.noLuck !== 'too-long') return []
  return [luckText(prediction, mode), wayToGoText(prediction, mode, today)].filter(
    (text) => text !== null,
  )
}

/** How far the price has to go, or may: `+38 % to go`, with the day it counts from where that is not of these days; null unless it is open. */
export function leftText(prediction: Prediction, mode: JudgeMode, today: Day): string | null {
  const left = prediction.odds?.[mode].left
  if (!left) return null
  return `${leftOf(prediction.verdicts[mode].direction, left.change)}${fromText(left, today)}`
}

function leftOf(direction: Verdict['direction'], change: number): string {
  if (mustHold(direction)) return `at most ${showChange(change)}`
  return change === 0 ? 'there now' : `${showChange(change)} to go`
}

function fromText({ day }: WayToGo, today: Day): string {
  return today - day > FRESH_DAYS ? ` from ${showDay(day)}` : ''
}

function distanceText(direction: Verdict['direction'], { change, days }: WayToGo): string {
  const within = `${String(days)} ${days === 1 ? 'day' : 'days'}`
  if (mustHold(direction)) return `at most ${showChange(change)} for ${within}`
  if (change !== 0) return `${showChange(change)} in ${within}`
  return decidesAtEnd(direction) ? `there now, ${within} to go` : `there now, counts later`
}

/** `+38 %`, `−4.2 %`, `×12` from ten times on. */
function showChange(change: number): string {
  if (change >= 9) return `×${String(Math.round(change + 1))}`
  const percent = 100 * Math.abs(change)
  const text = percent < 9.95 ? percent.toFixed(1) : String(Math.round(percent))
  return `${change < 0 ? '−' : '+'}${text} %`
}

/** Why a call cannot be compared with luck, as a sentence; null when it can. */
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
      return 'It runs longer than two years: too long to say what luck would do.'
    case 'no-day':
      return `${symbol} does not trade on any day of its window.`
  }
}

/** A chance for people to read: `12 %`, and `<1 %` or `>99 %` at the ends. */
export function showChance(chance: number): string {
  if (chance < 0.01) return '<1 %'
  return chance > 0.99 ? '>99 %' : `${String(Math.round(chance * 100))} %`
}

/** `a 1-in-8 call`; `an easy call` where luck hits three times of five or more. */
export function showBoldness(chance: number): string {
  if (chance <= LEAST_LUCK) return 'less than 1 in 1,000'
  if (chance >= EASY) return 'an easy call'
  const times = 1 / chance
  return `a 1-in-${times < 4.95 ? String(Number(times.toFixed(1))) : showCount(Math.round(times))} call`
}

const EASY = 0.6
