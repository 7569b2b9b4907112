import { type RangeEffect } from '#contracts/operations.ts'
import { outcomeOn } from '#domain/judging/verdict-text.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Verdict } from '#domain/judging/verdict.ts'
import { type Db } from '#server/kit/db.ts'
import { readJudged } from './judging.service.ts'
import { type NewVerdict } from './verdicts.rows.ts'

/** A list that a person reads. */
const MOST_LISTED = 200

/** Judges an asset with new ranges of some days, without writing. */
export async function judgeRanges(
  db: Db,
  asset: AssetKey,
  today: Day,
  days: ReadonlySet<Day>,
): Promise<{ readonly verdicts: NewVerdict[]; readonly effect: RangeEffect }> {
  const { rows } = await readJudged(db, asset, today)
  const verdicts: NewVerdict[] = []
  const others: RangeEffect['changes'] = []
  const sooner: RangeEffect['changes'] = []
  let completed = 0
  for (const { stored, verdicts: shown, inForce, changes: found } of rows) {
    for (const one of found) {
      const { mode } = one.verdict
      const before = inForce[mode] === null ? null : shown[mode]
      if (one.change !== 'prices' || !before || !isByRange(before, one.verdict, days)) {
        verdicts.push(one)
        continue
      }
      const event = one.event.replace(/\.$/, ' (daily range now known).')
      verdicts.push({ ...one, change: 'range', event })
      const isOther = before.outcome !== one.verdict.outcome
      if (!isOther && before.day === one.verdict.day) completed += 1
      else {
        ;(isOther ? others : sooner).push({
          id: stored.id,
          mode,
          before: outcomeOn(before),
          after: outcomeOn(one.verdict),
        })
      }
    }
  }
  // Another outcome is what a person looks for first.
  const changes = [...others, ...sooner]
  const effect = { changes: changes.slice(0, MOST_LISTED), changed: changes.length, completed }
  return { verdicts, effect }
}

/** Whether it is the range of one of these days that makes the difference: a new day may decide in the same import. */
function isByRange(before: Verdict, now: Verdict, days: ReadonlySet<Day>): boolean {
  const isOne = (day: Day | null | undefined): boolean => day != null && days.has(day)
  if (before.outcome !== now.outcome || before.day !== now.day) {
    return isOne(before.day) || isOne(now.day)
  }
  return [before, now].some(({ day, bar, nearest, unconfirmed, reference }) =>
    [day, bar?.day, nearest?.day, unconfirmed?.day, reference?.day].some(isOne),
  )
}
