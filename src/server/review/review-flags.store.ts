import { type AssetKey } from '#domain/asset.ts'
import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { influencerNames, type NameKind } from '#server/database/schema/predictions.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { said, type SaidSubmission } from '#server/submissions/submissions.rows.ts'

/** More of the deadlines of one page than these wait only where the review is flooded. */
const MOST_ALIKE = 500

/** Submissions that wait with one of these deadlines, the newest first. */
export async function waitingBy(
  db: Db,
  asset: AssetKey,
  deadlines: readonly string[],
): Promise<SaidSubmission[]> {
  return db
    .select(said)
    .from(submissions)
    .where(
      and(
        eq(submissions.asset, asset),
        eq(submissions.status, 'pending'),
        inArray(submissions.targetTime, [...deadlines]),
      ),
    )
    .orderBy(desc(submissions.targetTime), desc(submissions.id))
    .limit(MOST_ALIKE)
}

/** Who is known by these names and handles, all folded; the one that was first in front. */
export async function namesOf(
  db: Db,
  names: readonly string[],
  handles: readonly string[],
): Promise<{ id: number; kind: NameKind; folded: string }[]> {
  const isOf = (kind: 'name' | 'handle', folded: readonly string[]) =>
    and(eq(influencerNames.kind, kind), inArray(influencerNames.folded, [...folded]))
  return db
    .select({
      id: influencerNames.influencerId,
      kind: influencerNames.kind,
      folded: influencerNames.folded,
    })
    .from(influencerNames)
    .where(or(isOf('name', names), isOf('handle', handles)))
    .orderBy(influencerNames.influencerId)
}

/** Which of these people have a handle on record. */
export async function withHandle(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .select({ id: influencerNames.influencerId })
    .from(influencerNames)
    .where(and(eq(influencerNames.kind, 'handle'), inArray(influencerNames.influencerId, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** Which of these submissions got fewer sats than were asked for. */
export async function underpaid(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: payments.submissionId })
    .from(payments)
    .where(
      and(
        inArray(payments.submissionId, [...ids]),
        sql`${payments.receivedMsat} < ${payments.sats}::bigint * 1000`,
      ),
    )
  return new Set(rows.flatMap(({ id }) => id ?? []))
}
