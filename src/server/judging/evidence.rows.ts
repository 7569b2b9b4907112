import { dayFromNumber } from '#domain/day.ts'
import {
  JUDGE_MODES,
  OUTCOMES,
  VERDICT_DIRECTIONS,
  VERDICT_REASONS,
  type Verdict,
} from '#domain/judging/verdict.ts'
import { z } from 'zod'

const day = z.int().transform(dayFromNumber)
const usd = z.number()
const moving = z.literal(true).exactOptional()
const point = z.object({ day, usd, moving }).nullable()

/** A verdict as the evidence column holds it: the domain's own, with days as numbers since 1970-01-01. */
export const Evidence: z.ZodType<Verdict> = z.object({
  outcome: z.enum(OUTCOMES),
  mode: z.enum(JUDGE_MODES),
  rule: z.int(),
  reason: z.enum(VERDICT_REASONS),
  day: day.nullable(),
  level: z.object({ min: usd, max: usd }),
  direction: z.enum(VERDICT_DIRECTIONS),
  reference: point,
  window: z.object({ from: day, to: day }),
  possibleDays: z
    .array(z.object({ day, outcome: z.enum(OUTCOMES), direction: z.enum(VERDICT_DIRECTIONS) }))
    .exactOptional(),
  bar: z
    .object({
      day,
      open: usd.nullable(),
      high: usd.nullable(),
      low: usd.nullable(),
      close: usd,
      source: z.string(),
      moving,
    })
    .nullable(),
  nearest: point,
  unconfirmed: point,
  closeOnly: z.boolean(),
  /** Not in rows that are older than the field. */
  someClosesOnly: z.boolean().default(false),
})
