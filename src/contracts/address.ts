import { z } from 'zod'

/** The last part of an address, in three kinds. `missing` is the message for a value that nothing can have. */
export const uuidIn = (missing: string) => z.object({ id: z.uuid(missing) })

export const numberIn = (missing: string) =>
  z.object({ id: z.coerce.number(missing).int(missing).positive(missing) })

/** Without control characters, which no id or name of ours contains. */
export const textIn = (missing: string) =>
  z
    .string(missing)
    .min(1, missing)
    .max(200, missing)
    .regex(/^\P{Cc}+$/u, missing)
