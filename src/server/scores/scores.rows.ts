import { and, asc, desc, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { type LuckMethod } from '#contracts/page.ts'
import { type PersonScoreRow, type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { type AssetKey } from '#domain/asset.ts'
import { addDays, day, dayFromNumber, isoDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { predictions } from '#server/database/schema/predictions.ts'
import { personScores, scores } from '#server/database/schema/scores.ts'
import { type Db, hasEffect, rowsInParts, rowsOf } from '#server/kit/db.ts'
import { type ScoreKey } from './score-request.ts'
import { boardCalls, stripOf } from './scores-wire.ts'
import { cardName, cardOf, type YearsFound } from './year-report.ts'

const AT_ONCE = 200

export type StoredScores = ScoreKey & {
  readonly digest: string
  readonly recordVersion: number | null
  readonly computedAt: string
  readonly hasPages: boolean
  readonly about: ScoresReply
}

export type PersonFigures = Omit<PersonScoreRow, 'calls'>

function isOf({ asOf, mode }: ScoreKey, table: typeof scores | typeof personScores = scores) {
  return and(eq(table.asOf, isoDay(asOf)), eq(table.mode, mode))
}

export function storedScores(db: Db, of: ScoreKey): Promise<StoredScores | null> {
  return select(db, isOf(of))
}

/** The newest scores up to this day. */
export function latestScores(db: Db, mode: JudgeMode, today: Day): Promise<StoredScores | null> {
  return select(db, and(eq(scores.mode, mode), scores.isDaily, lte(scores.asOf, isoDay(today))))
}

async function select(db: Db, condition: SQL | undefined): Promise<StoredScores | null> {
  const [row] = await db
    .select({
      asOf: scores.asOf,
      mode: scores.mode,
      digest: scores.digest,
      recordVersion: scores.recordVersion,
      computedAt: scores.computedAt,
      hasPages: sql<boolean>`${scores.pages} is not null`,
      about: scores.about,
    })
    .from(scores)
    .where(condition)
    .orderBy(desc(scores.asOf))
    .limit(1)
  return row ? { ...row, asOf: day(row.asOf) } : null
}

export function luckMethod(db: Db, of: ScoreKey): Promise<LuckMethod | null> {
  return pagesPart(db, of, sql`${scores.pages} -> 'method'`)
}

export function years(db: Db, of: ScoreKey): Promise<YearsFound | null> {
  return pagesPart(db, of, sql`${scores.pages} -> 'years'`)
}

export function yearCard(asset: AssetKey, year: number) {
  return async (db: Db, of: StoredScores): Promise<YearCardReply> => {
    const name = cardName(asset, year)
    const part = sql<YearCardReply | null>`${scores.pages} -> 'cards' -> ${name}`
    return (await pagesPart(db, of, part)) ?? cardOf(of.about, [], null, asset, year)
  }
}

async function pagesPart<Part>(db: Db, of: ScoreKey, part: SQL<Part | null>): Promise<Part | null> {
  const [row] = await db.select({ part }).from(scores).where(isOf(of))
  return row?.part ?? null
}

/** Everybody's figures in order, or only those of the first with enough decided calls. */
export async function figuresOfPeople(
  db: Db,
  of: ScoreKey,
  ranked: { readonly most: number } | null = null,
): Promise<PersonFigures[]> {
  const query = db
    .select({ figures: personScores.figures })
    .from(personScores)
    .where(and(isOf(of, personScores), ranked ? personScores.ranked : undefined))
    .orderBy(asc(personScores.place))
  const rows = await (ranked ? query.limit(ranked.most) : query)
  return rows.map(({ figures }) => figures)
}

export function countRanked(db: Db, of: ScoreKey): Promise<number> {
  return db.$count(personScores, and(isOf(of, personScores), personScores.ranked))
}

export async function stripsOf(db: Db, of: ScoreKey, slugs: readonly string[]) {
  const { slug, callCount, marks } = personScores
  const rows = await db
    .select({ slug, call_count: callCount, calls: marks })
    .from(personScores)
    .where(and(isOf(of, personScores), inArray(slug, [...slugs])))
  return new Map(rows.map(({ slug, ...strip }) => [slug, strip]))
}

export async function personOf(db: Db, of: ScoreKey, slug: string): Promise<PersonScoreRow | null> {
  const [row] = await db
    .select({ figures: personScores.figures, calls: personScores.calls })
    .from(personScores)
    .where(and(isOf(of, personScores), eq(personScores.slug, slug)))
  return row ? { ...row.figures, calls: row.calls } : null
}

/** Everybody in order, in batches. @param tx a transaction with a single snapshot */
export async function* everybody(tx: Db, { asOf, mode }: ScoreKey): AsyncGenerator<PersonScoreRow> {
  const query = sql`
    select figures, calls from person_scores where as_of = ${isoDay(asOf)} and mode = ${mode} order by place`
  for await (const part of rowsInParts(tx, query, AT_ONCE)) {
    const people = part as readonly Pick<typeof personScores.$inferSelect, 'figures' | 'calls'>[]
    for (const { figures, calls } of people) yield { ...figures, calls }
  }
}

/** Number of a day's calls by year due, for both modes. */
export async function callYears(db: Db, asOf: Day) {
  const answer = await db.execute(sql`
    select left(call ->> 'deadline', 4) as year, count(*)::int as count
    from person_scores, json_array_elements(calls) as call where as_of = ${isoDay(asOf)}
    group by 1 order by 1`)
  return rowsOf(answer) as readonly { readonly year: string; readonly count: number }[]
}

type YearCall = { readonly mode: JudgeMode; readonly slug: string; readonly call: ScoredCallRow }

/** Calls due in a year, by deadline. @param tx a transaction */
export async function* callsOfYear(tx: Db, asOf: Day, year: string) {
  const query = sql`
    select mode, slug, call from person_scores, json_array_elements(calls) as call
    where as_of = ${isoDay(asOf)} and left(call ->> 'deadline', 4) = ${year}
    order by call ->> 'deadline' collate "C", call ->> 'id' collate "C", mode collate "C"`
  for await (const part of rowsInParts(tx, query, AT_ONCE)) {
    for (const { mode, slug, call } of part as readonly YearCall[]) yield { mode, slug, ...call }
  }
}

/** Limit of days computed on demand long after; each takes only a second to recompute. */
const MOST_ON_DEMAND = 500

/** Everybody's scores as rows; `about` and `pages` are JSON. */
export type ScoreRows = {
  readonly about: string
  readonly pages: string | null
  readonly people: readonly PersonScoreRow[]
}

type SavedPerson = Pick<PersonScoreRow, 'slug' | 'band'> & {
  readonly calls: Parameters<typeof boardCalls>[0]
}

type Saved = ScoreKey & {
  readonly digest: string
  readonly rule: number
  readonly seed: string
  readonly histories: number
  readonly rows: Omit<ScoreRows, 'people'> & { readonly people: readonly SavedPerson[] }
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
export async function noteCalls(
  tx: Db,
  mode: JudgeMode,
  calls: readonly Pick<ScoredCallRow, 'id' | 'luck' | 'repeats'>[],
) {
  const luck = sql.raw(`${mode}_luck`)
  // Repeats rarely depend on the mode; stores those of the default mode.
  const repeated = mode === 'touch' ? sql`given.repeats` : sql`predictions.repeats`
  await tx.execute(sql`
    update predictions set ${luck} = given.luck, repeats = ${repeated}
    from unnest(${sql.param(calls.map(({ id }) => id))}::text[], ${sql.param(calls.map((one) => one.luck))}::float8[],
      ${sql.param(calls.map(({ repeats }) => repeats))}::text[]) as given(id, luck, repeats)
    where predictions.id = given.id
      and (${luck} is distinct from given.luck or predictions.repeats is distinct from ${repeated})`)
}
