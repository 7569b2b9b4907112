import { SourceError } from '#server/kit/ports.ts'
import { type InvoiceState, type Wallet, type Listening } from '#server/payments/ports.ts'
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ledger } from './ledger.ts'

type Mood = {
  down: boolean
  slowMs: number
  /** The wallet creates the invoice, but its response is lost. */
  losesAnswers: boolean
  /** Reports everything as settled, with the requested or another amount, millisats. */
  claims: 'truth' | 'settled' | number
  lookUps: number
}

export type LedgerWallet = Wallet & {
  readonly mood: Mood
  readonly hint: (paymentHash: string | null) => void
}

export const CALM: Mood = {
  down: false,
  slowMs: 0,
  losesAnswers: false,
  claims: 'truth',
  lookUps: 0,
}

export function ledgerWallet(ledger: Ledger, overrides: Partial<Wallet> = {}): LedgerWallet {
  const mood: Mood = { ...CALM }
  const listeners = new Set<(hash: string | null) => void>()

  async function mind(signal: AbortSignal): Promise<void> {
    if (mood.slowMs > 0) {
      await pause(mood.slowMs, undefined, { signal }).catch(() => {
        throw new SourceError('down', 'The wallet did not answer in time.')
      })
    }
    if (mood.down) throw new SourceError('down', 'The wallet cannot be reached.')
  }

  return {
    name: 'ledger',
    title: 'The ledger',
    network: 'mainnet',
    isDemonstration: false,
    isLifeChosen: true,
    hashesTexts: true,
    check: mind,
    async createInvoice({ id, sats, memo, hashed = null, expirySeconds }, signal) {
      await mind(signal)
      const made = ledger.make({
        msat: sats * 1_000,
        expirySeconds,
        memo,
        label: id,
        ...(hashed === null
          ? {}
          : { descriptionHash: createHash('sha256').update(hashed).digest('hex') }),
      })
      if (mood.losesAnswers) throw new SourceError('down', 'The wallet did not answer in time.')
      return { bolt11: made.bolt11, paymentHash: made.paymentHash, ref: made.paymentHash }
    },
    async lookUp({ ref, sats }, signal): Promise<InvoiceState> {
      mood.lookUps += 1
      await mind(signal)
      if (mood.claims !== 'truth') {
        const receivedMsat = mood.claims === 'settled' ? sats * 1_000 : mood.claims
        return { state: 'settled', receivedMsat, settledMs: null }
      }
      const entry = ledger.entries.get(ref)
      if (!entry) return { state: 'gone' }
      return entry.settledMs === null
        ? { state: 'open' }
        : {
            state: 'settled',
            receivedMsat: entry.msat,
            settledMs: entry.settledMs,
            preimage: entry.preimage,
          }
    },
    listen: (onHint): Listening => {
      listeners.add(onHint)
      return { close: () => void listeners.delete(onHint) }
    },
    pay: null,
    close: () => Promise.resolve(),
    ...overrides,
    mood,
    hint: (hash) => {
      for (const listener of listeners) listener(hash)
    },
  }
}
