import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Jobs } from '#server/kit/jobs.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { checkHinted, checkNow, type InvoiceChecks, OTHER_WALLET } from './check-invoice.service.ts'
import * as store from './payments.store.ts'
import { and, asc, eq, inArray, isNull, lt, notExists, sql, type SQL } from 'drizzle-orm'
import { statesBefore } from '#domain/money/invoice.ts'
import { type Db } from '#server/kit/db.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { DAY_MS, forgetEntries } from '#server/kit/limiter.ts'
import { payments, removedUnpaid, submissions } from '#server/database/schema/submissions.ts'

const AT_ONCE = { open: 8, over: 2 } as const
const WHICH = ['open', 'over'] as const
const RUN_MS = 30_000
/** Interval between searches for due invoices while the wallet is answering. */
const LOOK_MS = 500
/** Invoices of a killed run are due again after this. */
const TAKEN_FOR_MS = 30_000
/** Longer than the time limit of any wallet (15 s). */
const ABANDONED_MS = 45_000
/** Clocks of two servers differ by less. */
const SET_BACK_MS = 60_000

export type InvoiceWatch = ReturnType<typeof watchInvoices>

/** Checks every payable invoice when due, whether or not a browser asks, and on hints of the wallet. */
export function watchInvoices(checks: InvoiceChecks, jobs: Pick<Jobs, 'define'>) {
  const { db, clock, log } = checks
  const { wallet } = checks.walletHealth

  async function run(which: store.WatchedInvoices, signal: AbortSignal): Promise<void> {
    const running = new Set<Promise<void>>()
    const faults: unknown[] = []
    const until = performance.now() + RUN_MS
    if (!wallet) return
    await store.makeDue(db, isoNow(checks), { which, seenAfter: isoIn(checks, SET_BACK_MS) })
    if (which === 'open') await store.failAbandoned(db, isoIn(checks, -ABANDONED_MS))
    while (!signal.aborted && performance.now() < until) {
      const times = { now: isoNow(checks), until: isoIn(checks, TAKEN_FOR_MS) }
      const due = await store.takeDue(db, { ...times, which, most: AT_ONCE[which] - running.size })
      for (const payment of due.filter(store.hasInvoice)) {
        const one: Promise<void> = checkNow(checks, payment)
          .then(
            () => {},
            (error: unknown) => void faults.push(error),
          )
          .finally(() => running.delete(one))
        running.add(one)
      }
      if (running.size === 0) break
      await Promise.race([...running, pause(LOOK_MS)])
    }
    await Promise.all(running)
    const next = await store.nextLooks(db, isoNow(checks))
    for (const one of WHICH) {
      const waitMs = Date.parse(next[one] ?? '') - clock.now()
      if (!Number.isNaN(waitMs)) await watch[one].send(db, {}, Math.max(50, waitMs) / 1_000)
    }
    if (faults.length > 0) throw faults[0]
  }

  /** @param seconds between runs of the job when none is due, as each look-up queues the next */
  const define = (which: store.WatchedInvoices, title: string, seconds: number) =>
    jobs.define({
      name: `invoices-${which}`,
      title,
      data: z.object({}),
      key: () => 'all',
      ...(wallet && { every: { seconds, data: [{}] } }),
      retry: { seconds: 1, mostSeconds: 15 },
      withinSeconds: 2 * (RUN_MS / 1_000),
      run: (_, signal) => run(which, signal),
    })
  const watch = {
    open: define('open', 'Checking open invoices', 300),
    over: define('over', 'Checking expired invoices', 300),
  }

  async function lookAtAll(): Promise<void> {
    await store.makeDue(db, isoNow(checks))
    for (const which of WHICH) await watch[which].send(db, {})
  }

  return {
    announce: watch.open.send,
    /** Checks all invoices, and listens to the wallet. @returns stops it */
    start: (): (() => void) => {
      const noticed = (work: Promise<unknown>): void =>
        void work.catch((error: unknown) =>
          log.warn({ err: error }, 'invoices could not be checked'),
        )
      if (!wallet) return () => {}
      noticed(lookAtAll())
      const listening = wallet.listen?.((hash) =>
        noticed(hash === null ? lookAtAll() : checkHinted(checks, hash)),
      )
      return () => listening?.close()
    },
  }
}

const REMOVED_AT_ONCE = 200
const UNPAID_DAYS = 30

export function defineUnpaidRemoval({ db, clock, log, jobs }: SiteKit): void {
  jobs.repeat({
    name: 'unpaid-removal',
    title: 'Removing unpaid submissions',
    seconds: DAY_MS / 1_000,
    run: async (signal) => {
      const now = isoNow({ clock })
      const before = isoIn({ clock }, -UNPAID_DAYS * DAY_MS)
      const limits = { before, now, unchecked: OTHER_WALLET }
      let removed = 0
      for (const remove of [removeUnpaid, removeUnpaidSupport]) {
        for (let some = -1; some !== 0 && !signal.aborted; removed += some) {
          some = await remove(db, limits)
        }
      }
      await forgetEntries(db, isoIn({ clock }, -DAY_MS))
      if (removed > 0) log.info({ removed }, 'unpaid submissions removed')
    },
  })
}

type Limits = { readonly before: string; readonly now: string; readonly unchecked: string }

/**
 * Removes unpaid submissions without pending checks, and counts them by day.
 * @param unchecked last error of invoices of a former wallet
 * @returns how many
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
      .limit(REMOVED_AT_ONCE)
      // A payment arriving now takes precedence.
      .for('update', { of: submissions })
    if (locked.length === 0) return 0
    // Checked again under the lock, as a payment may have begun before.
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

/** The same for invoices without a submission: boosts, zaps and support of the site. */
export function removeUnpaidSupport(db: Db, limits: Limits): Promise<number> {
  return db.transaction(async (tx) => {
    const some = tx
      .select({ id: payments.id })
      .from(payments)
      .where(
        and(
          isNull(payments.submissionId),
          inArray(payments.status, ['failed', ...statesBefore('overpaid')]),
          sql`not ${neededOf(limits)}`,
        ),
      )
      .orderBy(asc(payments.createdAt))
      .limit(REMOVED_AT_ONCE)
      .for('update')
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

/** Whether an invoice is kept: it is recent, still checked, or could not be checked to the end. */
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
