import { sql } from 'drizzle-orm'
import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { addDays, dayFromNumber, isoDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { personScores, scores } from '#server/database/schema/scores.ts'
import { type Db, hasEffect } from '#server/kit/db.ts'
import { type CallNotes, type ScoreRows } from './compute-scores.ts'
import { type ScoreKey } from './score-request.ts'
import { boardCalls, stripOf } from './scores-wire.ts'
import { isOf } from './scores.rows.ts'

/** Limit of days computed on demand long after; each takes only a second to recompute. */
const MOST_ON_DEMAND = 500
const AT_ONCE = 200

type SavedPerson = Pick<PersonScoreRow, 'slug' | 'band'> & {
  readonly calls: Parameters<typeof boardCalls>[0]
}

type Saved = ScoreKey & {
  readonly digest: string
  readonly rule: number
  readonly seed: string
  readonly histories: number
  readonly rows: Omit<ScoreRows, 'calls' | 'people'> & { readonly people: readonly SavedPerson[] }
  readonly recordVersion: number | null
  readonly isDaily: boolean
  readonly now: string
}

/**
 * Replaces a day's scores.
 * @param tx a day and its people are written together
 * @returns false if those of a later version are stored
 */
export async function saveScores(tx: Db, input: Saved): Promise<boolean> {
  const { asOf, mode, digest, rule, seed, histories, rows, recordVersion, isDaily, now } = input
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
  const saving = tx
    .insert(scores)
    .values({ ...row, asOf: isoDay(asOf), mode, isDaily })
    .onConflictDoUpdate({
      target: [scores.asOf, scores.mode],
      set: { ...row, isDaily: sql`${scores.isDaily} or excluded.is_daily` },
      setWhere: sql`${scores.recordVersion} is null or ${scores.recordVersion} <= excluded.record_version`,
    })
  if (!(await hasEffect(saving))) return false
  await tx.delete(personScores).where(isOf(input, personScores))
  for (let from = 0; from < people.length; from += AT_ONCE) {
    const part = people.slice(from, from + AT_ONCE)
    const strips = part.map(({ calls }) => stripOf(boardCalls(calls)))
    const cells = <Cell>(cellOf: (person: SavedPerson) => Cell) => sql.param(part.map(cellOf))
    await tx.execute(sql`
      insert into person_scores (as_of, mode, place, slug, ranked, call_count, marks, figures, calls)
      select ${isoDay(asOf)}, ${mode}, ${from} + place - 1, slug, ranked, call_count, marks::json, figures::json, calls::json
      from unnest(${cells(({ slug }) => slug)}::text[], ${cells(({ band }) => band !== null)}::boolean[],
        ${sql.param(strips.map((strip) => strip.call_count))}::int[],
        ${sql.param(strips.map((strip) => JSON.stringify(strip.calls)))}::text[],
        ${cells(({ calls: _calls, ...figures }) => JSON.stringify(figures))}::text[],
        ${cells(({ calls }) => JSON.stringify(calls))}::text[]) with ordinality as given(slug, ranked, call_count, marks, figures, calls, place)`)
  }
  return true
}

/** Stores that these scores are still valid for this version of the record. */
export async function noteVersion(
  db: Db,
  of: ScoreKey,
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

/** Deletes old days computed on demand, and page data of days before yesterday. */
export async function forgetOld(tx: Db, today: Day): Promise<void> {
  await tx.execute(sql`
    delete from scores where not is_daily and computed_at < (
      select computed_at from scores where not is_daily
      order by computed_at desc offset ${MOST_ON_DEMAND - 1} limit 1)`)
  await tx
    .update(scores)
    .set({ pages: null })
    .where(sql`${scores.asOf} < ${isoDay(addDays(today, -1))} and ${scores.pages} is not null`)
}

/** The first and the last day on which a prediction was made; null without any. */
export async function daysMade(db: Db, asOf: Day) {
  const made = (which: 'min' | 'max') =>
    sql<number | null>`${sql.raw(which)}(made) - date '1970-01-01'`
  const [row] = await db
    .select({ first: made('min'), last: made('max') })
    .from(predictions)
    .where(sql`withdrawn_at is null and made <= ${isoDay(asOf)}`)
  if (!row || row.first === null || row.last === null) return null
  return { first: dayFromNumber(row.first), last: dayFromNumber(row.last) }
}

/** Stores luck and repeats of each call in the newest scores; writes only rows that differ. */
export async function noteCalls(tx: Db, mode: JudgeMode, { ids, chances, repeats }: CallNotes) {
  const luck = sql.raw(`${mode}_luck`)
  // Repeats rarely depend on the mode; stores those of the default mode.
  const repeated = mode === 'touch' ? sql`given.repeats` : sql`predictions.repeats`
  await tx.execute(sql`
    update predictions set ${luck} = given.luck, repeats = ${repeated}
    from unnest(${sql.param([...ids])}::text[], ${sql.param([...chances])}::float8[], ${sql.param([...repeats])}::text[])
      as given(id, luck, repeats)
    where predictions.id = given.id
      and (${luck} is distinct from given.luck or predictions.repeats is distinct from ${repeated})`)
}
