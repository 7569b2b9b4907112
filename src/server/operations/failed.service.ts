import { type listJobs } from '#contracts/operations.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { failure } from '#server/kit/failure.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Delivery } from '#server/kit/deliver.ts'
import { type Decision, type Outbox } from '#server/kit/outbox.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type z } from 'zod'
import { failedDeliveries } from './failed.rows.ts'

const ACTIONS: Readonly<Record<Decision, string>> = {
  again: 'delivery sent again',
  arrived: 'delivery marked as arrived',
  dismissed: 'failed delivery dismissed',
}
const GONE = 'This is no longer in the list of failed jobs and deliveries.'

export type FailedService = ReturnType<typeof failedService>

/** Jobs and deliveries that wait for a person. */
export function failedService(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  jobs: Pick<Jobs, 'failed' | 'retry' | 'dismiss'>,
  outbox: Pick<Outbox, 'titleOf' | 'decide'>,
) {
  /** @throws AppError if there are none, as somebody was faster */
  function decide(admin: Admin, id: string, decision: Decision): Promise<readonly Delivery[]> {
    return db.transaction(async (tx) => {
      const rows = await outbox.decide(tx, Number(id), decision)
      const [row] = rows
      if (!row) throw failure('not_found', GONE)
      await writeAudit(tx, {
        at: isoNow({ clock }),
        admin,
        action: ACTIONS[decision],
        subject: { kind: 'delivery', id },
        after: { kind: row.kind, lane: row.lane, count: rows.length, reason: row.lastError },
      })
      return rows
    })
  }

  async function decided(
    admin: Admin,
    id: string,
    decision: Decision,
    how: string,
  ): Promise<string> {
    const { length } = await decide(admin, id, decision)
    return `${length === 1 ? 'It is' : `All ${String(length)} are`} ${how}.`
  }

  /** @throws AppError if it is not listed any more */
  async function jobDecided(
    admin: Admin,
    id: string,
    change: Jobs['retry'],
    action: string,
    said: string,
  ): Promise<string> {
    if (!(await change(id))) throw failure('not_found', GONE)
    await writeAudit(db, { at: isoNow({ clock }), admin, action, subject: { kind: 'job', id } })
    return said
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

    /** Retries a job or deliveries that have failed for good, or sends those again that may have arrived. */
    retry: (admin: Admin, id: string): Promise<string> => {
      if (isDelivery(id)) return decided(admin, id, 'again', 'sent again')
      return jobDecided(admin, id, jobs.retry, 'failed job tried again', 'It is tried again.')
    },

    /** Records that deliveries have arrived whose outcome was unknown. */
    arrived: (admin: Admin, id: string): Promise<string> =>
      decided(admin, id, 'arrived', 'counted as sent'),

    /** Takes a failed job or deliveries off the list, without doing anything about them. */
    dismiss: (admin: Admin, id: string): Promise<string> => {
      if (isDelivery(id)) return decided(admin, id, 'dismissed', 'dismissed')
      return jobDecided(admin, id, jobs.dismiss, 'failed job dismissed', 'It is dismissed.')
    },
  }
}

function isDelivery(id: string): boolean {
  return /^\d+$/.test(id)
}
