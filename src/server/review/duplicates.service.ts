import { claimText } from '#domain/claim/text.ts'
import { claimOfColumns } from '#domain/claim/fields.ts'
import { type oneSubmission } from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { isDuplicate, type Said } from '#domain/claim/duplicate.ts'
import { splitFactor, type CorporateAction } from '#domain/judging/corporate-action.ts'
import { isoDay, readDay, type Day } from '#domain/day.ts'
import { iso } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'
import { waitingOfAsset } from './review.store.ts'
import { type SaidSubmission } from '#server/submissions/submissions.rows.ts'
import { type z } from 'zod'
import { sayingSame } from '#server/record/saying-same.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

type Duplicate = z.infer<typeof oneSubmission.reply>['duplicates'][number]

const MOST = 20

/** A submission as it is compared. */
export type Compared = Said & {
  readonly asset: AssetKey
  readonly by: Day
  /** The submission itself. */
  readonly except: string
}

/** Published predictions and other pending submissions that say the same. */
export async function duplicatesOf(
  { db, record }: { db: Db; record: PublicRecord },
  compared: Compared,
): Promise<Duplicate[]> {
  const { asset, by, except } = compared
  const published = (await sayingSame(record, compared)).map((one): Duplicate => ({
    kind: 'prediction',
    id: one.id,
    expert_name: one.expert.name,
    price_prediction: claimText(one.said),
    target_time: isoDay(one.by),
    status: 'published',
    created_at: one.createdAt,
  }))
  const { actions } = await record.prices()
  const waiting = (await waitingOfAsset(db, { asset, by, except }))
    .filter((row) => {
      const other = comparedOf(row, actions)
      return other !== null && isDuplicate(compared, other)
    })
    .map((row): Duplicate => ({
      kind: 'submission',
      id: row.id,
      expert_name: row.expertName,
      price_prediction: row.pricePrediction,
      target_time: row.targetTime,
      status: 'pending',
      created_at: iso(row.createdAt),
    }))
  return [...published, ...waiting].slice(0, MOST)
}

/** A stored submission as it is compared; null where its date cannot be read. */
export function comparedOf(
  row: Omit<SaidSubmission, 'receiptHash' | 'status'> & { readonly sources?: Said['sources'] },
  actions: readonly CorporateAction[],
): Compared | null {
  const said = claimOfColumns({ ...row, type: row.predictionType })
  const by = readDay(row.targetTime)
  const made = row.predictionMade === null ? null : readDay(row.predictionMade)
  if (by === null) return null
  const factor = made === null ? 1 : splitFactor(row.asset, made, actions)
  return {
    expertName: row.expertName,
    handle: row.twitterHandle,
    asset: row.asset,
    claim: scaleClaim(said, 1 / factor),
    by,
    except: row.id,
    ...(row.sources && { sources: row.sources }),
  }
}
