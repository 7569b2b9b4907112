import { and, asc, between, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { CORPORATE_ACTIONS, type CorporateAction } from '#domain/judging/bar.ts'
import { type Jump } from '#domain/judging/jump.ts'
import {
  corporateActions,
  priceQuestions,
  priceSources,
} from '#server/database/schema/predictions.ts'
import { hasEffect, type Db } from '#server/kit/db.ts'

/** Health of a source; times are Unix times in ms. */
export type SourceState = typeof priceSources.$inferSelect

/** A jump that awaits an administrator. */
export type PriceQuestion = typeof priceQuestions.$inferSelect

export function loadSources(db: Db, asset?: AssetKey): Promise<SourceState[]> {
  return db
    .select()
    .from(priceSources)
    .where(asset ? eq(priceSources.asset, asset) : undefined)
    .orderBy(asc(priceSources.asset), asc(priceSources.source))
}

/** Updates the given fields of a source. */
export async function saveSource(
  db: Db,
  asset: AssetKey,
  source: string,
  values: Partial<Omit<SourceState, 'asset' | 'source'>>,
): Promise<void> {
  await db
    .insert(priceSources)
    .values({ asset, source, ...values })
    .onConflictDoUpdate({ target: [priceSources.asset, priceSources.source], set: values })
}

/** Asks an administrator about a jump, once, or again if the question was withdrawn. @returns whether the question is new */
export function askAbout(
  db: Db,
  { asset, sources, before, after }: Jump & Pick<PriceQuestion, 'asset' | 'sources'>,
): Promise<boolean> {
  const jump = {
    sources,
    beforeDay: before.day,
    beforeUsd: before.close,
    afterUsd: after.close,
  }
  const asked = db
    .insert(priceQuestions)
    .values({ asset, day: after.day, ...jump })
    .onConflictDoUpdate({
      target: [priceQuestions.asset, priceQuestions.day],
      set: { ...jump, answer: null, answeredAt: null },
      setWhere: eq(priceQuestions.answer, 'withdrawn'),
    })
  return hasEffect(asked)
}

export function openQuestions(db: Db): Promise<PriceQuestion[]> {
  return db
    .select()
    .from(priceQuestions)
    .where(isNull(priceQuestions.answer))
    .orderBy(asc(priceQuestions.day), asc(priceQuestions.asset))
}

/** Questions with their answers: open ones first, then the latest. */
export async function latestQuestions(db: Db, most: number): Promise<PriceQuestion[]> {
  return db
    .select()
    .from(priceQuestions)
    .orderBy(
      sql`${priceQuestions.answer} is not null`,
      sql`coalesce(${priceQuestions.answeredAt}, ${priceQuestions.askedAt}) desc`,
      asc(priceQuestions.asset),
    )
    .limit(most)
}

export function countOpenQuestions(db: Db): Promise<number> {
  return db.$count(priceQuestions, isNull(priceQuestions.answer))
}

/** Days whose jump was confirmed by an administrator. */
export async function realJumps(db: Db, asset: AssetKey): Promise<ReadonlySet<Day>> {
  const rows = await db
    .select({ day: priceQuestions.day })
    .from(priceQuestions)
    .where(and(eq(priceQuestions.asset, asset), eq(priceQuestions.answer, 'real')))
  return new Set(rows.map((row) => row.day))
}

/** Answers the open questions about these days. @returns false without any */
export function answerQuestions(
  db: Db,
  asset: AssetKey,
  { from, to }: { from: Day; to: Day },
  answer: Answer,
): Promise<boolean> {
  return answerOpen(db, asset, between(priceQuestions.day, from, to), answer)
}

/** Closes open questions of a source about days that it now reports without a jump. */
export async function withdrawQuestions(
  db: Db,
  asset: AssetKey,
  source: string,
  days: readonly Day[],
): Promise<void> {
  const ofDays = and(eq(priceQuestions.sources, source), inArray(priceQuestions.day, [...days]))
  if (days.length > 0) await answerOpen(db, asset, ofDays, 'withdrawn')
}

type Answer = 'real' | 'split' | 'withdrawn'

function answerOpen(db: Db, asset: AssetKey, which: SQL | undefined, answer: Answer) {
  const isOpen = and(eq(priceQuestions.asset, asset), isNull(priceQuestions.answer))
  const values = { answer, answeredAt: sql`now()` }
  return hasEffect(db.update(priceQuestions).set(values).where(and(isOpen, which)))
}

/** Splits in the code and those recorded since; a recorded one replaces one of the same day. */
export async function loadActions(db: Db): Promise<CorporateAction[]> {
  const { asset, day, ratio } = corporateActions
  const recorded = await db.select({ asset, day, ratio }).from(corporateActions)
  const known = CORPORATE_ACTIONS.filter(
    (action) => !recorded.some((one) => one.asset === action.asset && one.day === action.day),
  )
  return [...known, ...recorded]
}
