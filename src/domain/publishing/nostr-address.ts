import { wordsOfBytes, writeBech32 } from '#domain/money/bech32.ts'

/** The address of an addressable event: its author, kind and `d` tag, and relays that may have it. */
export type EventAddress = {
  /** Hex. */
  readonly pubkey: string
  readonly kind: number
  readonly d: string
  readonly relays: readonly string[]
}

/** A public key as people read it: `npub1…`. */
export function npubOf(publicKey: string): string {
  return writeBech32('npub', wordsOfBytes(bytesOfHex(publicKey)))
}

/**
 * An address as people share it: `naddr1…`.
 *
 * @throws RangeError where a part is longer than 255 bytes
 * @see https://github.com/nostr-protocol/nips/blob/master/19.md
 */
export function naddrOf({ pubkey, kind, d, relays }: EventAddress): string {
  const number = [kind >>> 24, (kind >>> 16) & 255, (kind >>> 8) & 255, kind & 255]
  const parts = [
    field(0, bytesOfText(d)),
    ...relays.map((relay) => field(1, bytesOfText(relay))),
    field(2, bytesOfHex(pubkey)),
    field(3, number),
  ]
  return writeBech32('naddr', wordsOfBytes(parts.flat()))
}

function field(type: number, bytes: readonly number[]): number[] {
  if (bytes.length > 255) throw new RangeError('a part of a Nostr address is too long')
  return [type, bytes.length, ...bytes]
}

function bytesOfHex(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
}

/** UTF-8. */
function bytesOfText(text: string): number[] {
  const escaped = encodeURIComponent(text)
  return [...escaped.matchAll(/%(..)|./g)].map(([sign, hex]) =>
    hex === undefined ? sign.charCodeAt(0) : Number.parseInt(hex, 16),
  )
}
