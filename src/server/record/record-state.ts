import { type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { PredictionMessage } from '#contracts/prices.ts'
import { recordState } from '#server/database/schema/predictions.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { sendSignals } from '#server/kit/signals.ts'

export type RecordState = { readonly version: number; readonly prices: number }

export async function readState(db: Db): Promise<RecordState> {
  const [row] = await db.select().from(recordState)
  return row ?? { version: 0, prices: 0 }
}

/** Maximum predictions per signal; pages reload their lists anyway. */
const MOST_SENT = 100

/**
 * Raises the version and notifies every process on commit. Call it last, as it blocks all other changes.
 * @param what `prices` for changed bars or splits; predictions that changed without an event
 */
export async function recordChanged(
  tx: Db,
  {
    prices = false,
    predictions = [],
  }: { readonly prices?: boolean; readonly predictions?: readonly PredictionMessage[] } = {},
): Promise<void> {
  const [state] = await readRows(tx, z.object({ version: z.number() }))`
    update record_state set version = version + 1, prices = case when ${prices} then version + 1 else prices end
    returning version::float8 as version`
  const version = state?.version ?? 0
  const named = predictions.map((value) => ({
    topic: 'record' as const,
    id: value.id,
    version,
    value,
  }))
  await sendSignals(tx, named.length > 0 ? named : [{ topic: 'record', version }])
}

export async function messagesOf(tx: Db, condition: SQL): Promise<PredictionMessage[]> {
  return readRows(tx, PredictionMessage)`
    select predictions.id, asset, slug as expert
    from predictions join influencers on influencers.id = predictions.influencer_id
    where ${condition} order by predictions.id limit ${MOST_SENT}`
}
