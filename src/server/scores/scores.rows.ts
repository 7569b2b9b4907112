import { and, asc, desc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { type LuckMethod } from '#contracts/page.ts'
import { type PersonScoreRow, type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { type YearCardReply } from '#contracts/year.ts'
import { type AssetKey } from '#domain/asset.ts'
import { day, isoDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { personScores, scores } from '#server/database/schema/scores.ts'
import { type Db, rowsInParts, rowsOf } from '#server/kit/db.ts'
import { type ScoreKey } from './score-request.ts'
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

export function isOf(
  { asOf, mode }: ScoreKey,
  table: typeof scores | typeof personScores = scores,
) {
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

/** Everybody in order, in batches. @param db a transaction with a single snapshot */
export async function* everybody(db: Db, of: ScoreKey): AsyncGenerator<PersonScoreRow> {
  for (let last = -1; ;) {
    const rows = await db
      .select()
      .from(personScores)
      .where(and(isOf(of, personScores), gt(personScores.place, last)))
      .orderBy(asc(personScores.place))
      .limit(AT_ONCE)
    for (const { figures, calls } of rows) yield { ...figures, calls }
    const end = rows.at(-1)
    if (!end) return
    last = end.place
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
