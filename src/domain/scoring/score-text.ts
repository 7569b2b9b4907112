import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { lastTradingDay } from '#domain/judging/calendar.ts'
import { showVotes } from './figure-text.ts'
import { LEAST_VOTES } from './least-votes.ts'
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

/** `202 Bitcoin calls are decided. 60 came true. Luck expects 61.` */
export function totalsSentence({ asset, calls, hits, expected }: Totals): string {
  const what = asset ? `${ASSETS[asset].name} call` : 'call'
  if (calls === 0) return `No ${what} is decided yet.`
  const decided = calls === 1 ? `1 ${what} is decided` : `${String(calls)} ${what}s are decided`
  return `${decided}. ${String(hits)} came true. Luck expects ${String(Math.round(expected))}.`
}

/** The finding of the day: who leads, what luck would have done, and whether that is more than luck. */
export function findingSentence({
  people,
  beyondDoubt,
}: {
  readonly people: readonly Pick<
    Scores['people'][number],
    'slug' | 'name' | 'isRanked' | 'againstLuck'
  >[]
  readonly beyondDoubt: Scores['beyondDoubt']
}): string {
  const [leader] = people
  if (!leader?.isRanked) return `Nobody has ${String(LEAST_VOTES)} decided calls yet.`
  const { observed, expected } = leader.againstLuck
  const hits = `with ${votesText(observed)} where luck expects ${expected.toFixed(1)}`
  const lead =
    observed > expected
      ? `${leader.name} leads ${hits}.`
      : `${leader.name} comes first ${hits}: no better than luck.`
  if (!beyondDoubt) return observed > expected ? `${lead} This may be luck.` : lead
  if (beyondDoubt.length === 0) return `Nobody has yet beaten luck beyond doubt. ${lead}`
  const names = people.filter(({ slug }) => beyondDoubt.includes(slug)).map(({ name }) => name)
  return `Luck does not explain the calls of ${listed(names)}. ${lead}`
}

/** `1 hit`, `2.5 hits` */
function votesText(votes: number): string {
  const text = showVotes(votes)
  return `${text} ${text === '1' ? 'hit' : 'hits'}`
}

function listed(names: readonly string[]): string {
  return names.length > 1
    ? `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
    : (names[0] ?? '')
}
