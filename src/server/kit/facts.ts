import { eq } from 'drizzle-orm'
import { bars, facts, predictions } from '#server/database/schema/predictions.ts'
import { firstRow, type Db } from './db.ts'

/** A fact about the database itself; null if not recorded. */
export async function readFact(db: Db, name: string): Promise<string | null> {
  return (await firstRow(db.select().from(facts).where(eq(facts.name, name))))?.value ?? null
}

export async function recordFact(db: Db, name: string, value: string): Promise<void> {
  await db
    .insert(facts)
    .values({ name, value })
    .onConflictDoUpdate({ target: facts.name, set: { value } })
}

export async function forgetFact(db: Db, name: string): Promise<void> {
  await db.delete(facts).where(eq(facts.name, name))
}

/** Whether the database holds neither prices nor predictions. */
export async function isEmpty(db: Db): Promise<boolean> {
  return (await db.$count(predictions)) === 0 && (await db.$count(bars)) === 0
}

/** Sets a fact once: concurrent processes all get the first value. */
export async function setFactOnce(db: Db, name: string, value: string): Promise<string> {
  await db.insert(facts).values({ name, value }).onConflictDoNothing()
  return (await readFact(db, name)) ?? value
}
