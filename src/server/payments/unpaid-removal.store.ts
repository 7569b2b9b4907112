import { and, asc, eq, inArray, isNull, lt, notExists, sql, type SQL } from 'drizzle-orm'
import { removeUnpaidReports } from '#server/reports/reports.rows.ts'
import { statesBefore } from '#domain/money/invoice.ts'
import { type Db } from '#server/kit/db.ts'
import { payments, removedUnpaid, submissions } from '#server/database/schema/submissions.ts'

const AT_ONCE = 200

type Limits = { readonly before: string; readonly now: string; readonly unchecked: string }

/**
 * Removes visitors' submissions that were never paid, with their invoices, oldest first; what stays of them is how many
 * there were each day, and over how many sats. One with an invoice that is still checked stays, and so does one that was
 * not checked to the end: sats may have arrived for it.
 *
 * @param before those that were begun before this moment
 * @param unchecked what the last check says of an invoice whose wallet is no longer in use
 * @returns how many are gone; fewer than there may be, so that it is asked again until it is 0
 */
export function removeUnpaid(db: Db, { before, now, unchecked }: Limits): Promise<number> {
  return db.transaction(async (tx) => {
    const isNeeded = neededOf({ before, now, unchecked })
    const isUnneeded = notExists(
      tx
        .select({ one: sql`1` })
        .from(payments)
        .where(and(eq(payments.submissionId, submissions.id), isNeeded)),
    )
    const locked = await tx
      .select({ id: submissions.id })
      .from(submissions)
      .where(
        and(
          eq(submissions.status, 'unpaid'),
          eq(submissions.origin, 'visitor'),
          lt(submissions.createdAt, before),
          isUnneeded,
        ),
      )
      .orderBy(asc(submissions.createdAt))
      .limit(AT_ONCE)
      // A payment that arrives at this moment comes first.
      .for('update', { of: submissions, skipLocked: true })
    if (locked.length === 0) return 0
    // Asked once more now that they are locked: a payment may have been begun before that statement had locked them.
    const old = await tx
      .select({
        id: submissions.id,
        day: sql<string>`(${submissions.createdAt} at time zone 'UTC')::date::text`,
      })
      .from(submissions)
      .where(
        and(
          inArray(
            submissions.id,
            locked.map(({ id }) => id),
          ),
          isUnneeded,
        ),
      )
    if (old.length === 0) return 0
    const ids = old.map(({ id }) => id)
    const gone = await tx
      .delete(payments)
      .where(inArray(payments.submissionId, ids))
      .returning({ of: payments.submissionId, sats: payments.sats })
    await tx.delete(submissions).where(inArray(submissions.id, ids))
    for (const [day, those] of Map.groupBy(old, (one) => one.day)) {
      const own = new Set<string | null>(those.map(({ id }) => id))
      const tries = gone.filter(({ of }) => own.has(of))
      await countRemoved(tx, { day, submissions: those.length }, tries)
    }
    return old.length
  })
}

/** The same for invoices that are not for a submission: boosts, zaps, support of the site and deposits of reports. */
export async function removeUnpaidSupport(db: Db, given: Limits): Promise<number> {
  const gone = await removeInvoices(db, given)
  // Not in their transaction: a payment that arrives locks its report first and its invoice second, and would wait for ever.
  await removeUnpaidReports(db, given.before)
  return gone
}

function removeInvoices(db: Db, given: Limits): Promise<number> {
  return db.transaction(async (tx) => {
    const some = tx
      .select({ id: payments.id })
      .from(payments)
      .where(
        and(
          isNull(payments.submissionId),
          inArray(payments.status, ['failed', ...statesBefore('overpaid')]),
          sql`not ${neededOf(given)}`,
        ),
      )
      .orderBy(asc(payments.createdAt))
      .limit(AT_ONCE)
      .for('update', { skipLocked: true })
    const gone = await tx
      .delete(payments)
      .where(inArray(payments.id, some))
      .returning({
        day: sql<string>`(${payments.createdAt} at time zone 'UTC')::date::text`,
        sats: payments.sats,
      })
    for (const [day, tries] of Map.groupBy(gone, (one) => one.day)) {
      await countRemoved(tx, { day, submissions: 0 }, tries)
    }
    return gone.length
  })
}

/** Whether an invoice stays: it is young or still checked, or was not checked to the end. */
function neededOf({ before, now, unchecked }: Limits): SQL {
  return sql`(${payments.nextLookAt} is not null or coalesce(${payments.watchUntil} > ${now}::timestamptz, false)
    or ${payments.createdAt} >= ${before}::timestamptz
    or (${payments.bolt11} is not null and ${payments.lastError} is not null
      and (${payments.status} = 'pending' or ${payments.lastError} = ${unchecked})))`
}

async function countRemoved(
  tx: Db,
  of: { readonly day: string; readonly submissions: number },
  tries: readonly { readonly sats: number }[],
): Promise<void> {
  const sats = tries.reduce((sum, one) => sum + one.sats, 0)
  await tx
    .insert(removedUnpaid)
    .values({ ...of, invoices: tries.length, sats })
    .onConflictDoUpdate({
      target: removedUnpaid.day,
      set: {
        submissions: sql`${removedUnpaid.submissions} + excluded.submissions`,
        invoices: sql`${removedUnpaid.invoices} + excluded.invoices`,
        sats: sql`${removedUnpaid.sats} + excluded.sats`,
      },
    })
}
