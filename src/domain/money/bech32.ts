const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const
const CHECKSUM_WORDS = 6
/** Invoices, keys and LNURLs are longer than the 90 characters of addresses; nothing valid is longer than this. */
const LONGEST = 4_000

/** A bech32 text: its readable prefix and its data in words of five bits, without the checksum. */
export type Bech32 = { readonly prefix: string; readonly words: readonly number[] }

/**
 * Reads bech32 (BIP-173) of any sensible length, all upper or all lower case.
 *
 * @returns null when the text is not bech32 or its checksum is wrong
 */
export function readBech32(text: string): Bech32 | null {
  if (text.length > LONGEST) return null
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return null
  const at = lower.lastIndexOf('1')
  const prefix = lower.slice(0, at)
  if (at < 1 || !/^[\x21-\x7e]+$/.test(prefix)) return null
  const words = lettersOf(lower.slice(at + 1)).map((letter) => LETTERS.indexOf(letter))
  if (words.includes(-1) || words.length < CHECKSUM_WORDS) return null
  return polymod([...expand(prefix), ...words]) === 1
    ? { prefix, words: words.slice(0, -CHECKSUM_WORDS) }
    : null
}

/** @param words of five bits; see `wordsOfBytes` */
export function writeBech32(prefix: string, words: readonly number[]): string {
  const rest = polymod([...expand(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ 1
  const checksum = Array.from({ length: CHECKSUM_WORDS }, (_, i) => (rest >>> (5 * (5 - i))) & 31)
  return `${prefix}1${[...words, ...checksum].map((word) => LETTERS[word]).join('')}`
}

/** Bytes as words of five bits, padded with zeros. */
export function wordsOfBytes(bytes: readonly number[]): number[] {
  return regroup(bytes, 8, 5, true) ?? []
}

/** Words of five bits as bytes. @returns null when bits are left over that are not padding */
export function bytesOfWords(words: readonly number[]): number[] | null {
  return regroup(words, 5, 8, false)
}

/** Bytes as lower-case hex. */
export function hexOf(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function regroup(
  values: readonly number[],
  from: number,
  to: number,
  pad: boolean,
): number[] | null {
  const out: number[] = []
  let held = 0
  let bits = 0
  for (const value of values) {
    held = ((held << from) | value) & 0xfff
    bits += from
    while (bits >= to) {
      bits -= to
      out.push((held >>> bits) & ((1 << to) - 1))
    }
  }
  const left = held & ((1 << bits) - 1)
  if (pad) return bits > 0 ? [...out, (left << (to - bits)) & ((1 << to) - 1)] : out
  return bits >= from || left !== 0 ? null : out
}

function expand(prefix: string): number[] {
  const codes = lettersOf(prefix).map((letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)]
}

function lettersOf(text: string): string[] {
  return text.split('')
}

function polymod(words: readonly number[]): number {
  let sum = 1
  for (const word of words) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ word
    for (const [i, generator] of GENERATOR.entries()) {
      if ((top >>> i) & 1) sum ^= generator
    }
  }
  return sum
}
