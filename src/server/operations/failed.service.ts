import { type listJobs } from '#contracts/operations.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { failure } from '#server/kit/failure.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Delivery } from '#server/kit/deliver.ts'
import { type Outbox } from '#server/kit/outbox.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type z } from 'zod'
import { failedDeliveries } from './failed.rows.ts'

const GONE = 'This is no longer in the list of failed jobs and deliveries.'

export type FailedService = ReturnType<typeof failedService>

/** Jobs and deliveries that wait for a person. */
export function failedService(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  jobs: Pick<Jobs, 'failed' | 'retry'>,
  outbox: Pick<Outbox, 'titleOf' | 'again' | 'arrived'>,
) {
  /** @throws AppError if there are none, as somebody was faster */
  function decide(
    admin: Admin,
    id: string,
    action: string,
    change: Outbox['again'],
  ): Promise<readonly Delivery[]> {
    return db.transaction(async (tx) => {
      const rows = await change(tx, Number(id))
      const [row] = rows
      if (!row) throw failure('not_found', GONE)
      await writeAudit(tx, {
        at: isoNow({ clock }),
        admin,
        action,
        subject: { kind: 'delivery', id },
        after: { kind: row.kind, lane: row.lane, count: rows.length, reason: row.lastError },
      })
      return rows
    })
  }

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

    /** Retries a job or deliveries that have failed for good, or sends a delivery again that may have arrived. */
    async retry(admin: Admin, id: string): Promise<string> {
      if (/^\d+$/.test(id)) {
        const { length } = await decide(admin, id, 'delivery sent again', outbox.again)
        return `${length === 1 ? 'It is' : `All ${String(length)} are`} sent again.`
      }
      if (!(await jobs.retry(id))) throw failure('not_found', GONE)
      const at = isoNow({ clock })
      const subject = { kind: 'job', id }
      await writeAudit(db, { at, admin, action: 'failed job tried again', subject })
      return 'It is tried again.'
    },

    /** Records that a delivery has arrived whose outcome was unknown. */
    async arrived(admin: Admin, id: string): Promise<string> {
      await decide(admin, id, 'delivery marked as arrived', outbox.arrived)
      return 'It counts as sent.'
    },
  }
}
