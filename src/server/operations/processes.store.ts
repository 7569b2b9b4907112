import { asc, eq, lt, sql } from 'drizzle-orm'
import { processes } from '#server/database/schema/processes.ts'
import { type Db } from '#server/kit/db.ts'

/** A process that has not been heard of for so long is forgotten. */
const FORGOTTEN = sql`now() - interval '1 day'`

export type ProcessFacts = Omit<typeof processes.$inferSelect, 'startedAt' | 'heardAt'>

/** Writes down that a process lives, by the clock of the database, and what it does; forgets those long gone. */
export async function noteProcess(db: Db, { id, ...facts }: ProcessFacts): Promise<void> {
  await db
    .insert(processes)
    .values({ id, ...facts })
    .onConflictDoUpdate({ target: processes.id, set: { ...facts, heardAt: sql`now()` } })
  await db.delete(processes).where(lt(processes.heardAt, FORGOTTEN))
}

export async function forgetProcess(db: Db, id: string): Promise<void> {
  await db.delete(processes).where(eq(processes.id, id))
}

/** Those that were heard of lately, the oldest first. */
export async function heardProcesses(db: Db) {
  return db
    .select({
      row: processes,
      secondsAgo: sql<number>`extract(epoch from now() - ${processes.heardAt})::float8`,
    })
    .from(processes)
    .orderBy(asc(processes.startedAt), asc(processes.id))
}
