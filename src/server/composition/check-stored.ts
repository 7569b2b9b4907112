import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { Evidence } from '#server/judging/verdicts.rows.ts'
import { type Db, rowsInParts } from '#server/kit/db.ts'
import { foldSummaries } from '#server/predictions/predictions.rows.ts'
import { unpackScores } from '#server/scores/compute-scores.ts'

const AT_ONCE = 5_000
const Stored = z.object({ id: z.coerce.number(), evidence: z.unknown() })

/**
 * Completes migrations that SQL cannot express, and reads all evidence; caches and drafts are parsed leniently where they
 * are used.
 * @throws Error naming the first value that this version cannot read
 */
export async function checkStored(tx: Db): Promise<void> {
  await foldSummaries(tx)
  await unpackScores(tx)
  const verdicts = sql`select id, evidence from verdicts order by id`
  for await (const rows of rowsInParts(tx, verdicts, AT_ONCE)) {
    for (const { id, evidence } of z.array(Stored).parse(rows)) {
      const read = Evidence.safeParse(evidence)
      if (read.success) continue
      const where = read.error.issues[0]?.path.join('.') || 'not an object'
      throw new Error(`this version cannot read evidence ${String(id)} of verdicts (${where})`)
    }
  }
}
