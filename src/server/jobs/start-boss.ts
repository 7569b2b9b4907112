import { type Pool } from 'pg'
import type { PgBoss } from 'pg-boss'

const LOCK = 'proof-of-price jobs'

/**
 * Starts a worker of durable jobs. The first one of all makes the tables: those that come at the same moment wait for it,
 * in all processes, as each would otherwise trip over what the other has half made.
 */
export async function startBoss(pool: Pool, boss: PgBoss): Promise<void> {
  const client = await pool.connect()
  // A connection that breaks while it is ours tells so twice: to whoever waits for an answer, who hears it below, and here.
  client.on('error', ignore)
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [LOCK])
    await boss.start()
    await client.query('select pg_advisory_unlock(hashtext($1))', [LOCK])
    client.off('error', ignore)
    client.release()
  } catch (error) {
    // The lock goes with its connection.
    client.release(true)
    throw error
  }
}

function ignore(): void {}
