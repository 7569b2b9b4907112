import { ASSET_KEYS } from '#domain/asset.ts'
import { z } from 'zod'
import { defineRoute } from './route.ts'

/** The close of a day: `date` as 2024-08-08, USD. */
const PricePoint = z.object({ date: z.iso.date(), close: z.number().positive() })
type PricePoint = z.infer<typeof PricePoint>

export const PriceList = z.array(PricePoint).meta({ id: 'PriceList' })
export const PriceEnvelope = z.object({ success: z.literal(true), data: PriceList })
const AssetKeySchema = z.enum(ASSET_KEYS)

const list = { method: 'GET', access: 'public', summary: 'Daily closes, oldest first.' } as const

export const btcPrices = defineRoute({ ...list, path: '/api/prices', reply: PriceList })
export const rootPrices = defineRoute({ ...list, path: '/prices', reply: PriceList })
export const mstrPrices = defineRoute({ ...list, path: '/api/mstr/prices', reply: PriceEnvelope })
export const nakaPrices = defineRoute({ ...list, path: '/api/naka/prices', reply: PriceEnvelope })

/** The last known price: live if a source answers, else the last close. */
export const livePrice = defineRoute({
  method: 'GET',
  path: '/live-price',
  access: 'public',
  summary: 'The last known Bitcoin price in USD; null when none is known.',
  query: z.object({ asset: AssetKeySchema.default('btc') }),
  reply: z.object({
    price: z.number().positive().nullable(),
    /** The day of the close, or of the live price. */
    date: z.iso.date().nullable(),
    source: z.string().nullable(),
    /** When a live price last arrived; null for a close. */
    at: z.iso.datetime().nullable(),
  }),
})
