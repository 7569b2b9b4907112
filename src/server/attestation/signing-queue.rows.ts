import { sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'

/** Makes those who sign take turns until their transaction ends, in all processes: each event names the one before it. */
export async function takeSigningTurn(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('proof-of-price signed record'))`)
}

/**
 * Puts the record in force on its way to the relays, what is not yet, and takes back what has been replaced before it
 * was sent.
 */
export async function queueRecord(
  db: Db,
  pubkey: string,
  relays: readonly string[],
  now: string,
): Promise<void> {
  const inForce = sql`
    select distinct on (kind, d) event_id from record_events
    where pubkey = ${pubkey} order by kind, d, id desc`
  for (const relay of relays) {
    await db.execute(sql`
      insert into nostr_deliveries (event_id, relay, next_try_at, updated_at)
      select event_id, ${relay}, ${now}::timestamptz, ${now}::timestamptz from (${inForce}) r
      on conflict do nothing`)
  }
  await db.execute(sql`
    update nostr_deliveries d set state = 'replaced', updated_at = ${now}::timestamptz
    where d.state = 'waiting'
      and exists (select from record_events r where r.event_id = d.event_id)
      and d.event_id not in (${inForce})`)
}
