import { bytesOfBech32 } from '#domain/money/bolt11.ts'
import { bech32, hex, utf8 } from '@scure/base'

/** A secret key anywhere in a text; it must not be stored even if its checksum is wrong. */
const SECRET = /(?:nsec1|ncryptsec1)[02-9ac-hj-np-z]{20,}/i

/** Whether a text contains a secret Nostr key. */
export function holdsSecretKey(text: string): boolean {
  return SECRET.test(text)
}

/**
 * Reads a pasted public Nostr key: `npub1…`, optionally after `nostr:` or `@`.
 *
 * @returns the npub in lower case; null if malformed or its checksum is wrong
 * @see https://github.com/nostr-protocol/nips/blob/master/19.md
 */
export function readNpub(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^nostr:/i, '')
    .replace(/^@/, '')
  return bytesOfBech32('npub', bare)?.length === 32 ? bare.toLowerCase() : null
}

/** The address of an addressable event: its author, kind and `d` tag, with relays that may have it. */
export type EventAddress = {
  /** Hex. */
  readonly pubkey: string
  readonly kind: number
  readonly d: string
  readonly relays: readonly string[]
}

/** A hex public key as `npub1…`. */
export function npubOf(publicKey: string): string {
  return bech32.encodeFromBytes('npub', hex.decode(publicKey))
}

/**
 * Encodes an address as `naddr1…`.
 *
 * @throws RangeError if a part is longer than 255 bytes
 * @see https://github.com/nostr-protocol/nips/blob/master/19.md
 */
export function naddrOf({ pubkey, kind, d, relays }: EventAddress): string {
  const number = [kind >>> 24, (kind >>> 16) & 255, (kind >>> 8) & 255, kind & 255]
  const parts = [
    field(0, utf8.decode(d)),
    ...relays.map((relay) => field(1, utf8.decode(relay))),
    field(2, hex.decode(pubkey)),
    field(3, number),
  ]
  return bech32.encode('naddr', bech32.toWords(Uint8Array.from(parts.flat())), false)
}

function field(type: number, bytes: Uint8Array | readonly number[]): number[] {
  if (bytes.length > 255) throw new RangeError('a part of a Nostr address is too long')
  return [type, bytes.length, ...bytes]
}
