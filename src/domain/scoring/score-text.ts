import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showSourceDate } from '#domain/claim/source.ts'
import { showDay, type Day } from '#domain/day.ts'
import { lastTradingDay } from '#domain/judging/calendar.ts'
import {
  closedOutsideBy,
  missedBy,
  showPercent,
  verdictText,
} from '#domain/judging/verdict-text.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { sentenceCase, showCount, showUsd } from '#domain/price-text.ts'
import { type Band } from './call-filter.ts'
import { showChance, wayToGoText } from './odds-text.ts'
import { type Undated, type CountedCall, type PersonScore } from './person-score.ts'
import { type Scores, type Totals } from './scores.ts'

export function showShare(share: number): string {
  return `${String(Math.round(100 * share))}%`
}

/** Odds from their logarithm: `1.7`. */
export function showOdds(log: number): string {
  return Math.exp(log).toFixed(1)
}

type Hits = { readonly hits: number; readonly n: number }

/** `6 of 9 came true` */
export function cameTrueText(tally: Hits): string {
  return tally.n === 0 ? 'None decided yet' : `${ofText(tally)} came true`
}

/** `6 of 9` */
export function ofText({ hits, n }: Hits): string {
  return n === 0 ? '–' : `${showCount(hits)} of ${showCount(n)}`
}

/** A person's result against luck; empty if not tested. */
export function bandText(band: Band | null): string {
  return band === null ? 'too few comparable calls' : BAND_TEXTS[band]
}

const BAND_TEXTS: Readonly<Record<Band, string>> = {
  above: 'better than luck',
  below: 'worse than luck',
  unclear: 'cannot be told from luck',
  untested: '',
}

/** `20 of 100 replays`. @param p the chance that luck does as well */
export function asWellText(p: number): string {
  const times = Math.round(100 * p)
  return times < 1 ? 'fewer than 1 of 100 replays' : `${String(times)} of 100 replays`
}

/** `1.4 to 3.5, as 5 of the calls are dated to a month or year only`; null if all days are known. */
export function undatedText({ calls, low, high }: Undated): string | null {
  const [least, most] = [low.toFixed(1), high.toFixed(1)]
  if (calls === 0 || least === most) return null
  const some = calls === 1 ? 'one of the calls is' : `${showCount(calls)} of the calls are`
  return `${least} to ${most}, as ${some} dated to a month or year only`
}

/** Ended calls, and the comparable ones among them. */
type Tallies = {
  readonly time_is_up: { readonly n: number; readonly hits: number }
  readonly decided: { readonly calls: number; readonly hits: number; readonly expected: number }
}

/** `Expert A: 4 of 17 came true. Luck expects 6.`; without luck if it covers fewer calls, see {@link comparedText}. */
export function personFinding(name: string, { time_is_up: up, decided }: Tallies): string {
  if (up.n === 0) return `${name}: no call decided yet`
  return `${name}: ${cameTrueText(up)}.${up.n === decided.calls ? ` ${luckExpects(decided)}` : ''}`
}

/** `11 of them can be compared with luck: 2 came true. Luck expects 3.`; null if all can be, or none is decided. */
export function comparedText({ time_is_up: up, decided }: Tallies): string | null {
  const { calls: n, hits } = decided
  if (up.n === n) return null
  if (n === 0) return 'None of them can be compared with luck.'
  return `${showCount(n)} of them can be compared with luck: ${hits === 0 ? 'none' : showCount(hits)} came true. ${luckExpects(decided)}`
}

function luckExpects({ expected }: Tallies['decided']): string {
  const whole = Math.round(expected)
  return `Luck expects ${whole === 0 ? 'none' : showCount(whole)}.`
}

/** `6 of 9 came true, luck expects 4.1` */
export function againstLuckText({
  calls,
  hits,
  expected,
}: {
  readonly calls: number
  readonly hits: number
  readonly expected: number
}): string {
  if (calls === 0) return 'No call to compare yet'
  return `${cameTrueText({ hits, n: calls })}, luck expects ${expected.toFixed(1)}`
}

/**
 * Caveats for readers: days without prices, and the date the scores are computed for.
 *
 * @param lastOver the last ended day up to the as-of day: later days cannot have complete prices yet
 */
export function scoreNotes(scores: Scores, lastOver: Day = scores.asOf): string[] {
  if (scores.people.length === 0) {
    return [`No prediction had been made by ${showDay(scores.asOf)}.`]
  }
  return Object.entries(scores.pricesThrough).flatMap(([key, through]) => {
    const { name, calendar } = ASSETS[key as AssetKey]
    if (through === null) return [`There are no prices of ${name} by ${showDay(scores.asOf)}.`]
    return through < lastTradingDay(calendar, lastOver)
      ? [`${name} scores use prices up to ${showDay(through)}.`]
      : []
  })
}

/** `All calls before 28/11/2026 were collected afterwards.`; null if there are none. */
export function selectionSentence({ recordedSince }: Pick<Scores, 'recordedSince'>): string | null {
  return recordedSince === null
    ? null
    : `All calls before ${showDay(recordedSince)} were collected afterwards.`
}

/**
 * `180 calls are decided. 55 came true. Luck expects 58; nine of ten replays lie between 35 and 80.` Where some
 * have no luck: `175 of 180 decided calls can be compared with luck. 55 came true. …`
 */
export function totalsSentence({
  asset,
  timeIsUp,
  calls,
  hits,
  expected,
  margin,
}: Omit<Totals, 'bins'>): string {
  const what = asset ? `${ASSETS[asset].name} call` : 'call'
  if (timeIsUp === 0) return `No ${what} has been decided yet.`
  const decided = decidedText(timeIsUp, calls, what)
  const luck = `Luck expects ${showCount(Math.round(expected))}`
  const replays = margin
    ? `; nine of ten replays lie between ${showCount(margin.low)} and ${showCount(margin.high)}`
    : ''
  return `${decided}. ${showCount(hits)} came true. ${luck}${replays}.`
}

/** `180 Bitcoin calls are decided`, or `175 of 180 decided Bitcoin calls can be compared with luck`. */
export function decidedText(decided: number, compared: number, what: string, when = ''): string {
  const name = `${what}${decided === 1 ? '' : 's'}${when}`
  return decided === compared
    ? `${showCount(decided)} ${name} ${decided === 1 ? 'is' : 'are'} decided`
    : `${showCount(compared)} of ${showCount(decided)} decided ${name} can be compared with luck`
}

type Found = Pick<PersonScore<CountedCall>, 'name' | 'band' | 'decided' | 'replayed'>

/**
 * Whether anybody differs from luck, and who comes closest: `None of 44 people with five or more comparable calls
 * can be told from luck. Closest: X, 6 of 9, where luck expects 4.1; luck alone does as well in 20 of 100 replays.`
 */
export function findingSentence(people: readonly Found[]): string {
  const compared = people.filter(({ band }) => band !== null)
  if (compared.length === 0) return 'Nobody has five comparable calls yet.'
  const many = showCount(compared.length)
  const of = `${many} ${compared.length === 1 ? 'person' : 'people'} with five or more comparable calls`
  if (compared.every(({ band }) => band === 'untested')) {
    return `${sentenceCase(of)} of this kind. Whether anybody can be told from luck is tested over all calls only.`
  }
  const namesOf = (which: Found['band']): string =>
    AND.format(compared.filter(({ band }) => band === which).map(({ name }) => name))
  const [above, below] = [namesOf('above'), namesOf('below')]
  const worse = below === '' ? '' : ` Luck does better than ${below}.`
  if (above !== '') return `Of ${of}, luck does not explain ${above}.${worse}`
  const [closest] = compared.toSorted(byReplays)
  if (!closest || closest.decided.calls === 0) return `None of ${of} can be told from luck.`
  const { name, decided, replayed } = closest
  const hits = `${showCount(decided.hits)} of ${showCount(decided.calls)}`
  const luck = `where luck expects ${decided.expected.toFixed(1)}`
  const replays = replayed === null ? '' : `; luck alone does as well in ${asWellText(replayed)}`
  const none = worse === '' ? 'can be told from luck' : 'does better than luck'
  return `None of ${of} ${none}.${worse} Closest: ${name}, ${hits}, ${luck}${replays}.`
}

const AND = new Intl.ListFormat('en-GB')

/** Least likely by luck first; without replays, those farthest above luck. */
function byReplays(a: Found, b: Found): number {
  const excess = ({ decided }: Found): number => decided.hits - decided.expected
  return (a.replayed ?? 1) - (b.replayed ?? 1) || excess(b) - excess(a)
}

/**
 * The result of a prediction at a glance: `97% short`, `Hit three months after the call`,
 * `+38% in 112 days; luck says 9%`.
 */
export function punchLine(prediction: Prediction, mode: JudgeMode, today: Day): string {
  const verdict = prediction.verdicts[mode]
  const { lead } = verdictText(prediction, mode)
  switch (verdict.reason) {
    case 'reached':
      return lead === null ? 'Hit' : `Hit ${lead}`
    case 'broken':
      return lead === null ? 'Broken' : `Broken ${lead}`
    case 'held':
      return 'Held until the deadline'
    case 'closed-inside':
      return prediction.claim.type === 'range'
        ? 'Inside the range at the end'
        : `${verdict.direction === 'below' ? 'Below' : 'Above'} the level at the end`
    case 'closed-outside': {
      const outside = closedOutsideBy(verdict)
      return outside === null
        ? 'Outside at the end'
        : `${showPercent(outside.share)} ${outside.side} ${showUsd(outside.edge)} at the end`
    }
    case 'not-reached': {
      const away = missedBy(verdict)
      if (away === null || away === 0) return 'Never reached'
      return `${showPercent(away / 100)} ${verdict.direction === 'down' ? 'too high' : 'short'}`
    }
    case 'not-started':
      return 'Has not begun yet'
    case 'open':
    case 'needs-range':
    case 'awaiting-prices':
      return wayToGoText(prediction, mode, today) ?? 'Still open'

    case 'already-true':
      return 'Already true when it was said'
    case 'already-broken':
      return 'Already broken when it was said'
    case 'depends-on-day':
      return 'Depends on the day it was said'
    case 'overridden':
      return 'Decided by an administrator'
  }
}

/** The line of a card: `Needs +77% in 91 days · 2% chance`, `16% short · 13% chance`. */
export function cardLine(prediction: Prediction, mode: JudgeMode, today: Day): string {
  const { outcome } = prediction.verdicts[mode]
  const luck = prediction.odds?.[mode].luck ?? null
  const line = wayToGoText(prediction, mode, today) ?? punchLine(prediction, mode, today)
  const isDecided = outcome === 'hit' || outcome === 'miss'
  return isDecided && luck !== null ? `${line} · ${showChance(luck)} chance` : line
}

export const STRIP_WORDS: Readonly<Record<Outcome, string>> = {
  hit: 'came true',
  miss: 'missed',
  pending: 'open',
  void: 'void',
}

/** `Bitcoin at $100,000 by 31/12/2024: came true, luck said 12%` */
export function stripMarkText(call: {
  readonly text: string
  readonly deadline: string
  readonly outcome: Outcome
  readonly luck: number
}): string {
  const { text, deadline, luck, outcome } = call
  return `${text} by ${showSourceDate(deadline)}: ${STRIP_WORDS[outcome]}, luck said ${showChance(luck)}`
}

/**
 * A strip in words: `Calls of PlanB: 8 decided, 3 came true (luck said 12%, 40%, 71%); 2 open`.
 *
 * @param many the total number of calls if these are a sample; null for all
 */
export function stripText(
  name: string,
  calls: readonly { readonly outcome: Outcome; readonly luck: number }[],
  many: number | null = null,
): string {
  const decided = calls.filter(({ outcome }) => outcome !== 'pending')
  const hits = decided.filter(({ outcome }) => outcome === 'hit')
  const open = calls.length - decided.length
  const luck = hits.map((call) => showChance(call.luck)).join(', ')
  return [
    many === null ? 'Calls' : `${String(calls.length)} of ${showCount(many)} calls`,
    ` of ${name}: ${String(decided.length)} decided, ${String(hits.length)} came true`,
    luck === '' ? '' : ` (luck said ${luck})`,
    open > 0 ? `; ${String(open)} open` : '',
  ].join('')
}
