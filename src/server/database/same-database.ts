import pg from 'pg'

/**
 * What tells databases apart at any address: the number that a cluster was made with, which its replicas share, and the name. Null where
 * this role may not ask, as some who rent out servers have it.
 */
export async function identityOf(client: pg.ClientBase | pg.Pool): Promise<string | null> {
  try {
    const { rows } = await client.query<{ identity: string }>(
      `select system_identifier || ' ' || current_database() as identity from pg_control_system()`,
    )
    return rows[0]?.identity ?? null
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return null
    throw error
  }
}
