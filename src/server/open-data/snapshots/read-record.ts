import { CORRECTION_KINDS } from '#contracts/corrections-log.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { readShown, type ShownRecord } from '#server/judging/shown.service.ts'
import { eventsOf } from '#server/judging/verdicts.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { type WholeRecord } from './snapshot-tables.ts'

/**
 * The record as of one moment; null while its scores are still being computed.
 *
 * @param known what is in memory: what has not changed since is not read again
 */
export function readRecord(
  { db, scores }: { readonly db: Db; readonly scores: Pick<ScoresService, 'ofRecord'> },
  today: Day,
  known: ShownRecord | null,
): Promise<WholeRecord | null> {
  return db.transaction(
    async (tx) => {
      const record = await readShown(tx, today, known)
      const onRecord = scoredRecord(record)
      const touch = await scores.ofRecord(tx, onRecord, { asOf: today, mode: 'touch' })
      const close = touch && (await scores.ofRecord(tx, onRecord, { asOf: today, mode: 'close' }))
      if (!close) return null
      const events = await eventsOf(tx, CORRECTION_KINDS)
      const corrections = events.map(({ predictionId, at, kind, text }) => {
        return { prediction_id: predictionId, at, kind, text }
      })
      return { judged: Object.values(record.assets), corrections, scores: { touch, close } }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** The record as scores are computed from it. */
function scoredRecord({ assets }: ShownRecord) {
  const of = (key: AssetKey) => {
    const judged = assets[key]
    const all = [...judged.shown.values()].map(({ prediction }) => prediction)
    return { judged, predictions: all.filter((one) => one.withdrawn === null) }
  }
  return { assets: { btc: of('btc'), mstr: of('mstr'), naka: of('naka') } }
}
