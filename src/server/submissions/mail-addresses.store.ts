import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Db } from '#server/kit/db.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { takeTurn } from '#server/kit/turns.ts'
import {
  contactConfirmations,
  notices,
  refusedAddresses,
  submissions,
} from '#server/database/schema/submissions.ts'

/** A question to an address whether it wants notices of a submission. */
export type Confirmation = typeof contactConfirmations.$inferSelect

/** Makes those who count questions and add one take turns until their transaction ends, in all processes. */
export async function takeConfirmationTurn(tx: Db): Promise<void> {
  await takeTurn(tx, 'proof-of-price confirmations')
}

/** Notes a question; its mail leaves once the submission has been paid. The mail of an earlier one is not sent any more. */
export async function addConfirmation(
  tx: Db,
  given: Omit<Confirmation, 'confirmedAt'>,
): Promise<void> {
  await tx.insert(contactConfirmations).values(given)
  await tx
    .delete(notices)
    .where(and(eq(notices.submissionId, given.submissionId), eq(notices.event, 'confirm')))
}

export async function confirmationByToken(db: Db, tokenHash: string): Promise<Confirmation | null> {
  const rows = await db
    .select()
    .from(contactConfirmations)
    .where(eq(contactConfirmations.tokenHash, tokenHash))
  return rows[0] ?? null
}

/** The last question to an address about a submission. */
export async function lastConfirmation(
  db: Db,
  given: Pick<Confirmation, 'submissionId' | 'addressHash'>,
): Promise<Confirmation | null> {
  const rows = await db
    .select()
    .from(contactConfirmations)
    .where(
      and(
        eq(contactConfirmations.submissionId, given.submissionId),
        eq(contactConfirmations.addressHash, given.addressHash),
        isNull(contactConfirmations.confirmedAt),
      ),
    )
    .orderBy(desc(contactConfirmations.createdAt))
    .limit(1)
  return rows[0] ?? null
}

/**
 * From now on notices of a submission go to this address.
 *
 * @returns false where the submission has another contact by now; nothing is confirmed then
 */
export function confirmContact(
  db: Db,
  { id, submissionId, address }: Pick<Confirmation, 'id' | 'submissionId'> & { address: string },
  at: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // The address may have been replaced since it was compared with the link.
    const rows = await tx
      .update(submissions)
      .set({
        contactConfirmedAt: sql`coalesce(${submissions.contactConfirmedAt}, ${at}::timestamptz)`,
      })
      .where(
        and(
          eq(submissions.id, submissionId),
          eq(submissions.contactKind, 'email'),
          eq(submissions.contactAddress, address),
        ),
      )
      .returning({ id: submissions.id })
    if (rows.length === 0) return false
    await sendSignal(tx, 'receipt', [submissionId])
    await tx
      .update(contactConfirmations)
      .set({ confirmedAt: sql`coalesce(${contactConfirmations.confirmedAt}, ${at}::timestamptz)` })
      .where(eq(contactConfirmations.id, id))
    return true
  })
}

/** The e-mail addresses, in lower case, of submissions about which an address with this hash was asked. */
export async function addressesAsked(db: Db, addressHash: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ address: sql<string>`lower(${submissions.contactAddress})` })
    .from(contactConfirmations)
    .innerJoin(submissions, eq(submissions.id, contactConfirmations.submissionId))
    .where(
      and(eq(contactConfirmations.addressHash, addressHash), eq(submissions.contactKind, 'email')),
    )
  return rows.map((row) => row.address)
}

/**
 * Notes that an address is not to be written to, and takes it off every submission that holds it.
 *
 * @param address null where no submission holds it
 */
export function refuseAddress(
  db: Db,
  { addressHash, address }: { addressHash: string; address: string | null },
  at: string,
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.insert(refusedAddresses).values({ addressHash, createdAt: at }).onConflictDoNothing()
    if (address === null) return
    const rows = await tx
      .update(submissions)
      .set({
        contactKind: null,
        contactAddress: null,
        contactConfirmedAt: null,
        unsubscribedAt: at,
      })
      .where(
        and(
          eq(submissions.contactKind, 'email'),
          eq(sql`lower(${submissions.contactAddress})`, sql`lower(${address})`),
        ),
      )
      .returning({ id: submissions.id })
    const ids = rows.map((row) => row.id)
    await sendSignal(tx, 'receipt', ids)
  })
}

/** @param hashes of the address, and of its mailbox */
export async function isRefused(db: Db, hashes: readonly string[]): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(refusedAddresses)
    .where(inArray(refusedAddresses.addressHash, [...hashes]))
  return rows.length > 0
}
