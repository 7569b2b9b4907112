import { bytesOfBech32 } from '#domain/money/bech32.ts'

/** A secret key anywhere in a text; even with a wrong checksum it must not be stored. */
const SECRET = /(?:nsec1|ncryptsec1)[02-9ac-hj-np-z]{20,}/i

/** Whether a text contains a secret Nostr key. */
export function holdsSecretKey(text: string): boolean {
  return SECRET.test(text)
}

/**
 * Reads a public Nostr key as people paste it: `npub1…`, also after `nostr:` or `@`.
 *
 * @returns the npub in lower case; null when it is not one or its checksum is wrong
 * @see https://github.com/nostr-protocol/nips/blob/master/19.md
 */
export function readNpub(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^nostr:/i, '')
    .replace(/^@/, '')
  return bytesOfBech32('npub', bare)?.length === 32 ? bare.toLowerCase() : null
}
