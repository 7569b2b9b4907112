import { type ScoresReply } from '#contracts/scores.ts'
import { day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { sql } from 'drizzle-orm'
import { gunzipSync } from 'node:zlib'
import { textsOf } from './compute-scores.ts'
import { saveScores } from './scores.store.ts'

type Packed = {
  readonly as_of: string
  readonly mode: JudgeMode
  readonly digest: string
  readonly rule: number
  readonly seed: string
  readonly histories: number
  readonly gzip: Buffer | null
  readonly reply: string | null
  readonly is_daily: boolean
  readonly computed_at: string
}

/** Makes rows of the scores that versions before migration 20 stored as one text a day, which SQL cannot unpack. */
export async function unpackScores(tx: Db): Promise<void> {
  const found = await tx.execute(sql`select from pg_tables where tablename = 'packed_scores'`)
  if (rowsOf(found).length === 0) return
  for (;;) {
    const [row] = rowsOf(
      await tx.execute(sql`
        delete from packed_scores where ctid = (select ctid from packed_scores limit 1) returning *`),
    ) as readonly Packed[]
    if (!row) break
    const text = row.gzip === null ? (row.reply ?? '') : gunzipSync(row.gzip).toString()
    const { is_daily: isDaily, computed_at: now } = row
    await saveScores(tx, {
      ...row,
      asOf: day(row.as_of),
      isDaily,
      now,
      recordVersion: null,
      // Our own text.
      rows: { ...textsOf(JSON.parse(text) as ScoresReply), pages: null },
    })
  }
  await tx.execute(sql`drop table packed_scores`)
}
