import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'
import { mailboxOf, maskContact } from '#domain/money/contact.ts'
import {
  contactConfirmations,
  refusedAddresses,
  submissions,
} from '#server/database/schema/submissions.ts'
import { type Db, acquireLock, firstRow, hasEffect } from '#server/kit/db.ts'
import { AppError, failure, invalid } from '#server/kit/failure.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { DAY_MS, HOUR_MS, type RateLimit } from '#server/kit/limiter.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { dropNotice } from './notices.rows.ts'
import { submissionById } from './submissions.rows.ts'

const LOCK = 'proof-of-price confirmations'
const IS_MAIL = eq(submissions.contactKind, 'email')

const CONFIRM_WITHIN_DAYS = 7
const UNKNOWN =
  'This link no longer works. It may have been cut short in your mail, or another address has been entered since.'
export const REFUSED = 'The owner of this address asked us not to write to it.'
const EXPIRED = 'This link has expired. Please enter your address again on your receipt.'

const HERE = 'Too many addresses have been entered from here. Please wait an hour.'
const LIMIT: RateLimit = {
  name: 'mail of submissions',
  shares: [
    { of: 'network', most: 10, withinMs: HOUR_MS, message: HERE },
    { of: 'prefix', most: 20, withinMs: HOUR_MS, message: HERE },
    {
      of: 'subject',
      most: 3,
      withinMs: DAY_MS,
      message:
        'This address has been asked several times today. Please open the last mail, or try again tomorrow.',
    },
  ],
}

export type MailAddresses = ReturnType<typeof mailAddressService>

type AddressKit = Pick<SiteKit, 'db' | 'clock' | 'limiter'> & {
  readonly tokens: Tokens
  /** See `addressHash`; the same in every process. */
  readonly hashOf: (address: string) => string
}

/** Addresses must be confirmed first, by a mail without anything a visitor typed; notices are sent only after that. */
export function mailAddressService({ db, clock, limiter, tokens, hashOf }: AddressKit) {
  const { submissionId, addressHash, confirmedAt, createdAt, expiresAt } = contactConfirmations

  /** The last request that is neither answered nor expired. */
  function pending(on: Db, submission: string, address: string) {
    const isOf = and(eq(submissionId, submission), eq(addressHash, hashOf(address)))
    const isOpen = and(isOf, isNull(confirmedAt), gt(expiresAt, isoNow({ clock })))
    const newest = desc(createdAt)
    return firstRow(on.select().from(contactConfirmations).where(isOpen).orderBy(newest).limit(1))
  }

  function byToken(token: string) {
    const isIt = eq(contactConfirmations.tokenHash, tokens.hash(token))
    return firstRow(db.select().from(contactConfirmations).where(isIt))
  }

  /**
   * @param tx must not hold row locks yet
   * @param from the visitor’s address; null without one
   * @throws AppError `too_many` or `invalid`
   */
  async function ask(tx: Db, submissionId: string, address: string, from: string | null) {
    const id = randomUUID()
    const addressHash = hashOf(address)
    // Serializes requests, as concurrent transactions would not see each other's.
    await acquireLock(tx, LOCK)
    if (await isRefusedBy(tx, address)) throw invalid({ contact: REFUSED })
    await limiter.enter(tx, LIMIT, { address: from, subject: mailboxOf(address) })
    await tx.insert(contactConfirmations).values({
      id,
      submissionId,
      addressHash,
      tokenHash: tokens.hash(tokens.confirmation(id)),
      createdAt: isoNow({ clock }),
      expiresAt: isoIn({ clock }, CONFIRM_WITHIN_DAYS * DAY_MS),
    })
    // The mail is sent once the submission is paid, also if one was sent for an earlier request.
    await dropNotice(tx, submissionId, 'confirm')
  }

  async function isRefusedBy(on: Db, address: string): Promise<boolean> {
    const hashes = [hashOf(address), hashOf(mailboxOf(address))]
    return (await on.$count(refusedAddresses, inArray(refusedAddresses.addressHash, hashes))) > 0
  }

  /** Blocks an address for good, and removes it from every submission. */
  function forget(addressHash: string, address: string | null): Promise<void> {
    const createdAt = isoNow({ clock })
    return db.transaction(async (tx) => {
      await tx.insert(refusedAddresses).values({ addressHash, createdAt }).onConflictDoNothing()
      if (address === null) return
      const none = { contactKind: null, contactAddress: null, contactConfirmedAt: null }
      const rows = await tx
        .update(submissions)
        .set({ ...none, unsubscribedAt: createdAt })
        .where(and(IS_MAIL, eq(sql`lower(${submissions.contactAddress})`, sql`lower(${address})`)))
        .returning({ id: submissions.id })
      const ids = rows.map(({ id }) => id)
      await sendSignal(tx, 'receipt', ids)
    })
  }

  return {
    ask,

    /** Requests confirmation for an address from before confirmations existed, if allowed. */
    async askLater(submissionId: string, address: string): Promise<void> {
      if (await isRefusedBy(db, address)) return forget(hashOf(address), address)
      try {
        await db.transaction(async (tx) => {
          await acquireLock(tx, LOCK)
          // Another process may have sent a request meanwhile.
          if (await pending(tx, submissionId, address)) return
          await ask(tx, submissionId, address, null)
        })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    },

    /** The pending confirmation request with its expiry; null without one. */
    async openQuestion(submissionId: string, address: string) {
      const last = await pending(db, submissionId, address)
      return last && { token: tokens.confirmation(last.id), expiresAt: last.expiresAt }
    },

    async confirm(token: string): Promise<{ confirmed: true; shown: string }> {
      const found = await byToken(token)
      const submission = found && (await submissionById(db, found.submissionId))
      const address = submission?.contactKind === 'email' ? submission.contactAddress : null
      if (!found || address === null || hashOf(address) !== found.addressHash) {
        throw failure('not_found', UNKNOWN)
      }
      if (Date.parse(found.expiresAt) < clock.now()) throw failure('not_found', EXPIRED)
      const { id, submissionId } = found
      const now = (confirmedAt: AnyPgColumn) =>
        sql`coalesce(${confirmedAt}, ${isoNow({ clock })}::timestamptz)`
      await db.transaction(async (tx) => {
        // The address may have been replaced since the link was compared.
        const isIts = and(eq(submissions.contactAddress, address), IS_MAIL)
        const confirm = tx
          .update(submissions)
          .set({ contactConfirmedAt: now(submissions.contactConfirmedAt) })
          .where(and(eq(submissions.id, submissionId), isIts))
        if (!(await hasEffect(confirm))) throw failure('not_found', UNKNOWN)
        await sendSignal(tx, 'receipt', [submissionId])
        await tx
          .update(contactConfirmations)
          .set({ confirmedAt: now(contactConfirmations.confirmedAt) })
          .where(eq(contactConfirmations.id, id))
      })
      return { confirmed: true, shown: maskContact({ kind: 'email', address }) }
    },

    isRefused: (address: string): Promise<boolean> => isRefusedBy(db, address),

    hashOf,

    refuseAddress: (address: string): Promise<void> => forget(hashOf(address), address),

    async refuse(token: string): Promise<{ refused: true }> {
      const found = await byToken(token)
      if (!found) throw failure('not_found', UNKNOWN)
      const { addressHash } = found
      const requested = await db
        .selectDistinct({ address: sql<string>`lower(${submissions.contactAddress})` })
        .from(contactConfirmations)
        .innerJoin(submissions, eq(submissions.id, contactConfirmations.submissionId))
        .where(and(eq(contactConfirmations.addressHash, addressHash), IS_MAIL))
      const mine = requested.find(({ address }) => hashOf(address) === addressHash)
      await forget(addressHash, mine?.address ?? null)
      return { refused: true }
    },
  }
}
