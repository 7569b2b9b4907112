import { ASSETS, type AssetKey } from '#domain/asset.ts'

/** The review page of an asset; Bitcoin's is the dashboard (administrator-tools.md §2). */
export function addressOfDashboard(asset: AssetKey): string {
  return asset === ASSETS.btc.key ? '/admin/dashboard' : `/admin${ASSETS[asset].route}`
}

export const PUBLISH = '/admin/publish'
