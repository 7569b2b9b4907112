import { createHash, createHmac } from 'node:crypto'

const CHARACTERS = 32

export type Tokens = ReturnType<typeof tokenMaker>

/**
 * The tokens in addresses: they cannot be guessed, and the database holds only their SHA-256. They are made
 * from ids, so that an answer can be given twice and a mail can link to a receipt.
 *
 * @param secret of this site, the same in every process
 */
export function tokenMaker(secret: string) {
  const make = (kind: string, id: string): string =>
    createHmac('sha256', secret).update(`${kind} ${id}`).digest('base64url').slice(0, CHARACTERS)
  return {
    /** Opens the receipt of a submission. */
    receipt: (submissionId: string): string => make('receipt', submissionId),
    /** Asks after a payment. */
    checking: (paymentId: string): string => make('checking', paymentId),
    /** Confirms an address. */
    confirmation: (confirmationId: string): string => make('confirmation', confirmationId),
    /** Asks an address whether it wants news. */
    followQuestion: (questionId: string): string => make('follow question', questionId),
    /** Manages what someone follows. */
    follower: (followerId: string): string => make('follower', followerId),
    /** Distinguishes a message of ours in a bounce. */
    message: (messageId: string): string => make('message', messageId),
    /** Shows a reply to its author, who withdraws it there. */
    reply: (replyId: string): string => make('reply', replyId),
    /** Ends what this site gave to be signed or posted for a reply: it says that we made it, and for what. */
    replySeal: (what: string): string => make('reply seal', what),
    hash: sha256,
  }
}

/**
 * Distinguishes wallets without revealing anything about them: a keyed hash of what names and opens one.
 *
 * @param identity kind, address and key; a secret
 */
export function walletPrint(salt: string, identity: string): string {
  return createHmac('sha256', salt).update(identity).digest('base64url').slice(0, CHARACTERS)
}

/** A keyed hash of a mail or network address, to recognise it without keeping it: without the salt addresses cannot be tried out. */
export function addressHash(salt: string, address: string): string {
  return createHmac('sha256', salt).update(`address ${address.toLowerCase()}`).digest('hex')
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function sha256Bytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
