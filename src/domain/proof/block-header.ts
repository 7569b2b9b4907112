import { areSame, hexOfBytes } from './bytes.ts'
import { sha256 } from '@noble/hashes/sha2.js'

/** The header of a block of Bitcoin, as far as proofs need it. */
export type BlockHeader = {
  /** As explorers write it. */
  readonly hash: string
  readonly merkleRoot: Uint8Array
  /** When its miner says it was made, seconds since 1970. */
  readonly time: number
  /** How many times somebody had to try for such a block, on average, as a power of two. */
  readonly workBits: number
  /** Its hash is as small as it says itself that it must be. */
  readonly isMined: boolean
}

const LENGTH = 80
/** Every block since OpenTimestamps began (2016) took at least 2^67 tries. */
const LEAST_WORK_BITS = 64

/** @returns null where there are not 80 bytes */
export function readHeader(bytes: Uint8Array): BlockHeader | null {
  if (bytes.length !== LENGTH) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, LENGTH)
  const hash = sha256(sha256(bytes)).toReversed()
  const target = targetOf(view.getUint32(72, true))
  const value = BigInt(`0x${hexOfBytes(hash)}`)
  return {
    hash: hexOfBytes(hash),
    merkleRoot: bytes.slice(36, 68),
    time: view.getUint32(68, true),
    workBits: target > 0n ? 256 - Math.log2(Number(target)) : 0,
    isMined: target > 0n && value <= target,
  }
}

/** A 256-bit number from its compact form; 0 for a form that is not valid. */
function targetOf(short: number): bigint {
  const exponent = short >>> 24
  const digits = BigInt(short & 0x7fffff)
  if ((short & 0x800000) !== 0 || exponent > 32) return 0n
  return exponent >= 3 ? digits << BigInt(8 * (exponent - 3)) : digits >> BigInt(8 * (3 - exponent))
}

/** Null where the header proves that the message was in its block; its place in the chain it cannot prove. */
export function whyNotIn(
  header: BlockHeader,
  message: Uint8Array,
  leastWorkBits = LEAST_WORK_BITS,
): string | null {
  if (!header.isMined)
    return 'Its hash is larger than it says itself that it may be: it is no header of a mined block, or a byte of it was changed.'
  if (header.workBits < leastWorkBits) {
    return 'Far too little work went into it: it is no block of Bitcoin’s main chain since 2016.'
  }
  return areSame(header.merkleRoot, message)
    ? null
    : 'Its Merkle root is not the one that the proof leads to: it is the header of another block, or the proof was changed.'
}
