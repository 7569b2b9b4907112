import { type YearPlace } from '#contracts/year.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

/** For each asset with predictions the years in which they were or are due, oldest first. */
export async function yearsDue(
  record: PublicRecord,
): Promise<ReadonlyMap<AssetKey, readonly number[]>> {
  const rows = ASSET_KEYS.map(async (asset) => {
    const years = await record.years({ asset }, 'target_date')
    return [asset, years.toReversed()] as const
  })
  return new Map((await Promise.all(rows)).filter(([, years]) => years.length > 0))
}

/** Where a year is among those that have predictions; null for one that has none. */
export async function yearPlace(
  record: PublicRecord,
  asset: AssetKey,
  year: number,
): Promise<YearPlace | null> {
  const due = await yearsDue(record)
  const years = due.get(asset) ?? []
  const at = years.indexOf(year)
  if (at < 0) return null
  return {
    before: years[at - 1] ?? null,
    after: years[at + 1] ?? null,
    assets: [...due].filter(([, those]) => those.includes(year)).map(([key]) => key),
  }
}
