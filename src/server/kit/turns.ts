import { sql } from 'drizzle-orm'
import { type Db } from './db.ts'

/** Those who wait hold connections of the pool: a turn that lasts longer belongs to a process that has stopped moving. */
const WAIT_WITHIN = '10s'

/**
 * Makes transactions take turns, in all processes, until each ends.
 *
 * @param name what they take turns at
 * @throws DrizzleQueryError with code 55P03 when the turn of another does not end
 */
export async function takeTurn(tx: Db, name: string): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${WAIT_WITHIN}, true)`)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`)
}
