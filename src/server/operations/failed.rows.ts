import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, readRows } from '#server/kit/db.ts'
import { FAILED_FOR_GOOD } from '#server/kit/jobs.ts'
import { isoIn, type Clock } from '#server/kit/time.ts'
import { LISTED_FOR_MS } from '#server/kit/outbox.ts'

const MOST_LISTED = 200

/**
 * Deliveries that wait for a person: failed ones for 30 days, and those in doubt. Grouped by reason, as a server that
 * refuses us fails thousands, except notices in doubt, which are listed one by one. `id` is the newest of its row;
 * `ref` is null for several.
 */
const undelivered = (clock: Clock): SQL => sql`
  select (array_agg(id order by updated_at desc, id desc))[1] as id, kind, lane, state,
    case when count(*) = 1 then min(ref) end as ref, count(*)::int as count, max(updated_at) as at, max(tries) as tries, last_error as reason
  from outbox
  where state in ('failed', 'unknown') and dismissed_at is null and (state = 'unknown' or updated_at >= ${isoIn({ clock }, -LISTED_FOR_MS)}::timestamptz)
    and payload->>'said' is distinct from 'replaced'
    and (kind <> 'post' or exists (select from social_posts p where p.id::text = ref and p.state in ('sending', 'done')
      and (outbox.state = 'unknown' or p.left_at is null)))
  group by kind, lane, state, last_error, case when kind = 'post' or (kind = 'notice' and state = 'unknown') then id end`

const Undelivered = z.object({
  id: z.coerce.string(),
  kind: z.string(),
  lane: z.string(),
  state: z.enum(['failed', 'unknown']),
  ref: z.string().nullable(),
  count: z.int(),
  at: z.string().transform((at) => new Date(at).toISOString()),
  tries: z.int(),
  reason: z.string().nullable(),
})

/** Newest first. */
export async function failedDeliveries(
  db: Db,
  clock: Clock,
): Promise<z.output<typeof Undelivered>[]> {
  return readRows(db, Undelivered)`
    select * from (${undelivered(clock)}) found order by at desc limit ${MOST_LISTED}`
}

/** Failed jobs and deliveries as listed, without posts. */
export async function countFailed(db: Db, clock: Clock): Promise<number> {
  const [found] = await readRows(db, z.object({ n: z.int() }))`
    select (select count(*) from (${undelivered(clock)}) found where kind <> 'post')::int
      + (select count(*) from jobs.job where ${sql.raw(FAILED_FOR_GOOD)})::int as n`
  return found?.n ?? 0
}
