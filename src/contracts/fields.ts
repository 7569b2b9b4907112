import { z } from 'zod'
import { readDayInput } from '#domain/day.ts'

/** The id at the end of an address, of three kinds. `missing` is the message for an impossible id. */
export const uuidIn = (missing: string) => z.object({ id: z.uuid(missing) })

export const numberIn = (missing: string) =>
  z.object({ id: z.coerce.number(missing).int(missing).positive(missing) })

export const textIn = (missing: string) =>
  z
    .string(missing)
    .min(1, missing)
    .max(200, missing)
    .regex(/^\P{Cc}+$/u, missing)

export const PredictionParams = z.object({ id: textIn('There is no prediction at this address.') })

/** A day in a request, as 2026-11-20; rejects impossible years. */
export const CalendarDay = z.iso.date().refine((text) => readDayInput(text) !== null, {
  error: 'Please give a day between 1900 and 2299, such as 2026-11-20.',
})

/** A record version, from an event id or page data: the response is no older, from whichever process or cache. */
export const RecordVersion = z.string().max(64, 'Please take it from the id of an event.')

/** Output of `csv-parse` with `info`: the cells of each record and the line it ends in. */
export const CsvLines = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }),
)

const ERROR_CODES = [
  'invalid',
  'unauthorized',
  'second_factor',
  'forbidden',
  'payment_required',
  'not_found',
  'conflict',
  'too_many',
  'internal',
  'unavailable',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

export const Failure = z
  .object({
    success: z.literal(false),
    code: z.enum(ERROR_CODES),
    error: z.string(),
    /** The same sentence, for older clients. */
    message: z.string().optional(),
    fields: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'Failure' })
export type Failure = z.infer<typeof Failure>

/** Daily closes packed for a page: the first day since 1970, the steps between days, and a close in USD for each. */
export const Packed = z.object({
  first: z.int(),
  steps: z.array(z.int()),
  closes: z.array(z.number()),
})
export type PackedPrices = {
  readonly first: number
  /** Days from each close to the next, so one fewer than `closes`. Trailing ones are omitted if they are 1. */
  readonly steps: readonly number[]
  readonly closes: readonly number[]
}

const LONGEST_REASON = 1_000

export const Done = z.object({ success: z.literal(true), message: z.string() })
/** Optional: empty by default. */
export const Reason = z.string().trim().max(LONGEST_REASON).default('')
export const PageNumber = z.coerce.number().int().min(1).max(1_000_000).default(1)
export const Search = z.string().max(200).default('')
/** The version an edit started from; an edit of an older version is refused. */
export const Version = z.int32().min(0)

/** A page of a list; `total` counts all pages. */
export const paging = { total: z.int(), page: z.int(), pages: z.int() }
