import { type AssetKey } from '#domain/asset.ts'
import { isoDay, readDay, type Day } from '#domain/day.ts'
import { type Claim, type PredictionType } from '#domain/prediction.ts'
import { type PostDate } from './period.ts'
import { type PostReading } from './read-post.ts'
import { type Quote } from './span.ts'

/** A reading as files and calls carry it; every level and date null where the post says nothing. */
export type ReadingFields = {
  readonly has_prediction: boolean
  readonly asset_type: AssetKey | null
  readonly prediction_type: PredictionType | null
  readonly price_target: number | null
  readonly price_min: number | null
  readonly price_max: number | null
  readonly target_time: string | null
  /** The words of the post behind each field that is filled. */
  readonly spans: Readonly<Partial<Record<SpanField, Quote>>>
}

export type SpanField =
  | 'asset_type'
  | 'prediction_type'
  | 'price_target'
  | 'price_min'
  | 'price_max'
  | 'target_time'

/** The reading as fields: a top stands in `price_max`, a bottom and an at-least price in `price_min`. */
export function fieldsOfReading(reading: PostReading): ReadingFields {
  if (!reading.found) {
    return {
      has_prediction: false,
      asset_type: reading.asset?.key ?? null,
      prediction_type: null,
      price_target: null,
      price_min: null,
      price_max: null,
      target_time: null,
      spans: reading.asset ? { asset_type: reading.asset.quote } : {},
    }
  }
  const { asset, claim, by, quotes } = reading.prediction
  const levels = levelFields(claim)
  return {
    has_prediction: true,
    asset_type: asset,
    prediction_type: claim.type,
    ...levels,
    target_time: by === null ? null : isoDay(by),
    spans: {
      ...(quotes.asset ? { asset_type: quotes.asset } : {}),
      prediction_type: quotes.type,
      ...(levels.price_target === null ? {} : { price_target: quotes.low }),
      ...(levels.price_min === null ? {} : { price_min: quotes.low }),
      ...(levels.price_max === null ? {} : { price_max: quotes.high }),
      ...(quotes.deadline ? { target_time: quotes.deadline } : {}),
    },
  }
}

function levelFields(
  claim: Claim,
): Pick<ReadingFields, 'price_target' | 'price_min' | 'price_max'> {
  switch (claim.type) {
    case 'target':
      return { price_target: claim.usd, price_min: null, price_max: null }
    case 'range':
      return { price_target: null, price_min: claim.min, price_max: claim.max }
    case 'pricetimerange':
      return { price_target: null, price_min: claim.min, price_max: null }
    case 'top':
      return { price_target: null, price_min: null, price_max: claim.usd }
    case 'bottom':
      return { price_target: null, price_min: claim.usd, price_max: null }
  }
}

/** Reads `2026-03-10`, an ISO moment, `2026-03` or `2026`. @returns null when it is none of them */
export function readPostDate(text: string): PostDate | null {
  const plain = text.trim()
  const month = /^\d{4}-\d{2}$/.test(plain)
  const year = /^\d{4}$/.test(plain)
  const day: Day | null = readDay(month ? `${plain}-01` : year ? `${plain}-01-01` : plain)
  if (day === null) return null
  return { day, precision: month ? 'month' : year ? 'year' : 'day' }
}
