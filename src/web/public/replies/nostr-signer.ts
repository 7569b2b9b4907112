import { type UnsignedReply } from '#contracts/replies.ts'
import { readSigned, type SignedReply } from '#web/api/replies.ts'

/** A signer that an extension offers to pages (NIP-07). */
type Signer = { readonly signEvent: (event: UnsignedReply) => Promise<unknown> }

/** Whether this browser has one. */
export function hasSigner(): boolean {
  return signer() !== null
}

/** @throws Error with a sentence when nothing was signed */
export async function signByExtension(event: UnsignedReply): Promise<SignedReply> {
  const found = signer()
  if (!found) throw new Error('This browser has no Nostr extension.')
  const signed = readSigned(
    await found.signEvent(event).catch(() => {
      throw new Error('The extension did not sign.')
    }),
  )
  if (!signed) throw new Error('The extension gave something else than a signed event.')
  return signed
}

/** Reads an event that was signed elsewhere. @throws Error with a sentence */
export function readPasted(text: string): SignedReply {
  const parsed = readSigned(jsonOf(text))
  if (!parsed) {
    throw new Error('This is no signed event. Please paste all of it, from { to }.')
  }
  return parsed
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function signer(): Signer | null {
  const offered: unknown = Reflect.get(window, 'nostr')
  return isSigner(offered) ? offered : null
}

function isSigner(value: unknown): value is Signer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'signEvent' in value &&
    typeof value.signEvent === 'function'
  )
}
