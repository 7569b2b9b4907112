import { setTimeout as pause } from 'node:timers/promises'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { statesBefore } from '#domain/money/invoice.ts'
import { readRows, type Db } from '#server/kit/db.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { DAY_MS, forgetEntries } from '#server/kit/limiter.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { checkHinted, checkNow, type InvoiceChecks, OTHER_WALLET } from './check-invoice.service.ts'
import * as store from './payments.store.ts'

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

  const define = (which: store.WatchedInvoices, title: string) =>
    jobs.define({
      name: `invoices-${which}`,
      title,
      data: z.object({}),
      key: () => 'all',
      // Each look-up queues the next; this is for when none is due.
      ...(wallet && { every: { seconds: 300, data: [{}] } }),
      retry: { seconds: 1, mostSeconds: 15 },
      withinSeconds: 2 * (RUN_MS / 1_000),
      run: (_, signal) => run(which, signal),
    })
  const watch = {
    open: define('open', 'Checking open invoices'),
    over: define('over', 'Checking expired invoices'),
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
 * @param limits `unchecked`: last error of invoices of a former wallet
 * @returns how many
 */
export function removeUnpaid(db: Db, limits: Limits): Promise<number> {
  const isUnneeded = sql`not exists (select from payments where submission_id = s.id and ${neededOf(limits)})`
  return db.transaction(async (tx) => {
    // A payment arriving now takes precedence.
    const locked = await readRows(tx, z.object({ id: z.string() }))`
      select id from submissions s
      where status = 'unpaid' and origin = 'visitor' and created_at < ${limits.before}::timestamptz and ${isUnneeded}
      order by created_at limit ${REMOVED_AT_ONCE} for update`
    // Checked again under the lock, as a payment may have begun before.
    return countRemoved(
      tx,
      sql`
      old as (select id, ${DAY} from submissions s
        where id = any(${sql.param(locked.map(({ id }) => id))}::uuid[]) and ${isUnneeded}),
      tries as (delete from payments where submission_id in (select id from old) returning submission_id, sats),
      gone as (delete from submissions where id in (select id from old)),
      removed as (select day, count(distinct id) as submissions, count(submission_id) as invoices, sum(sats) as sats
        from old left join tries on submission_id = id group by day)`,
      sql`submissions`,
    )
  })
}

/** The same for invoices without a submission: boosts, zaps and support of the site. */
export function removeUnpaidSupport(db: Db, limits: Limits): Promise<number> {
  const states = ['failed', ...statesBefore('overpaid')]
  return countRemoved(
    db,
    sql`
    old as (select id from payments
      where submission_id is null and status = any(${sql.param(states)}::text[]) and not ${neededOf(limits)}
      order by created_at limit ${REMOVED_AT_ONCE} for update),
    gone as (delete from payments where id in (select id from old) returning ${DAY}, sats),
    removed as (select day, 0 as submissions, count(*) as invoices, sum(sats) as sats from gone group by day)`,
    sql`invoices`,
  )
}

const DAY = sql`(created_at at time zone 'UTC')::date as day`

/** Whether an invoice is kept: it is recent, still checked, or could not be checked to the end. */
function neededOf({ before, now, unchecked }: Limits): SQL {
  return sql`(next_look_at is not null or coalesce(watch_until > ${now}::timestamptz, false)
    or payments.created_at >= ${before}::timestamptz
    or (bolt11 is not null and last_error is not null
      and (payments.status = 'pending' or last_error = ${unchecked})))`
}

/** @param removing queries that end with `removed`, numbers by day @returns the total of one of them */
async function countRemoved(tx: Db, removing: SQL, of: SQL): Promise<number> {
  const [counted] = await readRows(tx, z.object({ n: z.int() }))`
    with ${removing}, counted as (
      insert into removed_unpaid as r (day, submissions, invoices, sats)
      select day, submissions, invoices, coalesce(sats, 0) from removed
      on conflict (day) do update set submissions = r.submissions + excluded.submissions,
        invoices = r.invoices + excluded.invoices, sats = r.sats + excluded.sats)
    select coalesce(sum(${of}), 0)::int as n from removed`
  return counted?.n ?? 0
}
