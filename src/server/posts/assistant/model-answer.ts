import { ASSET_KEYS } from '#domain/asset.ts'
import { type ReadingDraft } from '#domain/posts/draft.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { readPrice } from '#domain/price-text.ts'
import { z } from 'zod'
import { objectsIn } from './loose-json.ts'

const CONFIDENCES = ['low', 'medium', 'high'] as const
const VERIFICATIONS = ['verified', 'unverified', 'suspicious'] as const

/**
 * The shape a model is asked for. Flat and without patterns, as some servers refuse those; what the values must be is
 * checked afterwards.
 */
export const AskedReading = z.object({
  has_prediction: z.boolean(),
  asset_type: z.enum(ASSET_KEYS).nullable(),
  asset_type_words: z.string().nullable(),
  prediction_type: z.enum(PREDICTION_TYPES).nullable(),
  prediction_type_words: z.string().nullable(),
  price_target: z.number().nullable(),
  price_target_words: z.string().nullable(),
  price_min: z.number().nullable(),
  price_min_words: z.string().nullable(),
  price_max: z.number().nullable(),
  price_max_words: z.string().nullable(),
  target_time: z.string().nullable(),
  target_time_words: z.string().nullable(),
  prediction_start_date: z.string().nullable(),
  prediction_start_date_words: z.string().nullable(),
  timing: z.enum(TIMINGS).nullable(),
  timing_words: z.string().nullable(),
  direction: z.enum(DIRECTIONS).nullable(),
  direction_words: z.string().nullable(),
  expert_name: z.string().nullable(),
  confidence: z.enum(CONFIDENCES),
  reasoning: z.string(),
  interpretation_challenges: z.string(),
  verification_status: z.enum(VERIFICATIONS),
  tweet_proposals: z.array(z.object({ style: z.string(), text: z.string() })),
})

/** The shape of the second pass. */
export const AskedRefutation = z.object({ refuted: z.boolean(), why: z.string() })

/** What models write where they mean nothing. */
const NOTHING = /^(?:null|none|n\/?a|undefined|unknown|not (?:stated|specified|given)|-)?$/i

const said = (most: number) =>
  z
    .string()
    .transform((text) => {
      const clean = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim()
      return NOTHING.test(clean) ? null : clean.slice(0, most)
    })
    .nullable()
    .catch(null)
const textOf = (most: number) => said(most).transform((text) => text ?? '')
const words = z
  .string()
  .max(2_000)
  .transform((text) => (NOTHING.test(text.trim()) ? null : text))
  .nullable()
  .catch(null)
const usd = z
  .union([z.number(), z.string().transform((text) => readPrice(text)?.min ?? null)])
  .nullable()
  .catch(null)
const lower = z.string().transform((text) => text.trim().toLowerCase())
const oneOf = <T extends string>(names: readonly T[]) =>
  lower.pipe(z.enum(names)).nullable().catch(null)
const truth = z.union([
  z.boolean(),
  lower.pipe(z.enum(['true', 'false'])).transform((text) => text === 'true'),
])

/** The same shape, read as tolerantly as can be: a field of the wrong type is an empty one. */
const Reading = z
  .object({
    has_prediction: truth.optional(),
    asset_type: oneOf(ASSET_KEYS),
    asset_type_words: words,
    prediction_type: oneOf(PREDICTION_TYPES),
    prediction_type_words: words,
    price_target: usd,
    price_target_words: words,
    price_min: usd,
    price_min_words: words,
    price_max: usd,
    price_max_words: words,
    target_time: said(40),
    target_time_words: words,
    prediction_start_date: said(40),
    prediction_start_date_words: words,
    timing: oneOf(TIMINGS),
    timing_words: words,
    direction: oneOf(DIRECTIONS),
    direction_words: words,
    expert_name: said(120),
    confidence: oneOf(CONFIDENCES),
    reasoning: textOf(1_000),
    interpretation_challenges: textOf(1_000),
    verification_status: oneOf(VERIFICATIONS),
    tweet_proposals: z
      .array(
        z
          .object({ style: z.string().max(60), text: z.string().max(1_000) })
          .nullable()
          .catch(null),
      )
      .max(20)
      .catch([]),
  })
  .transform((read, context): ReadingDraft => {
    // Without this field the answer is about something else.
    if (read.has_prediction === undefined) {
      context.addIssue({ code: 'custom', message: 'says nothing of a prediction' })
      return z.NEVER
    }
    return {
      has_prediction: read.has_prediction,
      asset_type: read.asset_type,
      prediction_type: read.prediction_type,
      price_target: read.price_target,
      price_min: read.price_min,
      price_max: read.price_max,
      target_time: read.target_time,
      prediction_start_date: read.prediction_start_date,
      timing: read.timing,
      direction: read.direction,
      words: {
        asset_type: read.asset_type_words,
        prediction_type: read.prediction_type_words,
        price_target: read.price_target_words,
        price_min: read.price_min_words,
        price_max: read.price_max_words,
        target_time: read.target_time_words,
        prediction_start_date: read.prediction_start_date_words,
        timing: read.timing_words,
        direction: read.direction_words,
      },
      expert_name: read.expert_name,
      confidence: read.confidence ?? 'low',
      reasoning: read.reasoning,
      interpretation_challenges: read.interpretation_challenges,
      tweet_proposals: read.tweet_proposals.filter((one) => one !== null),
      verification_status: read.verification_status ?? 'unverified',
    }
  })

const Refutation = z.object({ refuted: truth, why: textOf(500) })

/** The reading in a model's answer; null when there is none in it. */
export function readingOf(text: string): ReadingDraft | null {
  return readOf(text, Reading)
}

/** The second pass's answer; null when there is none in it. */
export function refutationOf(text: string): z.infer<typeof Refutation> | null {
  return readOf(text, Refutation)
}

/** Whether an answer begins an object and never ends it. Not every provider says that it stopped early. */
export function isCutOff(text: string): boolean {
  return /^(?:```(?:json)?)?\s*\{/i.test(text.trim()) && !/\}\s*(?:```)?$/.test(text.trim())
}

/**
 * Models wrap their JSON in fences and in words, some think aloud first or correct themselves, whatever they are asked for:
 * the last object of the shape counts.
 */
function readOf<T>(answer: string, schema: z.ZodType<T>): T | null {
  const text = answer.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i, '')
  for (const object of objectsIn(text).toReversed()) {
    const parsed = schema.safeParse(object)
    if (parsed.success) return parsed.data
  }
  return null
}
