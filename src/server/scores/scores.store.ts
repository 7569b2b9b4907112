import { isoDay, type Day } from '#domain/day.ts'
import { type ScoresReply } from '#contracts/scores.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { scores } from '#server/database/schema/scores.ts'
import { type Db } from '#server/kit/db.ts'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { packScores, type PackedScores } from './packed-scores.ts'
import { type Asked, type RequestText } from './score-request.ts'

/** Days that were asked for long after them: more would fill the disk, and each takes only a second. */
const ASKED_KEPT = 500

/** Scores that were computed before. */
export type StoredScores = {
  readonly asOf: string
  readonly digest: string
  readonly packed: PackedScores
}

const COLUMNS = {
  asOf: scores.asOf,
  digest: scores.digest,
  gzip: scores.gzip,
  starts: scores.starts,
  reply: scores.reply,
}

async function storedOf({
  gzip,
  starts,
  reply,
  ...row
}: Pick<typeof scores.$inferSelect, keyof typeof COLUMNS>): Promise<StoredScores> {
  if (gzip && starts) return { ...row, packed: { gzip, starts } }
  // Of an earlier version, whose own text it is.
  const whole = JSON.parse(reply ?? '') as ScoresReply
  return { ...row, packed: await packScores(whole, whole.people) }
}

/** The scores kept of a day; they may be from before a correction. */
export async function storedScores(db: Db, { asOf, mode }: Asked): Promise<StoredScores | null> {
  const [row] = await db
    .select(COLUMNS)
    .from(scores)
    .where(and(eq(scores.asOf, isoDay(asOf)), eq(scores.mode, mode)))
  return row ? storedOf(row) : null
}

/** What the scores kept of a day were computed from; null when none are kept. */
export async function storedDigest(db: Db, { asOf, mode }: Asked): Promise<string | null> {
  const [row] = await db
    .select({ digest: scores.digest })
    .from(scores)
    .where(and(eq(scores.asOf, isoDay(asOf)), eq(scores.mode, mode)))
  return row?.digest ?? null
}

/** Those of the latest day up to this one. */
export async function latestScores(
  db: Db,
  mode: JudgeMode,
  today: Day,
): Promise<StoredScores | null> {
  const [row] = await db
    .select(COLUMNS)
    .from(scores)
    .where(and(eq(scores.mode, mode), scores.isDaily, lte(scores.asOf, isoDay(today))))
    .orderBy(desc(scores.asOf))
    .limit(1)
  return row ? storedOf(row) : null
}

/** Keeps scores in place of earlier ones of that day. One that is kept for good stays so. */
export async function saveScores(
  db: Db,
  { asOf, mode, digest, rule, seed, histories }: Omit<RequestText, 'parts'>,
  {
    packed,
    isDaily,
    now,
  }: { readonly packed: PackedScores; readonly isDaily: boolean; readonly now: string },
): Promise<void> {
  const { gzip, starts } = packed
  const kept = { gzip, starts: [...starts], reply: null }
  const row = { digest, rule, seed, histories, ...kept, computedAt: now }
  await db
    .insert(scores)
    .values({ ...row, asOf: isoDay(asOf), mode, isDaily })
    .onConflictDoUpdate({
      target: [scores.asOf, scores.mode],
      set: { ...row, isDaily: sql`${scores.isDaily} or excluded.is_daily` },
    })
  if (isDaily) return
  await db.execute(sql`
    delete from scores where not is_daily and computed_at < (
      select computed_at from scores where not is_daily
      order by computed_at desc offset ${ASKED_KEPT - 1} limit 1)`)
}
