import { type Consensus, type SharedCall, type YearTally } from './year-card.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showCount, showLevel } from '#domain/price-text.ts'

type YearOf = {
  readonly asset: AssetKey
  readonly tally: YearTally
  /** The year has not ended, with its prices. */
  readonly isSoFar: boolean
}

/**
 * Outcome of a year's calls: `18 of 41 Bitcoin calls due in 2025 came true. Luck expects 15.3.`; the number of open
 * calls if none is decided.
 */
export function yearFinding({ asset, tally, isSoFar }: YearOf): string {
  const { year, n, hits, expected, open } = tally
  const { name } = ASSETS[asset]
  const when = `${isSoFar ? 'so far in' : 'in'} ${String(year)}`
  if (n === 0) {
    if (open === 0) return `No ${name} call due in ${String(year)} can be compared with luck.`
    return open === 1
      ? `1 ${name} call is due in ${String(year)}. Its time is not up yet.`
      : `${callsText(open, name)} are due in ${String(year)}. Their time is not up yet.`
  }
  const luck = `Luck expects ${expected.toFixed(1)}.`
  if (n > 1) {
    return `${showCount(hits)} of ${callsText(n, name)} due ${when} came true. ${luck}`
  }
  return `The one ${name} call due ${when} ${hits === 1 ? 'came true' : 'did not come true'}. ${luck}`
}

/** Calls not covered by the finding: open or incomparable. */
export function yearRest({ n, open, due }: YearTally): string {
  const left = due - n - open
  return [
    n > 0 && open > 0 ? `${callsText(open)} of this year ${open === 1 ? 'is' : 'are'} open.` : '',
    left > 0 ? `${callsText(left)} ${left === 1 ? 'is' : 'are'} not compared with luck.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** `1,090% too high`, `72% too low`: a level relative to its last price. */
export function errorText(error: number): string {
  const percent = Math.abs(error) * 100
  const text =
    percent < 9.95
      ? String(Number(percent.toFixed(1)))
      : showCount(error < 0 ? Math.min(99, Math.round(percent)) : percent)
  return `${percent < 0.05 ? 'less than 0.1' : text}% too ${error > 0 ? 'high' : 'low'}`
}

type Way = Consensus<SharedCall>['direction']

/** Direction of a consensus: `Up to`, before the level. */
export function consensusWay(direction: Way): string {
  return WAYS[direction]
}

const WAYS: Readonly<Record<Way, string>> = {
  up: 'Up to',
  down: 'Down to',
  above: 'At or above',
  below: 'At or below',
  stays: 'Within',
  'never-above': 'Never above',
  'never-below': 'Never below',
}

/** `Up to $95,000 – $105,000` */
export function consensusLevel({
  direction,
  low,
  high,
}: Pick<Consensus<SharedCall>, 'direction' | 'low' | 'high'>): string {
  const level = low === high ? showLevel(low) : `${showLevel(low)} – ${showLevel(high)}`
  return `${consensusWay(direction)} ${level}`
}

/** `9 people, 14 calls` */
export function peopleAndCalls({
  people,
  calls,
}: {
  readonly people: number
  readonly calls: number
}): string {
  const who = `${showCount(people)} people`
  return calls === people ? who : `${who}, ${callsText(calls)}`
}

/** `3 of 14 came true`, `none came true` */
export function cameTrue({
  calls,
  hits,
}: {
  readonly calls: number
  readonly hits: number
}): string {
  if (hits === 0) return 'none came true'
  return hits === calls ? 'all came true' : `${showCount(hits)} of ${showCount(calls)} came true`
}

/** `1 call`, `41 Bitcoin calls` */
function callsText(count: number, name?: string): string {
  const what = name === undefined ? 'call' : `${name} call`
  return `${showCount(count)} ${what}${count === 1 ? '' : 's'}`
}
