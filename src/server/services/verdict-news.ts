import { type VerdictMessage } from '#contracts/live.ts'
import { JUDGE_MODES } from '#domain/verdict.ts'
import { type Snapshot } from './catalog.ts'

/** The predictions that have been judged anew between two states of the record. */
export function verdictNews(before: Snapshot | null, after: Snapshot | null): VerdictMessage[] {
  if (!before || !after || before === after) return []
  return [...after.byId].flatMap(([id, { row }]) => {
    const old = before.byId.get(id)?.row
    if (!old) return []
    return JUDGE_MODES.filter(
      (mode) => old.verdicts[mode].outcome !== row.verdicts[mode].outcome,
    ).map((mode) => ({ id, asset: row.asset_type, mode, outcome: row.verdicts[mode].outcome }))
  })
}
