import { PredictionMessage } from '#contracts/live.ts'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { recordState } from '#server/database/schema/predictions.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { sendSignal } from '#server/kit/signals.ts'

/** See the table `record_state`. */
export type RecordState = { readonly version: number; readonly prices: number }

export async function readState(db: Db): Promise<RecordState> {
  const [row] = await db.select().from(recordState)
  return row ?? { version: 0, prices: 0 }
}

/** Most predictions named to open pages at once; pages reload their lists anyway. */
const MOST_SENT = 100
/** In one notification, which PostgreSQL limits to 8,000 bytes. */
const SENT_AT_ONCE = 20

/**
 * Raises the version of the record and notifies every process once the transaction commits. Call it last: until then no
 * other change of the record can be made.
 *
 * @param what `prices` where bars or splits have changed; predictions that changed without an event in their history
 */
export async function recordChanged(
  tx: Db,
  {
    prices = false,
    predictions = [],
  }: { readonly prices?: boolean; readonly predictions?: readonly PredictionMessage[] } = {},
): Promise<void> {
  await tx.execute(sql`
    update record_state set version = version + 1, prices = case when ${prices} then version + 1 else prices end`)
  const count = Math.max(1, Math.ceil(predictions.length / SENT_AT_ONCE))
  const parts = Array.from({ length: count }, (_, i) =>
    JSON.stringify(predictions.slice(i * SENT_AT_ONCE, (i + 1) * SENT_AT_ONCE)),
  )
  await sendSignal(tx, 'record', parts)
}

/** The messages sent to open pages about the predictions that match a condition. */
export async function messagesOf(tx: Db, condition: SQL): Promise<PredictionMessage[]> {
  const rows = await tx.execute(sql`
    select predictions.id, asset, slug as expert
    from predictions join influencers on influencers.id = predictions.influencer_id
    where ${condition} order by predictions.id limit ${MOST_SENT}`)
  return z.array(PredictionMessage).parse(rowsOf(rows))
}
