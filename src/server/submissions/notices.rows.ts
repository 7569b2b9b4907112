import { and, asc, eq, gte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Contact } from '#domain/money/contact.ts'
import { NOTICE_EVENTS, NOTIFY_AFTER_MS, type NoticeEvent } from '#domain/publishing/following.ts'
import { outbox } from '#server/database/schema/kit.ts'
import { submissions } from '#server/database/schema/submissions.ts'
import { type Db, hasEffect, readRows } from '#server/kit/db.ts'
import { type Delivery } from '#server/kit/deliver.ts'
import { iso } from '#server/kit/time.ts'

export const NOTICES = 'notice'
const Payload = z.object({ event: z.enum(NOTICE_EVENTS), sats: z.int().default(0) })

export type DueNotice = Awaited<ReturnType<typeof noticeOf>>

/** Events of submissions whose submitters want notices, not stored as notices yet. */
function unsent(settled: string): SQL {
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
        select from outbox n where n.kind = ${NOTICES} and n.key = s.id || ' ' || happened.event
      )`
}

/** Writes missing notices from states, not events, so that no change can be missed. @returns whether there were any */
export function writeNotices(tx: Db, now: string): Promise<boolean> {
  const settled = new Date(Date.parse(now) - NOTIFY_AFTER_MS).toISOString()
  return hasEffect(
    tx.execute(sql`
      insert into outbox (kind, key, ref, lane, payload, due, created_at, updated_at)
      select ${NOTICES}, id || ' ' || event, id, ${NOTICES}, jsonb_build_object('event', event),
        ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from (
        select id, event from (${unsent(settled)}) happened where is_confirmed
        union
        select s.id, 'confirm' from contact_confirmations c join submissions s on s.id = c.submission_id
        where c.confirmed_at is null and c.expires_at > ${now}::timestamptz
          and s.contact_kind = 'email' and s.contact_confirmed_at is null and s.status <> 'unpaid'
      ) due
      on conflict (kind, key) do nothing`),
  )
}

const Unasked = z.object({ id: z.string(), address: z.string() })

/** Submissions with news for an unconfirmed address, oldest first. @param after starts after this submission; null for all */
export async function unconfirmedNews(
  db: Db,
  now: string,
  { after, most }: { after: string | null; most: number },
): Promise<{ id: string; address: string }[]> {
  const settled = new Date(Date.parse(now) - NOTIFY_AFTER_MS).toISOString()
  return readRows(db, Unasked)`
    select distinct due.created_at, due.id, due.contact_address as address
    from (${unsent(settled)}) due
    where not is_confirmed
      and (${after}::uuid is null
        or (due.created_at, due.id) > (select created_at, id from submissions where id = ${after}::uuid))
      and not exists (select from outbox n where n.kind = ${NOTICES} and n.key = due.id || ' confirm')
      and not exists (
        select from contact_confirmations c
        where c.submission_id = due.id and c.expires_at > ${now}::timestamptz
      )
    order by due.created_at, due.id
    limit ${most}`
}

export async function noticeOf(db: Db, row: Delivery) {
  const { event, sats } = Payload.parse(row.payload)
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
    .where(eq(submissions.id, row.ref))
  if (!about) throw new Error('notice has no submission')
  const { kind, address, confirmedAt, ...rest } = about
  const contact: Contact | null = kind === null || address === null ? null : { kind, address }
  return {
    row,
    submissionId: row.ref,
    event,
    sats,
    contact,
    /** Whether the reader agreed to notices; Lightning addresses need no confirmation. */
    isConfirmed: kind !== 'email' || confirmedAt !== null,
    about: rest,
  }
}

export async function noticeSatsSince(db: Db, since: string): Promise<number> {
  const [row] = await db
    .select({ sats: sql<number>`coalesce(sum((${outbox.payload}->>'sats')::int), 0)::float8` })
    .from(outbox)
    .where(and(eq(outbox.kind, NOTICES), gte(outbox.updatedAt, since)))
  return row?.sats ?? 0
}

export async function noticesOf(db: Db, submissionId: string) {
  const rows = await db
    .select()
    .from(outbox)
    .where(and(eq(outbox.kind, NOTICES), eq(outbox.ref, submissionId)))
    .orderBy(asc(outbox.id))
  return rows.map((row) => ({
    event: Payload.parse(row.payload).event,
    status: row.state,
    attempts: row.tries,
    created_at: iso(row.createdAt),
    sent_at: row.state === 'sent' ? iso(row.updatedAt) : null,
    last_error: row.lastError,
  }))
}

export async function hasNotice(tx: Db, submissionId: string, event: NoticeEvent) {
  return (await tx.$count(outbox, isNotice(submissionId, event))) > 0
}

export async function dropNotice(tx: Db, submissionId: string, event: NoticeEvent): Promise<void> {
  await tx.delete(outbox).where(isNotice(submissionId, event))
}

function isNotice(submissionId: string, event: NoticeEvent) {
  return and(eq(outbox.kind, NOTICES), eq(outbox.key, `${submissionId} ${event}`))
}
