import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { type LuckMethod } from '#contracts/page.ts'
import { type ScoresReply } from '#contracts/scores.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { byAsset } from '#domain/asset.ts'
import { addDays, day, dayOfTime, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { testLuck } from '#domain/scoring/luck.ts'
import { priceHistory } from '#domain/scoring/price-history.ts'
import { computeScores } from '#domain/scoring/scores.ts'
import { inOneState, acquireLock, type Db, rowsOf } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { readState } from '#server/record/record-state.ts'
import { luckMethodOf } from './luck-method.ts'
import { scoreInputs, requestOf, type ScoreKey, type DayRequest } from './score-request.ts'
import { personRow, scoresReply } from './scores-wire.ts'
import * as store from './scores.rows.ts'
import { yearPages, type YearsFound } from './year-report.ts'

/** Aggregates for pages. */
type ScorePages = {
  readonly method: LuckMethod
  readonly years: YearsFound
  /** Keys such as `btc 2025`, for each asset and year with due calls. */
  readonly cards: Readonly<Record<string, YearCardReply>>
}

/** Takes about a second of CPU time: the server uses a worker. */
export function computeReply(request: DayRequest): ScoresReply {
  return compute(request).reply
}

export function computeRows(request: DayRequest): store.ScoreRows {
  const { reply, series } = compute(request)
  const pages: ScorePages = { method: luckMethodOf(reply), ...yearPages(reply, series) }
  return { ...rowsOfReply(reply), pages: JSON.stringify(pages) }
}

export function rowsOfReply(reply: Pick<ScoresReply, 'people'>) {
  return { about: JSON.stringify({ ...reply, people: [] }), people: reply.people }
}

function compute({ request, lastOver, digest }: DayRequest) {
  const { seed, histories, mode, bars, asOf } = request
  const prices = byAsset((key) => priceHistory(key, bars[key] ?? [], asOf))
  const inputs = { digest, seed, histories }
  const luckTest = testLuck(prices, mode)
  const scores = computeScores(request)
  return {
    reply: scoresReply(scores, { inputs, lastOver, luckTest }, scores.people.map(personRow)),
    series: byAsset((key) => prices[key].series),
  }
}

/** A day's scores as of an ISO moment. */
export type ScoreJob = ScoreKey & { readonly now: string }

/** Computes and stores scores outside the server process, one day at a time; see `computeDay`. */
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
    await store.noteVersion(db, key, { recordVersion: found.recordVersion, isDaily })
    return false
  }
  const saved = { ...key, ...found, rows: computed, isDaily, now }
  return db.transaction(async (tx) => {
    if (!(await store.saveScores(tx, saved))) return false
    await store.forgetOld(tx, today)
    if (asOf < today) return true
    await acquireLock(tx)
    await store.noteCalls(
      tx,
      mode,
      computed.people.flatMap((person) => person.calls),
    )
    await sendSignal(tx, 'scores', [mode])
    return true
  })
}

type Compute = (request: DayRequest) => store.ScoreRows | Promise<store.ScoreRows>

/** `computed` is null if the same scores are stored. The statements, which may be many, are garbage once it returns. */
async function computedRows(db: Db, key: ScoreKey, today: Day, compute: Compute) {
  const { request, recordVersion } = await inOneState(db, async (tx) => ({
    recordVersion: (await readState(tx)).version,
    request: await requestOf(await scoreInputs(tx, key.asOf, today), key, today),
  }))
  const { digest } = request
  const { rule, seed, histories } = request.request
  const stored = await store.storedScores(db, key)
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
    await store.saveScores(tx, {
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
