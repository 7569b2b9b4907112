import { dueDay } from '#domain/claim/due-day.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { median } from '#domain/median.ts'

/** A chart opens with as many as can be read at a glance; a press on All shows the rest. */
export const LEADING = 12

/** First and last day. */
export type Days = readonly [number, number]

/** A level of more than so many times the middle one would press the others flat. */
const FAR_TIMES = 3
const OUTCOMES: readonly Outcome[] = ['hit', 'miss', 'pending']

/**
 * The predictions that a chart opens with: a mix that tells the story, all of it inside the opening view. Supported ones
 * come first, most votes first; then hits, misses and open calls take turns, each by another person, those with the most
 * calls on record first, and of theirs the newest.
 *
 * @param counted predictions that are drawn and count, in any order
 * @param days the opening view
 * @param isLog the axis has room for levels far from the others
 */
export function openingChoice(
  counted: readonly Prediction[],
  mode: JudgeMode,
  days: Days,
  count: number,
  isLog = false,
): readonly Prediction[] {
  const timely = counted.filter((one) => isWithin(one, days))
  const inView = isLog ? timely : nearLevels(timely)
  const calls = new Map<string, number>()
  for (const { expert } of counted) calls.set(expert.slug, (calls.get(expert.slug) ?? 0) + 1)
  const inOrder = (a: Prediction, b: Prediction): number =>
    b.voteScore - a.voteScore ||
    (calls.get(b.expert.slug) ?? 0) - (calls.get(a.expert.slug) ?? 0) ||
    b.made - a.made ||
    (a.id < b.id ? -1 : 1)
  const chosen = new Set<Prediction>()
  const people = new Set<string>()
  // A few of many: to look for each takes less time than to sort them.
  const take = (wanted: (one: Prediction) => boolean): boolean => {
    if (chosen.size >= count) return false
    let found: Prediction | null = null
    for (const one of inView) {
      if (wanted(one) && !chosen.has(one) && (!found || inOrder(one, found) < 0)) found = one
    }
    if (!found) return false
    chosen.add(found)
    people.add(found.expert.slug)
    return true
  }
  const isNew = ({ expert }: Prediction) => !people.has(expert.slug)
  while (take((one) => one.voteScore > 0 && isNew(one)));
  for (const allowed of [isNew, () => true]) {
    let found = true
    while (found) {
      const taken = OUTCOMES.map((outcome) =>
        take((one) => allowed(one) && one.verdicts[mode].outcome === outcome),
      )
      found = taken.includes(true)
    }
  }
  return [...chosen].toSorted(inOrder)
}

function isWithin(prediction: Prediction, [from, to]: Days): boolean {
  return prediction.made >= from && dueDay(prediction) <= to
}

function nearLevels(given: readonly Prediction[]): readonly Prediction[] {
  const highest = ({ claim }: Prediction) => levelsOf(claim).max
  const middle = median(given.map(highest))
  return middle === null ? given : given.filter((one) => highest(one) <= middle * FAR_TIMES)
}
