import { CORRECTION_KINDS } from '#contracts/corrections-log.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { judgedPrediction, readJudged, type JudgedAsset } from '#server/judging/judging.service.ts'
import { eventsOf } from '#server/judging/verdicts.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { type WholeRecord } from './snapshot-tables.ts'

/** The record as of one moment; null while its scores are still being computed. */
export function readRecord(
  { db, scores }: { readonly db: Db; readonly scores: Pick<ScoresService, 'ofRecord'> },
  today: Day,
): Promise<WholeRecord | null> {
  return db.transaction(
    async (tx) => {
      const judged: JudgedAsset[] = []
      for (const asset of ASSET_KEYS) judged.push(await readJudged(tx, asset, today))
      const onRecord = scoredRecord(judged)
      const touch = await scores.ofRecord(tx, onRecord, { asOf: today, mode: 'touch' })
      const close = touch && (await scores.ofRecord(tx, onRecord, { asOf: today, mode: 'close' }))
      if (!close) return null
      const events = await eventsOf(tx, CORRECTION_KINDS)
      const corrections = events.map(({ predictionId, at, kind, text }) => {
        return { prediction_id: predictionId, at, kind, text }
      })
      return { judged, corrections, scores: { touch, close } }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** The record as scores are computed from it. */
function scoredRecord(judged: readonly JudgedAsset[]) {
  const of = (key: string) => {
    const found = judged.find(({ asset }) => asset === key)
    if (!found) throw new Error(`no record of ${key}`)
    const predictions = found.rows
      .filter(({ stored }) => stored.withdrawn === null)
      .map(({ stored, splitFactor, verdicts }) => judgedPrediction(stored, splitFactor, verdicts))
    return { judged: found, predictions }
  }
  return { assets: { btc: of('btc'), mstr: of('mstr'), naka: of('naka') } }
}
