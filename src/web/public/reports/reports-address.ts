import {
  readReportsView,
  REPORTS_PATH,
  reportsParams,
  type ReportsView,
} from '#contracts/reports-log.ts'
import { queryOf, type AddressCodec } from '#web/address/address-state.ts'

export const REPORTS_ADDRESS: AddressCodec<ReportsView> = {
  read: readReportsView,
  write: reportsParams,
}

export function reportsAddress(view: ReportsView): string {
  const query = queryOf(REPORTS_ADDRESS, view)
  return query === '' ? REPORTS_PATH : `${REPORTS_PATH}?${query}`
}
