import { z } from 'zod'

/** What `csv-parse` gives with `info`: the cells of each record and the line it ends in. */
export const CsvLines = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }),
)
