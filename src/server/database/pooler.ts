import type pg from 'pg'
import { openClient } from '#server/kit/db.ts'
import { ConfigError } from '#server/kit/settings/config.ts'

/** Others may be at work through the same pooler, and get the connections that would betray it. */
const ROUNDS = 5

/**
 * Refuses an address at which a session does not last: a pooler in transaction mode gives each transaction to any of its
 * connections, so that what a process listens for, and a lock that it holds, end up with someone else, without an error. Found
 * by what it does, not by its name: two sessions at once never have the same connection of the server to themselves.
 *
 * @param connection how LISTEN and the lock of the leader would reach the database
 * @param setting what names it: `DATABASE_URL` or `DATABASE_DIRECT_URL`
 * @throws ConfigError with a sentence that says what to set
 */
export async function refusePooler(
  connection: pg.ClientConfig,
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
): Promise<void> {
  const [first, second] = [openClient(connection), openClient(connection)]
  try {
    await first.connect()
    // The server itself gives its number at the start; a pooler makes one up. In session mode it is harmless.
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

/** @returns whether the first session has a connection of the server that is its own, also while the second is at work */
async function keepsServer(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await serverOf(first)
  await second.query('begin')
  const others = await serverOf(second)
  // A pool of one has no other connection that the first could get now: it would wait for it.
  const after = others === before ? null : await serverOf(first)
  await second.query('rollback')
  return after === before
}

/** The number of the server's process that answers. */
async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
