import { type listJobs } from '#contracts/operations.ts'
import { writeAudit, type Admin } from '#server/kit/admin.ts'
import { failure } from '#server/kit/failure.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoNow } from '#server/kit/time.ts'
import { type Decision, type Listed, type Outbox } from '#server/kit/outbox.ts'
import { type z } from 'zod'
import { failedDeliveries } from './failed.rows.ts'

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
