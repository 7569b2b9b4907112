import { ASSETS, type AssetKey } from '#domain/asset.ts'

/** The review page of an asset; Bitcoin's is the dashboard (administrator-tools.md §2). */
export function addressOfDashboard(asset: AssetKey): string {
  return asset === ASSETS.btc.key ? '/admin/dashboard' : `/admin${ASSETS[asset].route}`
}

export const PUBLISH = '/admin/publish'

/** The list of failed jobs and deliveries. */
export const FAILED = '/admin/operations#failed'

/** Opens a submission of any asset and state. */
export function openSubmission(id: string): string {
  return `${addressOfDashboard('btc')}?tab=all&open=${id}`
}
