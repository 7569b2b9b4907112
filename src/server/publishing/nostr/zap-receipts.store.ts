import { and, asc, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { nostrDeliveries, nostrEvents } from '#server/database/schema/nostr.ts'
import { payments } from '#server/database/schema/submissions.ts'

/** A zap that is paid; `ref` is what its receipt is kept under. */
export type PaidZap = {
  readonly ref: string
  readonly description: string
  readonly bolt11: string
  readonly preimage: string | null
  readonly paidAt: string
}

/** Those that have no receipt yet, oldest first. */
export async function paidZaps(db: Db, most: number): Promise<PaidZap[]> {
  const ref = sql<string>`'zap ' || ${payments.id}::text`
  const rows = await db
    .select({
      ref,
      description: payments.description,
      bolt11: payments.bolt11,
      preimage: payments.preimage,
      paidAt: payments.paidAt,
    })
    .from(payments)
    .where(
      and(
        eq(payments.purpose, 'zap'),
        inArray(payments.status, ['paid', 'paid_late']),
        sql`not exists (select from ${nostrEvents} where ${nostrEvents.ref} = ${ref})`,
      ),
    )
    .orderBy(asc(payments.paidAt), asc(payments.id))
    .limit(most)
  return rows.flatMap(({ description, bolt11, paidAt, ...rest }) =>
    description === null || bolt11 === null || paidAt === null
      ? []
      : [{ ...rest, description, bolt11, paidAt }],
  )
}

/** Relays beside these that something is due for now, those that have waited longest first. */
export async function otherDueRelays(
  db: Db,
  own: readonly string[],
  { now, most }: { readonly now: string; readonly most: number },
): Promise<string[]> {
  const rows = await db
    .select({ relay: nostrDeliveries.relay })
    .from(nostrDeliveries)
    .innerJoin(nostrEvents, eq(nostrEvents.id, nostrDeliveries.eventId))
    .where(
      and(
        eq(nostrEvents.purpose, 'zap'),
        eq(nostrDeliveries.state, 'waiting'),
        lte(nostrDeliveries.nextTryAt, now),
        ...(own.length === 0 ? [] : [notInArray(nostrDeliveries.relay, [...own])]),
      ),
    )
    .groupBy(nostrDeliveries.relay)
    .orderBy(sql`min(${nostrDeliveries.nextTryAt})`, asc(nostrDeliveries.relay))
    .limit(most)
  return rows.map(({ relay }) => relay)
}
