import pg from 'pg'

/**
 * Identifies a database at any address: the system identifier, which replicas share, and the name. Null if the role
 * may not read it, as on some hosted servers.
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
