import { type ClientBase } from 'pg'

/** The number of sessions waiting for a lock in a connection's database: the server has those of other tests, too. */
export async function waitingForLocks(connection: Pick<ClientBase, 'query'>): Promise<number> {
  // A lock on another transaction has no database; its session holds others that have.
  const { rows } = await connection.query(`
    with own as (
      select locks.* from pg_locks locks join pg_database d on d.oid = locks.database
      where d.datname = current_database()
    )
    select distinct pid from pg_locks where not granted and pid in (select pid from own)`)
  return rows.length
}
