import { type ClientBase } from 'pg'

/** How many sessions wait for a lock in the database of a connection: the server has those of other tests, too. */
export async function waitingForLocks(connection: Pick<ClientBase, 'query'>): Promise<number> {
  // A lock on another transaction is of no database; its session holds others that are.
  const { rows } = await connection.query(`
    with own as (
      select locks.* from pg_locks locks join pg_database d on d.oid = locks.database
      where d.datname = current_database()
    )
    select distinct pid from pg_locks where not granted and pid in (select pid from own)`)
  return rows.length
}
