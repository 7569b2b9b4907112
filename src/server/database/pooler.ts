import type pg from 'pg'
import { openClient } from '#server/kit/db.ts'
import { ConfigError } from '#server/kit/settings/config.ts'

/** Other clients of the same pooler may take the connections that would reveal it. */
const ROUNDS = 5

/**
 * Refuses an address without lasting sessions: a pooler in transaction mode hands each transaction to any of its
 * connections, so that notifications and locks end up elsewhere, without an error. Detected by behaviour, not by
 * name: two sessions at once never keep a server connection to themselves.
 *
 * @param connection how LISTEN and the leader's lock would connect
 * @param setting `DATABASE_URL` or `DATABASE_DIRECT_URL`
 * @throws ConfigError with a sentence that says what to set
 */
export async function refusePooler(
  connection: pg.ClientConfig,
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
): Promise<void> {
  const [first, second] = [openClient(connection), openClient(connection)]
  try {
    await first.connect()
    // The server reports its process id at the start; a pooler invents one. In session mode that is harmless.
    if ((await serverOf(first)) === Reflect.get(first, 'processID')) return
    await second.connect()
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!(await keepsServer(first, second))) throw new ConfigError(SENTENCES[setting])
    }
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

const SENTENCES = {
  DATABASE_URL:
    'DATABASE_URL leads through a pooler in transaction mode, in which news and the lock of the leader get lost. Set DATABASE_DIRECT_URL to the PostgreSQL server behind it; DATABASE_URL can stay.',
  DATABASE_DIRECT_URL:
    'DATABASE_DIRECT_URL leads through a pooler in transaction mode, in which news and the lock of the leader get lost. Name the PostgreSQL server itself there, or a pool in session mode.',
} as const

/** @returns whether the first session keeps its server connection while the second works */
async function keepsServer(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await serverOf(first)
  await second.query('begin')
  const others = await serverOf(second)
  // With a pool of one the first would wait for it.
  const after = others === before ? null : await serverOf(first)
  await second.query('rollback')
  return after === before
}

/** Process id of the server connection. */
async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
