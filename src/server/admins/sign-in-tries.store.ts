import { eq, inArray, lt, or, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { signInTries } from '#server/database/schema/admins.ts'

/** Pauses between tries, in one expression, so that tries at the same moment cannot pass each other. */
export type TryRule = {
  /** Tries that wait for nothing. */
  readonly free: number
  readonly longestS: number
}

/**
 * Counts a try as failed before it is looked at.
 *
 * @returns null when it may go on, else until when no try is looked at
 */
export async function countTry(
  db: Db,
  key: string,
  at: string,
  { free, longestS }: TryRule,
): Promise<string | null> {
  // The pause doubles with each try beyond the free ones; a day without tries forgets them.
  const failures = sql`case when ${signInTries.lastAt} < ${at}::timestamptz - interval '1 day' then 1 else ${signInTries.failures} + 1 end`
  const pauseS = sql`case when ${failures} < ${free} then 0 else least(${longestS}::double precision, power(2, least(${failures} - ${free}, 20))) end`
  const rows = await db
    .insert(signInTries)
    .values({ key, failures: 1, lastAt: at, notBefore: at })
    .onConflictDoUpdate({
      target: signInTries.key,
      set: {
        failures,
        lastAt: at,
        notBefore: sql`${at}::timestamptz + make_interval(secs => ${pauseS})`,
      },
      setWhere: sql`${signInTries.notBefore} <= ${at}::timestamptz`,
    })
    .returning({ key: signInTries.key })
  if (rows.length > 0) return null
  const found = await db
    .select({ notBefore: signInTries.notBefore })
    .from(signInTries)
    .where(eq(signInTries.key, key))
  return found[0]?.notBefore ?? at
}

/** Takes back a try that turned out to be none; the failures before it stay counted. */
export async function uncountTry(db: Db, keys: readonly string[], at: string): Promise<void> {
  await db
    .update(signInTries)
    .set({ failures: sql`greatest(${signInTries.failures} - 1, 0)`, notBefore: at })
    .where(inArray(signInTries.key, [...keys]))
}

/** Forgets the failed tries of these keys, and old ones of all. */
export async function forgetTries(db: Db, keys: readonly string[], before: string): Promise<void> {
  await db
    .delete(signInTries)
    .where(or(lt(signInTries.lastAt, before), ...keys.map((key) => eq(signInTries.key, key))))
}
