import { z } from 'zod'

const Rows = z.object({ rows: z.array(z.unknown()) })

/** Drizzle types a raw answer by its driver; what matters here is that the driver gives `rows`. */
export function rowsOf(result: unknown): unknown[] {
  return Rows.parse(result).rows
}
