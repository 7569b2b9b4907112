import { eq } from 'drizzle-orm'
import { type Db } from './database.ts'
import { facts } from './schema.ts'

/** A fact about the database itself; null when it was never recorded. */
export async function readFact(db: Db, name: string): Promise<string | null> {
  const rows = await db.select().from(facts).where(eq(facts.name, name))
  return rows[0]?.value ?? null
}

export async function recordFact(db: Db, name: string, value: string): Promise<void> {
  await db
    .insert(facts)
    .values({ name, value })
    .onConflictDoUpdate({ target: facts.name, set: { value } })
}
