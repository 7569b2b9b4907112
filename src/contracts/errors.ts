import { z } from 'zod'

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

/** The body of every failed answer: a sentence for people, a code for programs, and messages by field for forms. */
export const Failure = z
  .object({
    success: z.literal(false),
    code: z.enum(ERROR_CODES),
    error: z.string(),
    /** The same sentence, under the name that older programs read. */
    message: z.string().optional(),
    fields: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'Failure' })
export type Failure = z.infer<typeof Failure>
