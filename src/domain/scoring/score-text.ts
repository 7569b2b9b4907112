import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { lastTradingDay } from '#domain/judging/calendar.ts'
import { showCount } from '#domain/price-text.ts'
import { asWellText } from './figure-text.ts'
import { type CountedCall, type PersonScore } from './person-score.ts'
import { type Scores } from './scores.ts'
import { type Totals } from './totals.ts'

/**
 * What a reader has to know about these scores: days without prices, and as of when they hold.
 *
 * @param lastOver the last day up to the as-of day that is over: of a later one there cannot be a complete price yet
 */
export function scoreNotes(scores: Scores, lastOver: Day = scores.asOf): string[] {
  if (scores.people.length === 0) {
    return [`No prediction had been made by ${showDay(scores.asOf)}.`]
  }
  return Object.entries(scores.pricesThrough).flatMap(([key, through]) => {
    const { name, calendar } = ASSETS[key as AssetKey]
    if (through === null) return [`There are no prices of ${name} by ${showDay(scores.asOf)}.`]
    return through < lastTradingDay(calendar, lastOver)
      ? [`Prices of ${name} are known up to ${showDay(through)}: its scores hold as of then.`]
      : []
  })
}

/** `All calls before 28/11/2026 were collected afterwards.`; null if there are none. */
export function selectionSentence({ recordedSince }: Pick<Scores, 'recordedSince'>): string | null {
  return recordedSince === null
    ? null
    : `All calls before ${showDay(recordedSince)} were collected afterwards.`
}

/** `180 calls are decided. 55 came true. Luck expects 58; nine of ten replays lie between 35 and 80.` */
export function totalsSentence({
  asset,
  calls,
  hits,
  expected,
  margin,
}: Omit<Totals, 'bins'>): string {
  const what = asset ? `${ASSETS[asset].name} call` : 'call'
  if (calls === 0) return `No ${what} is decided yet.`
  const decided = `${showCount(calls)} ${what}${calls === 1 ? ' is' : 's are'} decided`
  const luck = `Luck expects ${showCount(Math.round(expected))}`
  const replays = margin
    ? `; nine of ten replays lie between ${showCount(margin.low)} and ${showCount(margin.high)}`
    : ''
  return `${decided}. ${showCount(hits)} came true. ${luck}${replays}.`
}

type Found = Pick<PersonScore<CountedCall>, 'name' | 'band' | 'decided' | 'replayed'>

/**
 * Whether anybody can be told from luck, and who comes closest: `None of 44 people with five or more decided calls can be
 * told from luck. Closest: X, 6 of 9, where luck expects 4.1; luck alone does as well in 20 of 100 replays.`
 */
export function findingSentence(people: readonly Found[]): string {
  const compared = people.filter(({ band }) => band !== null)
  if (compared.length === 0) return 'Nobody has five decided calls yet.'
  const many = showCount(compared.length)
  const of = `${many} ${compared.length === 1 ? 'person' : 'people'} with five or more decided calls`
  const namesOf = (which: Found['band']): string =>
    listed(compared.filter(({ band }) => band === which).map(({ name }) => name))
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

/** Those first whom luck equals least often; without replays those farthest above it. */
function byReplays(a: Found, b: Found): number {
  const excess = ({ decided }: Found): number => decided.hits - decided.expected
  return (a.replayed ?? 1) - (b.replayed ?? 1) || excess(b) - excess(a)
}

function listed(names: readonly string[]): string {
  return names.length > 1
    ? `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
    : (names[0] ?? '')
}
