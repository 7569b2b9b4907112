import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from './db.ts'

const Rows = z.object({ rows: z.array(z.unknown()) })

/** Drizzle types a raw result by its driver; ours always has `rows`. */
export function rowsOf(result: unknown): unknown[] {
  return Rows.parse(result).rows
}

/** Streams the rows of a query in batches. @param tx a transaction */
export async function* rowsInParts(
  tx: Pick<Db, 'execute'>,
  query: SQL,
  atOnce: number,
): AsyncGenerator<unknown[]> {
  await tx.execute(sql`declare rows_in_parts no scroll cursor for ${query}`)
  for (;;) {
    const rows = rowsOf(await tx.execute(sql.raw(`fetch ${String(atOnce)} from rows_in_parts`)))
    if (rows.length === 0) break
    yield rows
  }
  await tx.execute(sql`close rows_in_parts`)
}
