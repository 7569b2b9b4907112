import { findAsset } from '#domain/asset.ts'
import { pagePath } from '#domain/page-path.ts'
import { queryOf } from '#web/address/address-state.ts'
import { readSnapshotsPage, snapshotsPath } from '#contracts/snapshots.paths.ts'
import { CORRECTIONS_PATH } from '#contracts/corrections-log.ts'
import { CORRECTIONS_ADDRESS } from './corrections/corrections-address.ts'
import { REPORTS_PATH } from '#contracts/reports-log.ts'
import { REPORTS_ADDRESS } from './reports/reports-address.ts'
import { readHedgehogPath } from '#contracts/hedgehog.ts'
import { HEDGEHOG_ADDRESS } from './hedgehog/hedgehog-address.ts'
import { BOARD_ADDRESS } from './experts/board-address.ts'
import { DASHBOARD_ADDRESS } from './pages/dashboard-state.ts'

/**
 * The address that a page is drawn for: its path in its one spelling, and of the query only what this page reads,
 * as it writes it itself. All addresses that show the same have the same one.
 *
 * @param url path and query as asked for
 */
export function pageAddress(url: string): string {
  const [place = '/'] = url.split('#')
  const at = place.indexOf('?')
  const [whole, search] = at < 0 ? [place, ''] : [place.slice(0, at), place.slice(at + 1)]
  const path = pagePath(whole)
  const query = search === '' ? '' : knownQuery(path, new URLSearchParams(search))
  return query === '' ? path : `${path}?${query}`
}

function knownQuery(path: string, params: URLSearchParams): string {
  const asset = findAsset(path.slice(1))
  if (asset?.route === path) {
    return queryOf(
      DASHBOARD_ADDRESS,
      DASHBOARD_ADDRESS.read((name) => params.get(name)),
    )
  }
  if (path === '/experts')
    return queryOf(
      BOARD_ADDRESS,
      BOARD_ADDRESS.read((name) => params.get(name)),
    )
  if (readHedgehogPath(path)) {
    return queryOf(
      HEDGEHOG_ADDRESS,
      HEDGEHOG_ADDRESS.read((name) => params.get(name)),
    )
  }
  if (path === '/data')
    return snapshotsPath(readSnapshotsPage(params.get('page'))).split('?')[1] ?? ''
  if (path === CORRECTIONS_PATH) {
    return queryOf(
      CORRECTIONS_ADDRESS,
      CORRECTIONS_ADDRESS.read((name) => params.get(name)),
    )
  }
  if (path === REPORTS_PATH) {
    return queryOf(
      REPORTS_ADDRESS,
      REPORTS_ADDRESS.read((name) => params.get(name)),
    )
  }
  const isLeaving = path.startsWith('/receipt/') && params.get('unsubscribe') === '1'
  return isLeaving ? 'unsubscribe=1' : ''
}
