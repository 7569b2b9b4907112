import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type listJobs } from '#contracts/operations.ts'
import { writeAudit, type Admin } from '#server/kit/admin.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type Jobs, FAILED_FOR_GOOD } from '#server/kit/jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Decision, type Listed, type Outbox, LISTED_FOR_MS } from '#server/kit/outbox.ts'
import { isoNow, isoIn, type Clock } from '#server/kit/time.ts'

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
export async function failedDeliveries(db: Db, clock: Clock) {
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

/** Actions in the audit log, and what is said about deliveries. */
const DECISIONS: Readonly<Record<Decision, { action: string; result: string }>> = {
  again: { action: 'delivery sent again', result: 'sent again' },
  arrived: { action: 'delivery marked as arrived', result: 'counted as sent' },
  dismissed: { action: 'failed delivery dismissed', result: 'dismissed' },
}
const GONE = 'This is no longer in the list of failed jobs and deliveries.'

export type FailedService = ReturnType<typeof failedService>

/** Jobs and deliveries that wait for a person. */
export function failedService(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  jobs: Pick<Jobs, 'failed' | 'retry' | 'dismiss'>,
  outbox: Pick<Outbox, 'titleOf' | 'decide'>,
) {
  return {
    /** Newest first. */
    async list(): Promise<z.input<typeof listJobs.reply>['failed']> {
      const failed = (await jobs.failed()).map(({ id, title, key, failedAt, tries, reason }) => {
        const alone = { kind: 'job', ref: null, state: 'failed' as const, count: 1 }
        return { ...alone, id, title, key, failed_at: failedAt, tries, reason }
      })
      const deliveries = (await failedDeliveries(db, clock)).map(
        ({ lane, at, reason, ...row }) => ({
          ...row,
          title: outbox.titleOf(row.kind),
          key: lane === row.kind ? null : lane,
          failed_at: at,
          reason: reason ?? '',
        }),
      )
      return [...failed, ...deliveries].toSorted((a, b) => (a.failed_at < b.failed_at ? 1 : -1))
    },

    /**
     * Decides about a failed job, or about deliveries that failed or may have arrived.
     * @param listed its state on the screen of the administrator
     * @throws AppError if it is no longer listed so, as somebody was faster
     */
    async decide(admin: Admin, id: string, decision: Decision, listed: Listed): Promise<string> {
      const entry = { at: isoNow({ clock }), admin }
      const { action, result } = DECISIONS[decision]
      if (!/^\d+$/.test(id)) {
        const isAgain = decision === 'again'
        const job = (await jobs.failed()).find((one) => one.id === id)
        await db.transaction(async (tx) => {
          const isDone = job !== undefined && (await jobs[isAgain ? 'retry' : 'dismiss'](tx, id))
          if (!isDone) throw failure('conflict', GONE)
          const { title, key, reason } = job
          const subject = { kind: 'job', id }
          const action = isAgain ? 'failed job tried again' : 'failed job dismissed'
          await writeAudit(tx, { ...entry, action, subject, after: { title, key, reason } })
        })
        return isAgain ? 'It will be tried again.' : 'It is dismissed.'
      }
      return db.transaction(async (tx) => {
        const rows = await outbox.decide(tx, Number(id), decision, listed)
        const [row] = rows
        if (!row) throw failure('conflict', GONE)
        const { kind, lane, lastError: reason } = row
        const after = { kind, lane, count: rows.length, reason }
        await writeAudit(tx, { ...entry, action, subject: { kind: 'delivery', id }, after })
        return `${rows.length === 1 ? 'It is' : `All ${String(rows.length)} are`} ${result}.`
      })
    },
  }
}
