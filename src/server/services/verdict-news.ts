import { type PredictionMessage, type VerdictMessage } from '#contracts/live.ts'
import { JUDGE_MODES } from '#domain/verdict.ts'
import { type StoredPrediction } from '#server/store/predictions.ts'
import { type Snapshot } from './catalog.ts'

/** Every page that hears of one reads its list again: of an import it need not hear each. */
const MOST_TOLD = 100

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

/** The predictions that came, went, or of which something else than a verdict changed between two states of the record. */
export function predictionNews(
  before: Snapshot | null,
  after: Snapshot | null,
): PredictionMessage[] {
  if (!before || !after || before === after) return []
  const [old, now] = [storedIn(before), storedIn(after)]
  const gone = [...old.values()].filter(({ id }) => !now.has(id))
  const changed = [...now.values()].filter(
    (one) => JSON.stringify(one) !== JSON.stringify(old.get(one.id)),
  )
  return [...changed, ...gone]
    .slice(0, MOST_TOLD)
    .map(({ id, asset, expert }) => ({ id, asset, expert: expert.slug }))
}

function storedIn({ assets }: Snapshot): ReadonlyMap<string, StoredPrediction> {
  const rows = Object.values(assets).flatMap(({ judged }) => judged.rows)
  return new Map(rows.map(({ stored }) => [stored.id, stored]))
}
