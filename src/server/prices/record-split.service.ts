import { type AssetKey } from '#domain/asset.ts'
import { addDays, type Day } from '#domain/day.ts'
import { corporateActions } from '#server/database/schema/predictions.ts'
import { judgeAll } from '#server/judging/judging.service.ts'
import { acquireLock, hasEffect } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { today } from '#server/kit/time.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { rescaleBars } from './bars.rows.ts'
import { answerQuestions } from './price-sources.rows.ts'

/** A split answers questions about days this close to it, as sources report it on different days. */
const QUESTION_DAYS = 10

/**
 * Records a split named by an administrator. Converts earlier prices to the units after it, and judges everything again.
 * @param ratio how many units one became
 * @returns false when a split of that day is already known
 */
export async function recordSplit(
  kit: Pick<Kit, 'db' | 'clock'>,
  asset: AssetKey,
  { day, ratio, note }: { readonly day: Day; readonly ratio: number; readonly note: string },
): Promise<boolean> {
  return kit.db.transaction(async (tx) => {
    await acquireLock(tx)
    const split = { asset, day, ratio, note }
    const add = tx.insert(corporateActions).values(split).onConflictDoNothing()
    if (!(await hasEffect(add))) return false
    await rescaleBars(tx, asset, day, ratio)
    const near = { from: addDays(day, -QUESTION_DAYS), to: addDays(day, QUESTION_DAYS) }
    await answerQuestions(tx, asset, near, 'split')
    await judgeAll(tx, today(kit), [asset])
    await recordChanged(tx, { prices: true })
    return true
  })
}
