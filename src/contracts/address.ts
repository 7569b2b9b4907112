import { z } from 'zod'

/** What an address ends in, of three kinds. Each takes the sentence that is said where nothing can have such a number. */
export const uuidIn = (missing: string) => z.object({ id: z.uuid(missing) })

export const numberIn = (missing: string) =>
  z.object({ id: z.coerce.number(missing).int(missing).positive(missing) })

/** Without control characters, which no id or name of ours holds. */
export const textIn = (missing: string) =>
  z
    .string(missing)
    .min(1, missing)
    .max(200, missing)
    .regex(/^\P{Cc}+$/u, missing)
