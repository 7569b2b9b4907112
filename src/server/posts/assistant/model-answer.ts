import { z } from 'zod'
import { ASSET_KEYS } from '#domain/asset.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { readPrice } from '#domain/claim/written.ts'
import { type BackedField, type ReadingDraft } from '#domain/posts/reading-fields.ts'
import { jsonOrNull } from '#server/kit/text.ts'

const CONFIDENCES = ['low', 'medium', 'high'] as const
const VERIFICATIONS = ['verified', 'unverified', 'suspicious'] as const

/**
 * JSON schema requested from the model. Flat and without patterns, which some servers reject; values are
 * validated afterwards.
 */
const ASKED: Readonly<Record<BackedField, z.ZodType>> = {
  asset_type: z.enum(ASSET_KEYS),
  prediction_type: z.enum(PREDICTION_TYPES),
  price_target: z.number(),
  price_min: z.number(),
  price_max: z.number(),
  target_time: z.string(),
  prediction_start_date: z.string(),
  timing: z.enum(TIMINGS),
  direction: z.enum(DIRECTIONS),
}
const BACKED = Object.keys(ASKED) as BackedField[]
export const RequestedReading = z.object({
  has_prediction: z.boolean(),
  ...Object.fromEntries(
    BACKED.flatMap((field) => [
      [field, ASKED[field].nullable()],
      [`${field}_words`, z.string().nullable()],
    ]),
  ),
  expert_name: z.string().nullable(),
  confidence: z.enum(CONFIDENCES),
  reasoning: z.string(),
  interpretation_challenges: z.string(),
  verification_status: z.enum(VERIFICATIONS),
  tweet_proposals: z.array(z.object({ style: z.string(), text: z.string() })),
})

/** JSON schema of the second pass. */
export const RequestedRefutation = z.object({ refuted: z.boolean(), why: z.string() })

/** Placeholders models use for an empty value. */
const NOTHING = /^(?:null|none|n\/?a|undefined|unknown|not (?:stated|specified|given)|-)?$/i

const quotedText = (most: number) =>
  z
    .string()
    .transform((text) => {
      const clean = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim()
      return NOTHING.test(clean) ? null : clean.slice(0, most)
    })
    .nullable()
    .catch(null)
const textOf = (most: number) => quotedText(most).transform((text) => text ?? '')
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

const QUOTED = Object.fromEntries(BACKED.map((field) => [`${field}_words`, words])) as Readonly<
  Record<`${BackedField}_words`, typeof words>
>

/** A lenient version of the schema: only `has_prediction` is required, any other field of the wrong type is read as empty. */
export const Reading = z
  .object({
    has_prediction: truth,
    ...QUOTED,
    asset_type: oneOf(ASSET_KEYS),
    prediction_type: oneOf(PREDICTION_TYPES),
    price_target: usd,
    price_min: usd,
    price_max: usd,
    target_time: quotedText(40),
    prediction_start_date: quotedText(40),
    timing: oneOf(TIMINGS),
    direction: oneOf(DIRECTIONS),
    expert_name: quotedText(120),
    confidence: oneOf(CONFIDENCES).transform((one) => one ?? 'low'),
    reasoning: textOf(1_000),
    interpretation_challenges: textOf(1_000),
    verification_status: oneOf(VERIFICATIONS).transform((one) => one ?? 'unverified'),
    tweet_proposals: z
      .array(
        z
          .object({ style: z.string().max(60), text: z.string().max(1_000) })
          .nullable()
          .catch(null),
      )
      .max(20)
      .catch([])
      .transform((all) => all.filter((one) => one !== null)),
  })
  .transform((read): ReadingDraft => ({
    ...read,
    words: Object.fromEntries(
      BACKED.map((field) => [field, read[`${field}_words`]]),
    ) as ReadingDraft['words'],
  }))

/** The second pass's answer. */
export const Refutation = z.object({ refuted: truth, why: textOf(500) })

/** Whether an answer starts an object and never ends it. Some providers do not report truncation. */
export function isCutOff(text: string): boolean {
  return /^(?:```(?:json)?)?\s*\{/i.test(text.trim()) && !/\}\s*(?:```)?$/.test(text.trim())
}

/**
 * Models wrap their JSON in fences and prose, think aloud or correct themselves. Uses the last object that
 * matches the schema.
 */
export function readOf<T>(answer: string, schema: z.ZodType<T>): T | null {
  const text = answer.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i, '')
  for (const object of objectsIn(text).toReversed()) {
    const parsed = schema.safeParse(object)
    if (parsed.success) return parsed.data
  }
  return null
}

/** Longer answers, and more unclosed brackets, are not searched. */
const LONGEST = 200_000
const MOST_STARTS = 60

/** The complete JSON objects in a text with fences and prose, in order. Drops trailing commas, which many models write. */
export function objectsIn(text: string): readonly unknown[] {
  if (text.length > LONGEST) return []
  const found: unknown[] = []
  let from = text.indexOf('{')
  for (let starts = 0; from >= 0 && starts < MOST_STARTS; starts += 1) {
    const object = objectAt(text, from)
    const value = object === null ? null : jsonOrNull(object.json)
    if (value !== null) found.push(value)
    from = text.indexOf('{', value === null || object === null ? from + 1 : object.end)
  }
  return found
}

/** The object that begins at `from`, without trailing commas; null if it does not end. */
function objectAt(text: string, from: number): { json: string; end: number } | null {
  let json = ''
  let taken = from
  let depth = 0
  // Position of the last comma outside a string, followed by whitespace only.
  let commaAt = -1
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"') {
      at = endOfText(text, at)
      if (at < 0) return null
    } else if (sign === '{' || sign === '[') {
      depth += 1
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      if (commaAt >= 0) {
        json += text.slice(taken, commaAt)
        taken = commaAt + 1
      }
      if (depth === 0) return { json: json + text.slice(taken, at + 1), end: at + 1 }
    }
    if (sign === ',') commaAt = at
    else if (!/\s/.test(sign)) commaAt = -1
  }
  return null
}

/** The index of the quotation mark that ends a string; -1 if it does not end. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return -1
}
