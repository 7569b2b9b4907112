import { createHash, createHmac } from 'node:crypto'
import { type Db } from './db.ts'
import { readFact } from './facts.ts'

const CHARACTERS = 32

export type Tokens = ReturnType<typeof tokenMaker>

/**
 * Tokens for links, unguessable; the database has only their SHA-256. They are derived from ids, so that responses can
 * be repeated and mails can link to receipts.
 * @param secret of the site, equal in every process
 */
export function tokenMaker(secret: string) {
  const make = (kind: string, id: string): string =>
    createHmac('sha256', secret).update(`${kind} ${id}`).digest('base64url').slice(0, CHARACTERS)
  return {
    /** Opens the receipt of a submission. */
    receipt: (submissionId: string): string => make('receipt', submissionId),
    /** Checks a payment. */
    checking: (paymentId: string): string => make('checking', paymentId),
    /** Confirms an address. */
    confirmation: (confirmationId: string): string => make('confirmation', confirmationId),
    /** Asks an address to confirm a follow. */
    followQuestion: (questionId: string): string => make('follow question', questionId),
    /** Manages what someone follows. */
    follower: (followerId: string): string => make('follower', followerId),
    /** Identifies our message in a bounce. */
    message: (messageId: string): string => make('message', messageId),
    /** Lets the author withdraw a reply. */
    reply: (replyId: string): string => make('reply', replyId),
    /** Seals a challenge or code for a reply: proves that we issued it, and for what. */
    replySeal: (what: string): string => make('reply seal', what),
    hash: sha256,
  }
}

/** A keyed hash that distinguishes wallets without revealing them. @param identity kind, address and key; a secret */
export function walletPrint(salt: string, identity: string): string {
  return createHmac('sha256', salt).update(identity).digest('base64url').slice(0, CHARACTERS)
}

/** A keyed hash to recognize an address without storing it, which cannot be reversed by guessing. */
export function addressHash(salt: string, address: string): string {
  return createHmac('sha256', salt).update(`address ${address.toLowerCase()}`).digest('hex')
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Name of the fact with the token secret. */
export const SECRET_FACT = 'secret of tokens'

/** Null if the site has no secret yet. */
export async function siteTokens(db: Db): Promise<Tokens | null> {
  const secret = await readFact(db, SECRET_FACT)
  return secret === null ? null : tokenMaker(secret)
}
