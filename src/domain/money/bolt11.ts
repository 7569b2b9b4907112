import { bech32, hex } from '@scure/base'

/** Invoices, keys and LNURLs exceed bech32's 90 characters; nothing valid is longer than this. */
const LONGEST_BECH32 = 4_000

/** Decodes bech32 with this prefix; null if malformed or its checksum is wrong. */
export function bytesOfBech32(prefix: string, text: string): Uint8Array | null {
  const read = bech32.decodeUnsafe(text, LONGEST_BECH32)
  return (read?.prefix === prefix && bech32.fromWordsUnsafe(read.words)) || null
}

export const NETWORKS = ['mainnet', 'testnet', 'signet', 'regtest'] as const
export type Network = (typeof NETWORKS)[number]

/** A decoded Lightning invoice. Its signature is not checked: it came from our own wallet over its own connection. */
export type Bolt11 = {
  readonly network: Network
  /** Amount in millisats; null leaves it to the payer. */
  readonly msat: number | null
  /** 64 hex digits. */
  readonly paymentHash: string
  /** Wallet's clock, milliseconds since 1970. */
  readonly createdMs: number
  readonly expirySeconds: number
  /** Hex SHA-256 of the description, if the invoice has that instead. */
  readonly descriptionHash: string | null
}

const PREFIX = /^ln(bcrt|tbs|bc|tb)(?:(\d+)([munp])?)?$/
const NETWORK_OF: Readonly<Record<string, Network>> = {
  bc: 'mainnet',
  tb: 'testnet',
  tbs: 'signet',
  bcrt: 'regtest',
}
/** Tenths of a millisat per unit: `p` is a tenth of a millisat, so its amounts must end in 0. */
const TENTHS: Readonly<Record<string, bigint>> = {
  '': 1_000_000_000_000n,
  m: 1_000_000_000n,
  u: 1_000_000n,
  n: 1_000n,
  p: 1n,
}
const MOST_MSAT = 21_000_000n * 100_000_000n * 1_000n
const DEFAULT_EXPIRY_SECONDS = 3_600
const TIME_WORDS = 7
const SIGNATURE_WORDS = 104
const HASH_WORDS = 52

/** Strict by https://github.com/lightning/bolts/blob/master/11-payment-encoding.md */
export function readBolt11(text: string): Bolt11 | null {
  const read = bech32.decodeUnsafe(text.trim(), LONGEST_BECH32)
  const named = read && PREFIX.exec(read.prefix)
  if (!named || read.words.length < TIME_WORDS + SIGNATURE_WORDS) return null
  const network = NETWORK_OF[named[1] ?? '']
  const msat = amountOf(named[2], named[3] ?? '')
  const fields = fieldsOf(read.words.slice(TIME_WORDS, -SIGNATURE_WORDS))
  if (!network || msat === undefined || !fields) return null
  const paymentHash = hashIn(fields.get('p'))
  const secret = hashIn(fields.get('s'))
  if (paymentHash === null || secret === null) return null
  const expiry = fields.get('x')
  return {
    network,
    msat,
    paymentHash,
    createdMs: numberOf(read.words.slice(0, TIME_WORDS)) * 1_000,
    expirySeconds: expiry ? numberOf(expiry) : DEFAULT_EXPIRY_SECONDS,
    descriptionHash: hashIn(fields.get('h')),
  }
}

/** Millisats; null if the invoice has no amount, undefined if it is invalid. */
function amountOf(digits: string | undefined, unit: string): number | null | undefined {
  if (digits === undefined) return null
  const tenths = BigInt(digits) * (TENTHS[unit] ?? 0n)
  const isFine = tenths > 0n && tenths % 10n === 0n && tenths / 10n <= MOST_MSAT
  return isFine ? Number(tenths / 10n) : undefined
}

const TAGS: Readonly<Record<number, string>> = { 1: 'p', 16: 's', 6: 'x', 23: 'h' }

/** The first field of each kind used here; fields of a wrong length are skipped, as BOLT 11 requires. */
function fieldsOf(words: readonly number[]): Map<string, readonly number[]> | null {
  const fields = new Map<string, readonly number[]>()
  let at = 0
  while (at < words.length) {
    const [tag, high, low] = words.slice(at, at + 3)
    if (tag === undefined || high === undefined || low === undefined) return null
    const end = at + 3 + high * 32 + low
    if (end > words.length) return null
    const name = TAGS[tag]
    const value = words.slice(at + 3, end)
    const fits = name === 'x' ? value.length <= 10 : value.length === HASH_WORDS
    if (name !== undefined && fits && !fields.has(name)) fields.set(name, value)
    at = end
  }
  return fields
}

function hashIn(words: readonly number[] | undefined): string | null {
  const bytes = words && bech32.fromWordsUnsafe([...words])
  return bytes?.length === 32 ? hex.encode(bytes) : null
}

function numberOf(words: readonly number[]): number {
  return words.reduce((sum, word) => sum * 32 + word, 0)
}
