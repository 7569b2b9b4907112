import { type ScoresReply } from '#contracts/scores.ts'
import { addDays, dayFromNumber, isoDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { personScores, scores } from '#server/database/schema/scores.ts'
import { type Db } from '#server/kit/db.ts'
import { sql } from 'drizzle-orm'
import { type ScoreRows } from './compute-scores.ts'
import { type Asked, type RequestText } from './score-request.ts'
import { isOf } from './scores.rows.ts'

/** Days that were asked for long after them: more would fill the disk, and each takes only a second. */
const ASKED_KEPT = 500
/** So many people are written at a time. */
const AT_ONCE = 200

type Saved = Omit<RequestText, 'text'> & {
  readonly rows: Omit<ScoreRows, 'luck'>
  readonly recordVersion: number | null
  readonly isDaily: boolean
  readonly now: string
}

/**
 * Stores scores in place of earlier ones of that day. One that is kept for good stays so.
 *
 * @param tx a transaction: a day and its people are one write
 * @returns false where scores of a later version of the record are stored
 */
export async function saveScores(tx: Db, given: Saved): Promise<boolean> {
  const { asOf, mode, digest, rule, seed, histories, rows, recordVersion, isDaily, now } = given
  const { about, pages, people } = rows
  const row = {
    digest,
    rule,
    seed,
    histories,
    recordVersion,
    computedAt: now,
    about: sql<ScoresReply>`${about}::json`,
    pages: sql`${pages}::json`,
  }
  const saved = await tx
    .insert(scores)
    .values({ ...row, asOf: isoDay(asOf), mode, isDaily })
    .onConflictDoUpdate({
      target: [scores.asOf, scores.mode],
      set: { ...row, isDaily: sql`${scores.isDaily} or excluded.is_daily` },
      setWhere: sql`${scores.recordVersion} is null or ${scores.recordVersion} <= excluded.record_version`,
    })
    .returning({ asOf: scores.asOf })
  if (saved.length === 0) return false
  await tx.delete(personScores).where(isOf(given, personScores))
  for (let from = 0; from < people.length; from += AT_ONCE) {
    const part = people.slice(from, from + AT_ONCE)
    const cells = <Key extends keyof (typeof part)[number]>(key: Key) =>
      sql.param(part.map((person) => person[key]))
    await tx.execute(sql`
      insert into person_scores (as_of, mode, place, slug, ranked, call_count, figures, calls)
      select ${isoDay(asOf)}, ${mode}, ${from} + place - 1, slug, ranked, json_array_length(calls::json), figures::json, calls::json
      from unnest(${cells('slug')}::text[], ${cells('ranked')}::boolean[], ${cells('figures')}::text[],
        ${cells('calls')}::text[]) with ordinality as given(slug, ranked, figures, calls, place)`)
  }
  return true
}

/** Notes that this version of the record still has the scores that are stored. */
export async function noteVersion(
  db: Db,
  of: Asked,
  { recordVersion, isDaily }: Pick<Saved, 'recordVersion' | 'isDaily'>,
): Promise<void> {
  await db
    .update(scores)
    .set({
      recordVersion: sql`greatest(${scores.recordVersion}, ${recordVersion})`,
      isDaily: sql`${scores.isDaily} or ${isDaily}`,
    })
    .where(isOf(of))
}

/** Forgets what is no longer needed: days that were asked for long ago, and pages of days before yesterday. */
export async function forgetOld(tx: Db, today: Day): Promise<void> {
  await tx.execute(sql`
    delete from scores where not is_daily and computed_at < (
      select computed_at from scores where not is_daily
      order by computed_at desc offset ${ASKED_KEPT - 1} limit 1)`)
  await tx
    .update(scores)
    .set({ pages: null })
    .where(sql`${scores.asOf} < ${isoDay(addDays(today, -1))} and ${scores.pages} is not null`)
}

/** The first and the last day on which a prediction was made; null without any. */
export async function daysMade(
  db: Db,
  asOf: Day,
): Promise<{ readonly first: Day; readonly last: Day } | null> {
  const made = (which: 'min' | 'max') =>
    sql<number | null>`${sql.raw(which)}(made) - date '1970-01-01'`
  const [row] = await db
    .select({ first: made('min'), last: made('max') })
    .from(predictions)
    .where(sql`withdrawn_at is null and made <= ${isoDay(asOf)}`)
  if (!row || row.first === null || row.last === null) return null
  return { first: dayFromNumber(row.first), last: dayFromNumber(row.last) }
}

/** Notes the chance of luck of each call, as the newest scores have it. Rows that have it already stay as they are. */
export async function noteLuck(
  tx: Db,
  mode: JudgeMode,
  {
    ids,
    chances,
  }: { readonly ids: readonly string[]; readonly chances: readonly (number | null)[] },
): Promise<void> {
  const column = sql.raw(`${mode}_luck`)
  await tx.execute(sql`
    update predictions set ${column} = given.luck
    from unnest(${sql.param([...ids])}::text[], ${sql.param([...chances])}::float8[]) as given(id, luck)
    where predictions.id = given.id and ${column} is distinct from given.luck`)
}
