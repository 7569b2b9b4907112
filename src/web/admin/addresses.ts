import { ASSETS, type AssetKey } from '#domain/asset.ts'

/** Where the submissions of an asset are reviewed; Bitcoin's is the dashboard (administrator-tools.md §2). */
export function addressOfDashboard(asset: AssetKey): string {
  return asset === ASSETS.btc.key ? '/admin/dashboard' : `/admin${ASSETS[asset].route}`
}

/** Where posts are written, planned and looked after. */
export const PUBLISH = '/admin/publish'
