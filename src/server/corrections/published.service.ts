import { type AdminPrediction, type listPublished } from '#contracts/corrections.ts'
import { claimOfRow } from '#domain/claim/fields.ts'
import { claimText } from '#domain/claim/text.ts'
import { PAGE_SIZE } from '#server/kit/paging.ts'
import { detailOf, type CorrectionKit } from './change-published.service.ts'
import { listPublished as listRows, type PublishedFilter } from './corrections.store.ts'
import { type z } from 'zod'

export async function publishedPage(
  kit: CorrectionKit,
  filter: PublishedFilter,
): Promise<z.input<typeof listPublished.reply>> {
  const { db } = kit
  const { total, rows } = await listRows(db, filter)
  return {
    total,
    page: filter.page,
    pages: Math.max(1, Math.ceil(total / PAGE_SIZE)),
    rows: rows.map((row) => ({
      id: row.id,
      asset_type: row.asset,
      expert_id: row.influencer_id,
      expert_name: row.name,
      prediction_type: row.type,
      price_prediction: claimText(claimOfRow(row)),
      prediction_made: row.made,
      target_time: row.target_date,
      touch: row.touch,
      close: row.close,
      overridden: row.overridden,
      frozen: row.frozen,
      withdrawn: row.withdrawn,
      exclude_from_chart: row.exclude_from_chart,
      version: row.version,
    })),
  }
}

export function publishedDetail(kit: CorrectionKit, id: string): Promise<AdminPrediction> {
  const { db } = kit
  return detailOf(kit, db, id)
}
