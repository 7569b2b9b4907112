import { type PredictionMessage, type VerdictMessage } from '#contracts/live.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { type StoredPrediction } from './predictions.rows.ts'
import { type Catalog, type Snapshot } from './catalog.service.ts'
import { type LivePrices } from '#server/prices/live-prices.ts'
import { type JudgedRow } from '#server/judging/judging.service.ts'

/** Every page that hears of one reads its list again: of an import it need not hear each. */
const MOST_SENT = 100

/** Sends open pages what has changed whenever the record has been read again. @returns ends it */
export function sendNews(
  catalog: Pick<Catalog, 'snapshot' | 'onRefresh'>,
  live: Pick<LivePrices, 'recorded'>,
): () => void {
  return catalog.onRefresh((before) => {
    const after = catalog.snapshot()
    if (!after || before?.version === after.version) return
    live.recorded({
      since: before?.version ?? null,
      version: after.version,
      verdicts: verdictNews(before, after),
      predictions: predictionNews(before, after),
    })
  })
}

/** The verdicts that were put on record between two states of it, of predictions that were shown before. */
export function verdictNews(before: Snapshot | null, after: Snapshot | null): VerdictMessage[] {
  if (!before || !after || before === after) return []
  const shown = new Map(rowsOf(before).map((row) => [row.stored.id, row]))
  return rowsOf(after).flatMap(({ stored: { id, asset }, inForce, verdicts }) => {
    const old = shown.get(id)
    if (!old) return []
    return JUDGE_MODES.flatMap((mode) => {
      const verdict = inForce[mode]
      if (verdict === null || verdict === old.inForce[mode]) return []
      return [{ id, asset, mode, outcome: verdicts[mode].outcome }]
    })
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
    .slice(0, MOST_SENT)
    .map(({ id, asset, expert }) => ({ id, asset, expert: expert.slug }))
}

function storedIn(of: Snapshot): ReadonlyMap<string, StoredPrediction> {
  return new Map(rowsOf(of).map(({ stored }) => [stored.id, stored]))
}

function rowsOf({ assets }: Snapshot): readonly JudgedRow[] {
  return Object.values(assets).flatMap(({ judged }) => judged.rows)
}
