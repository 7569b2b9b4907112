import { BOARD_ADDRESS } from '#contracts/board.ts'
import { readSnapshotsPage, snapshotsPath } from '#contracts/data-files.ts'
import { HEDGEHOG_ADDRESS } from '#contracts/hedgehog.ts'
import { readHedgehogPath } from '#contracts/paths.ts'
import {
  REPORTS_ADDRESS,
  REPORTS_PATH,
  CORRECTIONS_ADDRESS,
  CORRECTIONS_PATH,
} from '#contracts/public-logs.ts'
import { TODAY_ADDRESS, TODAY_PATH } from '#contracts/today.ts'
import { findAsset } from '#domain/asset.ts'
import { pagePath } from '#domain/site.ts'
import { queryOf, type AddressCodec } from '#web/address/address-state.ts'
import { DASHBOARD_ADDRESS } from './pages/dashboard-state.ts'

/**
 * The canonical form of an address, with only the query parameters that its page reads.
 *
 * @param url path and query
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
  const known = <State>(codec: AddressCodec<State>): string =>
    queryOf(
      codec,
      codec.read((name) => params.get(name)),
    )
  if (findAsset(path.slice(1))?.route === path) return known(DASHBOARD_ADDRESS)
  if (readHedgehogPath(path)) return known(HEDGEHOG_ADDRESS)
  if (path.startsWith('/receipt/') && params.get('unsubscribe') === '1') return 'unsubscribe=1'
  switch (path) {
    case '/experts':
      return known(BOARD_ADDRESS)
    case CORRECTIONS_PATH:
      return known(CORRECTIONS_ADDRESS)
    case TODAY_PATH:
      return known(TODAY_ADDRESS)
    case REPORTS_PATH:
      return known(REPORTS_ADDRESS)
    case '/data':
      return snapshotsPath(readSnapshotsPage(params.get('page'))).split('?')[1] ?? ''
    default:
      return ''
  }
}
