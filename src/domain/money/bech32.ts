import { bech32 } from '@scure/base'

/** Invoices, keys and LNURLs are longer than the 90 characters of addresses; nothing valid is longer than this. */
export const LONGEST_BECH32 = 4_000

/** The bytes of a bech32 text with this prefix; null when it is not one or its checksum is wrong. */
export function bytesOfBech32(prefix: string, text: string): Uint8Array | null {
  const read = bech32.decodeUnsafe(text, LONGEST_BECH32)
  return (read?.prefix === prefix && bech32.fromWordsUnsafe(read.words)) || null
}
