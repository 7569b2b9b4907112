import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { type ScoresReply } from '#contracts/scores.ts'
import { addDays, day, dayOfTime, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { inOneState, acquireLock, type Db, rowsOf } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { readState } from '#server/record/record-state.ts'
import { computeRows, rowsOfReply, type ScoreRows } from './compute-scores.ts'
import { scoreInputs, requestOf, type ScoreKey, type DayRequest } from './score-request.ts'
import { storedScores } from './scores.rows.ts'
import { forgetOld, noteCalls, noteVersion, saveScores } from './scores.store.ts'

/** A day's scores as of an ISO moment. */
export type ScoreJob = ScoreKey & { readonly now: string }

/** Computes and stores scores off the main thread, one day at a time; see `computeDay`. */
export type ScoreWorker = {
  readonly compute: (job: ScoreJob) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** Computes and stores the scores of a day. @returns false if the same or later ones are stored */
export async function computeDay(
  db: Db,
  { now, ...key }: ScoreJob,
  compute: Compute = computeRows,
): Promise<boolean> {
  const { asOf, mode } = key
  const today = dayOfTime(Date.parse(now))
  const isDaily = asOf >= addDays(today, -1)
  const { computed, ...found } = await computedRows(db, key, today, compute)
  if (!computed) {
    await noteVersion(db, key, { recordVersion: found.recordVersion, isDaily })
    return false
  }
  const { calls, ...rows } = computed
  const saved = { ...key, ...found, rows, isDaily, now }
  return db.transaction(async (tx) => {
    if (!(await saveScores(tx, saved))) return false
    await forgetOld(tx, today)
    if (asOf < today) return true
    await acquireLock(tx)
    await noteCalls(tx, mode, calls)
    await sendSignal(tx, 'scores', [mode])
    return true
  })
}

type Compute = (request: DayRequest) => ScoreRows | Promise<ScoreRows>

/** `computed` is null if the same scores are stored. The statements, which may be many, are garbage once it returns. */
async function computedRows(db: Db, key: ScoreKey, today: Day, compute: Compute) {
  const { request, recordVersion } = await inOneState(db, async (tx) => ({
    recordVersion: (await readState(tx)).version,
    request: await requestOf(await scoreInputs(tx, key.asOf, today), key, today),
  }))
  const { digest } = request
  const { rule, seed, histories } = request.request
  const stored = await storedScores(db, key)
  const isStored = stored?.digest === digest && (stored.hasPages || key.asOf < today)
  const computed = isStored ? null : await compute(request)
  return { digest, rule, seed, histories, recordVersion, computed }
}

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

/** Converts scores stored as one text per day before migration 20, which SQL cannot parse. */
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
      rows: { ...rowsOfReply(JSON.parse(text) as ScoresReply), pages: null },
    })
  }
  await tx.execute(sql`drop table packed_scores`)
}
