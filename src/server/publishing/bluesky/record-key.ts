const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'
const LENGTH = 13
/** The last bits of a key tell those of the same moment apart. */
const CLOCK_BITS = 10n

/**
 * The key of a record on Bluesky: when it is from, in microseconds, and ten bits of its own.
 *
 * @param postId by which two posts of the same moment get different keys
 * @see https://atproto.com/specs/tid
 */
export function recordKey(atMs: number, postId: string): string {
  const own = BigInt(`0x${postId.replaceAll('-', '')}`)
  const micros = BigInt(atMs) * 1_000n + ((own >> CLOCK_BITS) % 1_000n)
  let left = (micros << CLOCK_BITS) | (own & ((1n << CLOCK_BITS) - 1n))
  let key = ''
  for (let digit = 0; digit < LENGTH; digit += 1) {
    key = (DIGITS[Number(left & 31n)] ?? '') + key
    left >>= 5n
  }
  return key
}

/** When a record with this key is from, milliseconds since 1970. */
export function timeOfKey(key: string): number {
  const value = Array.from(key).reduce(
    (sum, digit) => sum * 32n + BigInt(DIGITS.indexOf(digit)),
    0n,
  )
  return Number((value >> CLOCK_BITS) / 1_000n)
}
