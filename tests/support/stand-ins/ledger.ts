import { createHash, randomBytes } from 'node:crypto'
import { bech32 } from '@scure/base'
import { type Network } from '#domain/money/bolt11.ts'

export type Entry = {
  readonly bolt11: string
  readonly paymentHash: string
  readonly preimage: string
  readonly msat: number
  readonly memo: string
  readonly label: string
  readonly createdMs: number
  readonly expirySeconds: number
  settledMs: number | null
}

type Lies = {
  network?: Network
  msat?: number
  expirySeconds?: number
  /** Returns another payment hash than the invoice's. */
  hash?: boolean
  /** Returns the last invoice again. */
  replay?: boolean
  createdMs?: number
  descriptionHash?: string
}

const PREFIX: Readonly<Record<Network, string>> = {
  mainnet: 'bc',
  testnet: 'tb',
  signet: 'tbs',
  regtest: 'bcrt',
}

export type Ledger = ReturnType<typeof standInLedger>

/** The books of a wallet: creates readable invoices (without a signature) and records payments. */
export function standInLedger(now: () => number = Date.now) {
  const entries = new Map<string, Entry>()
  const settleListeners = new Set<(entry: Entry) => void>()
  let last: Entry | null = null
  const ledger = {
    entries,
    lies: {} as Lies,
    settleListeners,

    make(order: {
      msat: number
      expirySeconds: number
      memo?: string
      label?: string
      descriptionHash?: string
    }): Entry {
      const { lies } = ledger
      if (lies.replay && last) return last
      const secret = randomBytes(32)
      const paymentHash = createHash('sha256').update(secret).digest('hex')
      const entry: Entry = {
        paymentHash: lies.hash ? 'ab'.repeat(32) : paymentHash,
        preimage: secret.toString('hex'),
        msat: order.msat,
        memo: order.memo ?? '',
        label: order.label ?? '',
        createdMs: lies.createdMs ?? now(),
        expirySeconds: lies.expirySeconds ?? order.expirySeconds,
        settledMs: null,
        bolt11: '',
      }
      const made = {
        ...entry,
        bolt11: bolt11Of({
          network: lies.network ?? 'mainnet',
          msat: lies.msat ?? order.msat,
          paymentHash,
          createdMs: entry.createdMs,
          expirySeconds: entry.expirySeconds,
          descriptionHash: lies.descriptionHash ?? order.descriptionHash ?? null,
        }),
      }
      entries.set(made.paymentHash, made)
      last = made
      return made
    },

    pay(bolt11: string): void {
      const entry = [...entries.values()].find((one) => one.bolt11 === bolt11)
      if (!entry) throw new Error('this invoice was never made')
      entry.settledMs ??= now()
      for (const listener of settleListeners) listener(entry)
    },
  }
  return ledger
}

/** An invoice in the format of BOLT11, with zeros for a signature. */
export function bolt11Of(input: {
  network: Network
  msat: number | null
  paymentHash: string
  createdMs: number
  expirySeconds: number
  descriptionHash: string | null
  /** In a second field of the same kind, which readers ignore. */
  laterPaymentHash?: string
}): string {
  const amount = input.msat === null ? '' : `${String(input.msat * 10)}p`
  const hash = (hex: string): number[] => bech32.toWords(Buffer.from(hex, 'hex'))
  const field = (tag: number, words: number[]): number[] => [
    tag,
    words.length >> 5,
    words.length & 31,
    ...words,
  ]
  const words = [
    ...numberWords(Math.floor(input.createdMs / 1_000), 7),
    ...field(1, hash(input.paymentHash)),
    ...field(16, hash('11'.repeat(32))),
    ...field(6, numberWords(input.expirySeconds, 10)),
    ...(input.descriptionHash === null ? field(13, []) : field(23, hash(input.descriptionHash))),
    ...(input.laterPaymentHash === undefined ? [] : field(1, hash(input.laterPaymentHash))),
    ...Array.from({ length: 104 }, () => 0),
  ]
  return bech32.encode(`ln${PREFIX[input.network]}${amount}`, words, false)
}

function numberWords(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor(value / 32 ** (count - 1 - i)) % 32)
}
