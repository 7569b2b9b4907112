import { outcomeOn } from '#domain/judging/verdict-text.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type Day } from '#domain/day.ts'
import { type RangeChange } from '#domain/judging/known-range.ts'
import { type Verdict } from '#domain/judging/verdict.ts'
import { type Db } from '#server/kit/db.ts'
import { readJudged } from './judging.service.ts'
import { addVerdicts, type NewVerdict } from './verdicts.rows.ts'

/** What the ranges of days do to the verdicts on record. */
export type RangeEffect = {
  /** Verdicts whose outcome or day is another one, the first ones of many. */
  readonly changes: readonly RangeChange[]
  readonly changed: number
  /** Verdicts that stay as they are, on better evidence. */
  readonly completed: number
}

/** A list that a person reads. */
const MOST_LISTED = 200

/**
 * What would change if the ranges of these days were known. Nothing is written.
 *
 * @param bars of the asset with these ranges
 */
export async function previewRanges(
  db: Db,
  asset: AssetKey,
  today: Day,
  { days, bars }: { readonly days: ReadonlySet<Day>; readonly bars: readonly AgreedBar[] },
): Promise<RangeEffect> {
  return (await changesOf(db, asset, today, days, bars)).effect
}

/**
 * Judges an asset after the ranges of some days became known. A verdict that changes by them is recorded with that reason,
 * and is no news; any other as always.
 *
 * @param tx the transaction that brought the ranges
 */
export async function judgeRanges(
  tx: Db,
  asset: AssetKey,
  today: Day,
  days: ReadonlySet<Day>,
): Promise<RangeEffect & { readonly written: number }> {
  const { verdicts, effect } = await changesOf(tx, asset, today, days, null)
  await addVerdicts(tx, verdicts)
  return { ...effect, written: verdicts.length }
}

async function changesOf(
  db: Db,
  asset: AssetKey,
  today: Day,
  days: ReadonlySet<Day>,
  bars: readonly AgreedBar[] | null,
): Promise<{ verdicts: NewVerdict[]; effect: RangeEffect }> {
  const { rows } = await readJudged(db, asset, today, bars)
  const verdicts: NewVerdict[] = []
  const others: RangeChange[] = []
  const sooner: RangeChange[] = []
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
      if (before.outcome === one.verdict.outcome && before.day === one.verdict.day) completed += 1
      else {
        const isOther = before.outcome !== one.verdict.outcome
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
