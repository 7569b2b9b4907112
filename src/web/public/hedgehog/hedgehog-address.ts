import { hedgehogParams, readHedgehogView, type HedgehogView } from '#contracts/hedgehog.ts'
import { type AddressCodec } from '#web/address/address-state.ts'

export const HEDGEHOG_ADDRESS: AddressCodec<HedgehogView> = {
  read: readHedgehogView,
  write: hedgehogParams,
}
