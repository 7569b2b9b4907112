import { claimOfColumns } from '#domain/claim/fields.ts'
import { type oneSubmission } from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { scaleClaim, type Claim } from '#domain/claim/claim.ts'
import { isDuplicate } from '#domain/claim/duplicate.ts'
import { splitFactor, type CorporateAction } from '#domain/judging/corporate-action.ts'
import { day, readDay, type Day } from '#domain/day.ts'
import { iso } from '#server/kit/iso.ts'
import { loadActions } from '#server/prices/corporate-actions.rows.ts'
import { type Db } from '#server/kit/db.ts'
import { sameDeadline } from './review.store.ts'
import { type SaidSubmission } from '#server/submissions/submissions.rows.ts'
import { type z } from 'zod'
import { type Catalog } from '#server/predictions/catalog.service.ts'

type Duplicate = z.infer<typeof oneSubmission.reply>['duplicates'][number]

const MOST = 20

/** A statement as it is compared: with its level in today's units. */
export type Compared = {
  readonly expertName: string
  readonly twitterHandle: string | null
  readonly asset: AssetKey
  readonly claim: Claim
  readonly by: Day
  /** The submission itself. */
  readonly except: string
}

/** Published predictions and other pending submissions that say the same. */
export async function duplicatesOf(
  { db, catalog }: { db: Db; catalog: Pick<Catalog, 'snapshot'> },
  compared: Compared,
): Promise<Duplicate[]> {
  const { asset, by, claim, expertName, twitterHandle, except } = compared
  const said = { expertName, handle: twitterHandle, asset, claim, by }
  const published = (catalog.snapshot()?.assets[asset].predictions ?? [])
    .filter(({ row, statement }) =>
      isDuplicate(said, {
        expertName: row.influencer.name,
        handle: row.influencer.x_handle,
        asset: statement.asset,
        claim: statement.claim,
        by: day(row.target_time),
      }),
    )
    .map(({ row }): Duplicate => ({
      kind: 'prediction',
      id: row.id,
      expert_name: row.influencer.name,
      price_prediction: row.price_prediction,
      target_time: row.target_time,
      status: 'published',
      created_at: row.created_at,
    }))
  const actions = await loadActions(db)
  const waiting = (await sameDeadline(db, { asset, by, except }))
    .filter((row) => row.status === 'pending')
    .filter((row) => {
      const other = comparedOf(row, actions)
      return other !== null && isDuplicate(said, { ...other, handle: other.twitterHandle })
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
  row: SaidSubmission,
  actions: readonly CorporateAction[],
): Compared | null {
  const said = claimOfColumns({ ...row, type: row.predictionType })
  const by = readDay(row.targetTime)
  const made = row.predictionMade === null ? null : readDay(row.predictionMade)
  if (by === null) return null
  const factor = made === null ? 1 : splitFactor(row.asset, made, actions)
  return {
    expertName: row.expertName,
    twitterHandle: row.twitterHandle,
    asset: row.asset,
    claim: scaleClaim(said, 1 / factor),
    by,
    except: row.id,
  }
}
