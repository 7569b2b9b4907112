import { NOTIFY_AFTER_MS } from '#domain/publishing/notice.ts'
import { type Contact } from '#domain/money/contact.ts'
import { type NoticeEvent } from '#domain/publishing/notice.ts'
import { and, asc, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import { notices, submissions } from '#server/database/schema/submissions.ts'
import { rowsOf } from '#server/kit/rows.ts'

/** A notice on its way, with whom it is for. */
export type DueNotice = {
  readonly id: number
  readonly submissionId: string
  readonly event: NoticeEvent
  readonly attempts: number
  /** Sats that may have been paid for it before. */
  readonly sats: number
  /** Null once its submitter has unsubscribed. */
  readonly contact: Contact | null
  /** The reader of the contact has agreed to notices; Lightning addresses are not asked, they are paid. */
  readonly isConfirmed: boolean
  readonly about: {
    readonly asset: string
    readonly pricePrediction: string
    readonly targetTime: string
    readonly adminComment: string | null
    readonly predictionId: string | null
  }
}

/** Everything that has happened to submissions whose submitters want notices, and has not been written down yet. */
function untold(settled: string): SQL {
  return sql`
    select s.id, s.created_at, s.contact_address, happened.event,
      s.contact_kind <> 'email' or s.contact_confirmed_at is not null as is_confirmed
    from submissions s
    cross join lateral (
      select s.status as event where s.status in ('approved', 'rejected')
      union all
      select 'verdict:' || v.outcome from (
        select outcome from verdicts
        where prediction_id = s.prediction_id and mode = 'touch' order by id desc limit 1
      ) v where v.outcome in ('hit', 'miss', 'void')
    ) happened
    where s.contact_kind is not null and s.status in ('approved', 'rejected')
      and (s.decided_at is null or s.decided_at <= ${settled}::timestamptz)
      and not exists (
        select from notices n where n.submission_id = s.id and n.event = happened.event
      )`
}

/**
 * Writes a notice for everything that has happened to submissions whose submitters want notices; what has been written
 * before is passed over. It reads states, not events, so no code that changes a state can forget the notice. E-mail addresses
 * get nothing but the question until they have confirmed, and the question once the submission has been paid.
 */
export async function writeNotices(db: Db, now: string): Promise<void> {
  const settled = new Date(Date.parse(now) - NOTIFY_AFTER_MS).toISOString()
  await db.execute(sql`
    insert into notices (submission_id, event, next_try_at, created_at)
    select id, event, ${now}::timestamptz, ${now}::timestamptz
    from (${untold(settled)}) due where is_confirmed
    on conflict (submission_id, event) do nothing`)
  await db.execute(sql`
    insert into notices (submission_id, event, next_try_at, created_at)
    select distinct s.id, 'confirm', ${now}::timestamptz, ${now}::timestamptz
    from contact_confirmations c
    join submissions s on s.id = c.submission_id
    where c.confirmed_at is null and c.expires_at > ${now}::timestamptz
      and s.contact_kind = 'email' and s.contact_confirmed_at is null and s.status <> 'unpaid'
      and not exists (select from notices n where n.submission_id = s.id and n.event = 'confirm')
    on conflict (submission_id, event) do nothing`)
}

const NeverAsked = z.array(z.object({ id: z.string(), address: z.string() }))

/**
 * Submissions with news for an e-mail address that was never asked to confirm, oldest first.
 *
 * @param after those behind this submission; null from the oldest on
 */
export async function neverAsked(
  db: Db,
  now: string,
  { after, most }: { after: string | null; most: number },
): Promise<{ id: string; address: string }[]> {
  const settled = new Date(Date.parse(now) - NOTIFY_AFTER_MS).toISOString()
  const found = await db.execute(sql`
    select distinct due.created_at, due.id, due.contact_address as address
    from (${untold(settled)}) due
    where not is_confirmed
      and (${after}::uuid is null
        or (due.created_at, due.id) > (select created_at, id from submissions where id = ${after}::uuid))
      and not exists (select from notices n where n.submission_id = due.id and n.event = 'confirm')
      and not exists (
        select from contact_confirmations c
        where c.submission_id = due.id and c.expires_at > ${now}::timestamptz
      )
    order by due.created_at, due.id
    limit ${most}`)
  return NeverAsked.parse(rowsOf(found))
}

/** Takes a notice back that may not be sent yet; it is written again when it may. */
export async function dropNotice(db: Db, id: number): Promise<void> {
  await db.delete(notices).where(eq(notices.id, id))
}

/** Takes the notice that has waited longest, for this process alone until `until`. */
export async function takeNotice(
  db: Db,
  { now, until }: { now: string; until: string },
): Promise<DueNotice | null> {
  const due = db
    .select({ id: notices.id })
    .from(notices)
    .where(and(inArray(notices.status, ['waiting', 'sending']), lte(notices.nextTryAt, now)))
    .orderBy(asc(notices.nextTryAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [taken] = await db
    .update(notices)
    .set({ status: 'sending', nextTryAt: until, attempts: sql`${notices.attempts} + 1` })
    .where(inArray(notices.id, due))
    .returning()
  if (!taken) return null
  const [about] = await db
    .select({
      kind: submissions.contactKind,
      address: submissions.contactAddress,
      confirmedAt: submissions.contactConfirmedAt,
      asset: submissions.asset,
      pricePrediction: submissions.pricePrediction,
      targetTime: submissions.targetTime,
      adminComment: submissions.adminComment,
      predictionId: submissions.predictionId,
    })
    .from(submissions)
    .where(eq(submissions.id, taken.submissionId))
  if (!about) throw new Error('a notice without a submission')
  const { kind, address, confirmedAt, ...rest } = about
  return {
    id: taken.id,
    submissionId: taken.submissionId,
    event: taken.event,
    attempts: taken.attempts,
    sats: taken.sats,
    contact: kind === null || address === null ? null : { kind, address },
    isConfirmed: kind !== 'email' || confirmedAt !== null,
    about: rest,
  }
}

/** Notes that sats are about to be paid for a notice: from now on it is not paid for again. */
export async function noteNoticeSats(db: Db, id: number, sats: number): Promise<void> {
  await db.update(notices).set({ sats }).where(eq(notices.id, id))
}

export async function endNotice(
  db: Db,
  id: number,
  end: {
    readonly status: 'sent' | 'failed' | 'unknown'
    readonly lastError: string | null
    readonly sentAt: string | null
  },
): Promise<void> {
  await db.update(notices).set(end).where(eq(notices.id, id))
}

export async function postponeNotice(
  db: Db,
  id: number,
  given: { attempts: number; nextTryAt: string; lastError: string },
): Promise<void> {
  await db
    .update(notices)
    .set({ ...given, status: 'waiting' })
    .where(eq(notices.id, id))
}

/** The sats that notices have cost, or may have cost, since a moment: `nextTryAt` holds the last attempt. */
export async function noticeSatsSince(db: Db, since: string): Promise<number> {
  const [row] = await db
    .select({ sats: sql<number>`coalesce(sum(${notices.sats}), 0)::float8` })
    .from(notices)
    .where(gte(notices.nextTryAt, since))
  return row?.sats ?? 0
}
