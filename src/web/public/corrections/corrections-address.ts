import {
  CORRECTIONS_PATH,
  correctionsParams,
  readCorrectionsView,
  type CorrectionsView,
} from '#contracts/corrections-log.ts'
import { queryOf, type AddressCodec } from '#web/address/address-state.ts'

export const CORRECTIONS_ADDRESS: AddressCodec<CorrectionsView> = {
  read: readCorrectionsView,
  write: correctionsParams,
}

export function correctionsAddress(view: CorrectionsView): string {
  const query = queryOf(CORRECTIONS_ADDRESS, view)
  return query === '' ? CORRECTIONS_PATH : `${CORRECTIONS_PATH}?${query}`
}
