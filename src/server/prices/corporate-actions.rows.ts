import { CORPORATE_ACTIONS, type CorporateAction } from '#domain/judging/corporate-action.ts'
import { readDay } from '#domain/day.ts'
import { type Db } from '#server/kit/db.ts'
import { corporateActions } from '#server/database/schema/predictions.ts'

/** The splits in the code and those recorded since; a recorded one of the same day wins. */
export async function loadActions(db: Db): Promise<CorporateAction[]> {
  const rows = await db.select().from(corporateActions)
  const recorded = rows.flatMap((row) => {
    const day = readDay(row.day)
    return day === null ? [] : [{ asset: row.asset, day, ratio: row.ratio }]
  })
  const known = CORPORATE_ACTIONS.filter(
    (action) => !recorded.some((one) => one.asset === action.asset && one.day === action.day),
  )
  return [...known, ...recorded]
}
