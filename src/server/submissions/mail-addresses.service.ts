import { mailboxOf, maskContact } from '#domain/money/contact.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/ports.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Db } from '#server/kit/db.ts'
import {
  addConfirmation,
  addressesAsked,
  confirmationByToken,
  confirmContact,
  isRefused,
  lastConfirmation,
  refuseAddress,
  takeConfirmationTurn,
  type Confirmation,
} from './mail-addresses.store.ts'
import { submissionById } from './submissions.rows.ts'
import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, type Door, type Limiter } from '#server/kit/limiter.ts'
import { type Tokens } from '#server/kit/tokens.ts'

/** How long the link of a mail works. */
const CONFIRM_WITHIN_DAYS = 7
const UNKNOWN =
  'This link no longer works. It may have been cut short in your mail, or another address has been entered since.'
/** Said of an address that is not to be written to. */
export const REFUSED = 'The owner of this address asked us not to write to it.'
const EXPIRED = 'This link has expired. Please enter your address again on your receipt.'

const HERE = 'Too many addresses have been entered from here. Please wait an hour.'
const DOOR: Door = {
  name: 'mail of submissions',
  shares: [
    { of: 'network', most: 10, withinMs: HOUR_MS, said: HERE },
    { of: 'prefix', most: 20, withinMs: HOUR_MS, said: HERE },
    {
      of: 'subject',
      most: 3,
      withinMs: DAY_MS,
      said: 'This address has been asked several times today. Please open the last mail, or try again tomorrow.',
    },
  ],
}

export type MailAddresses = ReturnType<typeof mailAddressService>

/**
 * No one is written to on the word of a stranger: an address is asked first, by a mail that holds nothing a visitor typed,
 * and sent notices of a submission only after a press on the page behind its link. Of addresses only keyed hashes are kept here.
 */
export function mailAddressService({
  db,
  clock,
  limiter,
  tokens,
  hashOf,
}: {
  db: Db
  clock: Clock
  limiter: Limiter
  tokens: Tokens
  /** See `addressHash`; the same in every process, for good. */
  hashOf: (address: string) => string
}) {
  /**
   * Writes a question down, if that may be done.
   *
   * @param tx the transaction that changes the contact, and has locked no row yet
   * @param from the visitor's address; null where no visitor asks now
   * @throws AppError `too_many`, or `invalid` where the address does not want to be written to
   */
  async function ask(
    tx: Db,
    submissionId: string,
    address: string,
    from: string | null,
  ): Promise<void> {
    const id = randomUUID()
    const addressHash = hashOf(address)
    // Others wait until this transaction ends: of two at once one would not see the other's question.
    await takeConfirmationTurn(tx)
    if (await isRefusedBy(tx, address)) throw failure('invalid', REFUSED, { contact: REFUSED })
    await limiter.enter(tx, DOOR, { address: from, subject: mailboxOf(address) })
    await addConfirmation(tx, {
      id,
      submissionId,
      addressHash,
      tokenHash: tokens.hash(tokens.confirmation(id)),
      createdAt: isoNow({ clock }),
      expiresAt: isoIn({ clock }, CONFIRM_WITHIN_DAYS * DAY_MS),
    })
  }

  const isRefusedBy = (on: Db, address: string): Promise<boolean> =>
    isRefused(on, [hashOf(address), hashOf(mailboxOf(address))])

  async function live(token: string): Promise<{ found: Confirmation; address: string }> {
    const found = await confirmationByToken(db, tokens.hash(token))
    const submission = found && (await submissionById(db, found.submissionId))
    const address = submission?.contactKind === 'email' ? submission.contactAddress : null
    if (!found || address === null || hashOf(address) !== found.addressHash) {
      throw failure('not_found', UNKNOWN)
    }
    if (Date.parse(found.expiresAt) < clock.now()) throw failure('not_found', EXPIRED)
    return { found, address }
  }

  /** Notes that an address refuses mail, and removes it from every submission. */
  async function forget(addressHash: string, address: string | null): Promise<void> {
    await refuseAddress(db, { addressHash, address }, isoNow({ clock }))
  }

  return {
    ask,

    /** Asks the address of a submission from before addresses were confirmed, if that may be done. */
    async askLater(submissionId: string, address: string): Promise<void> {
      const addressHash = hashOf(address)
      if (await isRefusedBy(db, address)) return forget(addressHash, address)
      try {
        await db.transaction(async (tx) => {
          await takeConfirmationTurn(tx)
          // Another process may have asked while this one waited.
          const last = await lastConfirmation(tx, { submissionId, addressHash })
          if (last && Date.parse(last.expiresAt) > clock.now()) return
          await ask(tx, submissionId, address, null)
        })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    },

    /** The question that waits for an answer, with the moment at which its link ends; null where there is none. */
    async openQuestion(
      submissionId: string,
      address: string,
    ): Promise<{ token: string; expiresAt: string } | null> {
      const addressHash = hashOf(address)
      const last = await lastConfirmation(db, { submissionId, addressHash })
      if (!last || Date.parse(last.expiresAt) <= clock.now()) return null
      return { token: tokens.confirmation(last.id), expiresAt: last.expiresAt }
    },

    async confirm(token: string): Promise<{ confirmed: true; shown: string }> {
      const { found, address } = await live(token)
      const { id, submissionId } = found
      if (!(await confirmContact(db, { id, submissionId, address }, isoNow({ clock })))) {
        throw failure('not_found', UNKNOWN)
      }
      return { confirmed: true, shown: maskContact({ kind: 'email', address }) }
    },

    /** Whether the owner of an address has asked not to be written to. */
    isRefused: (address: string): Promise<boolean> => isRefusedBy(db, address),

    /** See `addressHash`. */
    hashOf,

    /** Notes that the owner of this address does not want to be written to, and removes it from every submission. */
    refuseAddress: (address: string): Promise<void> => forget(hashOf(address), address),

    /** Forgets the address in every submission, and refuses it from now on. */
    async refuse(token: string): Promise<{ refused: true }> {
      const found = await confirmationByToken(db, tokens.hash(token))
      if (!found) throw failure('not_found', UNKNOWN)
      const { addressHash } = found
      const asked = await addressesAsked(db, addressHash)
      await forget(addressHash, asked.find((address) => hashOf(address) === addressHash) ?? null)
      return { refused: true }
    },
  }
}
