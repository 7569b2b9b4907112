import { createHash } from 'node:crypto'
import { type Network } from '#domain/money/bolt11.ts'

export type InvoiceOrder = {
  /** Our id of the payment; part of the label if supported, which makes repeated calls idempotent. */
  readonly id: string
  readonly sats: number
  readonly memo: string
  /** A text whose SHA-256 replaces the memo, as required by LNURL and zaps. */
  readonly hashed?: string | null
  readonly expirySeconds: number
  /** Where the wallet may send hints, whose content is ignored; null for nowhere. */
  readonly hintUrl: string | null
}

export type WalletInvoice = {
  readonly bolt11: string
  /** Null if it is only inside the invoice. */
  readonly paymentHash: string | null
  readonly ref: string
}

export type InvoiceRef = {
  readonly ref: string
  readonly paymentHash: string
  readonly bolt11: string
  readonly sats: number
}

/** `gone`: the wallet does not know the invoice, which says nothing about sats. */
export type InvoiceState =
  | { readonly state: 'open' | 'ended' | 'gone' }
  | {
      readonly state: 'settled'
      readonly receivedMsat: number | null
      /** By the wallet's clock, Unix time in ms. */
      readonly settledMs: number | null
      /** The preimage in hex if the wallet provides it, not verified yet. */
      readonly preimage?: string | null | undefined
    }

/** All calls throw SourceError if the wallet fails; only `lookUp` tells whether an invoice is paid. */
export type Wallet = {
  readonly name: string
  readonly title: string
  readonly network: Network
  /** Whether its sats are worthless. */
  readonly isDemonstration: boolean
  /** Whether the expiry of invoices can be chosen, unlike with LNURL. */
  readonly isLifeChosen: boolean
  /** Whether it supports description hashes, which a Lightning address and zaps require. */
  readonly hashesTexts: boolean
  readonly check: (signal: AbortSignal) => Promise<void>
  readonly createInvoice: (order: InvoiceOrder, signal: AbortSignal) => Promise<WalletInvoice>
  readonly lookUp: (invoice: InvoiceRef, signal: AbortSignal) => Promise<InvoiceState>
  /**
   * Hints at invoices to look up, by payment hash, or null for any. Reconnects automatically. Null if the wallet has no push.
   */
  readonly listen: ((onHint: (paymentHash: string | null) => void) => Listening) | null
  /** Pays an invoice, for notices and demonstrations; null if it cannot or may not pay. */
  readonly pay: ((bolt11: string, signal: AbortSignal) => Promise<void>) | null
  readonly close: () => Promise<void>
}

export type Listening = { readonly close: () => void }

/** Requests invoices from Lightning addresses or LNURLs, at addresses chosen by strangers. */
export type NoteInvoices = {
  /** @param message truncated to the wallet's limit @throws SourceError `refused` if it will never be accepted */
  readonly invoiceFor: (
    url: string,
    ask: { sats: number; message: string; network: Network },
    signal: AbortSignal,
  ) => Promise<string>
}

/** @param value hex, from a wallet @returns lower case; null if it is not the preimage of this payment */
export function provenPreimage(value: string | null | undefined, paymentHash: string) {
  const text = value?.toLowerCase() ?? ''
  if (!/^[0-9a-f]{64}$/.test(text)) return null
  const hash = createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex')
  return hash === paymentHash.toLowerCase() ? text : null
}
