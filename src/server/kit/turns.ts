import { sql } from 'drizzle-orm'
import { type Db } from './db.ts'

/** Waiters hold a pooled connection; a longer lock belongs to a stuck process. */
const WAIT_WITHIN = '10s'

/**
 * Serialises transactions across processes until each ends.
 *
 * @param name of the lock
 * @throws DrizzleQueryError with code 55P03 on timeout
 */
export async function takeTurn(tx: Db, name: string): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${WAIT_WITHIN}, true)`)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`)
}
