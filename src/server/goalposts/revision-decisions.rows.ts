import { and, asc, eq } from 'drizzle-orm'
import { type RevisionDecision } from '#domain/scoring/revisions.ts'
import { type Db } from '#server/kit/db.ts'
import { revisionDecisions as table } from '#server/database/schema/goalposts.ts'

/** A decision as stored, with who made it and when. */
export type StoredDecision = RevisionDecision & { readonly at: string; readonly username: string }

const columns = {
  earlier: table.earlierId,
  later: table.laterId,
  state: table.state,
  at: table.at,
  username: table.username,
}

/** All decisions, one a pair, oldest first. */
export function loadDecisions(db: Db): Promise<StoredDecision[]> {
  return db
    .select(columns)
    .from(table)
    .orderBy(asc(table.at), asc(table.earlierId), asc(table.laterId))
}

/** Writes a decision in place of the one before it. */
export async function saveDecision(tx: Db, given: StoredDecision): Promise<void> {
  const { earlier, later, ...rest } = given
  await tx
    .insert(table)
    .values({ earlierId: earlier, laterId: later, ...rest })
    .onConflictDoUpdate({ target: [table.earlierId, table.laterId], set: rest })
}

export async function removeDecision(
  tx: Db,
  { earlier, later }: Pick<StoredDecision, 'earlier' | 'later'>,
): Promise<void> {
  await tx.delete(table).where(and(eq(table.earlierId, earlier), eq(table.laterId, later)))
}
