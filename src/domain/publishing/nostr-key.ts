import { bytesOfWords, readBech32 } from '#domain/money/bech32.ts'

/** A secret key anywhere in a text; with its checksum or without, it must not be kept. */
const SECRET = /(?:nsec1|ncryptsec1)[02-9ac-hj-np-z]{20,}/i

/** Whether a text holds a secret Nostr key. */
export function holdsSecretKey(text: string): boolean {
  return SECRET.test(text)
}

/**
 * Reads a public Nostr key as people paste it: `npub1…`, also behind `nostr:` or `@`.
 *
 * @returns the npub in lower case; null when it is none or its checksum is wrong
 * @see https://github.com/nostr-protocol/nips/blob/master/19.md
 */
export function readNpub(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^nostr:/i, '')
    .replace(/^@/, '')
  const read = readBech32(bare)
  if (read?.prefix !== 'npub') return null
  return bytesOfWords(read.words)?.length === 32 ? bare.toLowerCase() : null
}
