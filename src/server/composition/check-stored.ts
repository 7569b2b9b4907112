import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, readRows } from '#server/kit/db.ts'
import { foldSummaries } from '#server/predictions/predictions.rows.ts'
import { unpackScores } from '#server/scores/compute-day.ts'
import { Evidence } from '#server/judging/verdicts.rows.ts'

/** JSON that must be readable by this version; caches and drafts are parsed leniently where they are used. */
const STORED = [{ table: 'verdicts', column: 'evidence', shape: Evidence }] as const

const AT_ONCE = 5_000
const Stored = z.object({ id: z.coerce.number(), value: z.unknown() })

/** Completes migrations that SQL cannot express. @throws Error naming the first value that this version cannot read */
export async function checkStored(tx: Db): Promise<void> {
  await foldSummaries(tx)
  await unpackScores(tx)
  for (const { table, column, shape } of STORED) {
    for (let last = 0; ;) {
      const rows = await readRows(tx, Stored)`
        select id, ${sql.identifier(column)} as value from ${sql.identifier(table)}
        where id > ${last} order by id limit ${AT_ONCE}`
      for (const { id, value } of rows) {
        const read = shape.safeParse(value)
        if (read.success) continue
        const where = read.error.issues[0]?.path.join('.') || 'not an object'
        throw new Error(`this version cannot read ${column} ${String(id)} of ${table} (${where})`)
      }
      const end = rows.at(-1)
      if (!end) break
      last = end.id
    }
  }
}
