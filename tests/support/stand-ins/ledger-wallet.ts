import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { SourceError } from '#server/kit/failure.ts'
import { type InvoiceState, type Wallet, type Listening } from '#server/payments/ports.ts'
import { type Ledger } from './ledger.ts'

type Behaviour = {
  down: boolean
  slowMs: number
  /** The wallet creates the invoice, but its response is lost. */
  losesAnswers: boolean
  /** Reports everything as settled, with the requested or another amount, millisats. */
  claims: 'truth' | 'settled' | number
  /** Its proof of every payment. */
  preimage: string | null
  /** The pause it asks for instead of answering. */
  busyMs: number
  /** Hash of an invoice that it does not report on. */
  mute: string
  lookUps: number
}

export type LedgerWallet = Wallet & {
  readonly behaviour: Behaviour
  readonly hint: (paymentHash: string | null) => void
}

export const NORMAL: Behaviour = {
  down: false,
  slowMs: 0,
  losesAnswers: false,
  claims: 'truth',
  preimage: null,
  busyMs: 0,
  mute: '',
  lookUps: 0,
}

export function ledgerWallet(ledger: Ledger, overrides: Partial<Wallet> = {}): LedgerWallet {
  const behaviour: Behaviour = { ...NORMAL }
  const listeners = new Set<(hash: string | null) => void>()

  async function mind(signal: AbortSignal): Promise<void> {
    if (behaviour.slowMs > 0) {
      await pause(behaviour.slowMs, undefined, { signal }).catch(() => {
        throw new SourceError('down', 'The wallet did not answer in time.')
      })
    }
    const { busyMs } = behaviour
    if (busyMs > 0) throw new SourceError('busy', 'The wallet asks us to wait.', busyMs)
    if (behaviour.down) throw new SourceError('down', 'The wallet cannot be reached.')
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
      if (behaviour.losesAnswers)
        throw new SourceError('down', 'The wallet did not answer in time.')
      return { bolt11: made.bolt11, paymentHash: made.paymentHash, ref: made.paymentHash }
    },
    async lookUp({ ref, sats }, signal): Promise<InvoiceState> {
      behaviour.lookUps += 1
      await mind(signal)
      if (ref === behaviour.mute) throw new SourceError('down', 'The wallet is busy.')
      if (behaviour.claims !== 'truth') {
        const receivedMsat = behaviour.claims === 'settled' ? sats * 1_000 : behaviour.claims
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
            preimage: behaviour.preimage ?? entry.preimage,
          }
    },
    listen: (onHint): Listening => {
      listeners.add(onHint)
      return { close: () => void listeners.delete(onHint) }
    },
    pay: null,
    close: () => Promise.resolve(),
    ...overrides,
    behaviour,
    hint: (hash) => {
      for (const listener of listeners) listener(hash)
    },
  }
}
