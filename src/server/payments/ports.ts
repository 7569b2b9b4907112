import { type Network } from '#domain/money/bolt11.ts'

type InvoiceOrder = {
  /** Our id of the payment: goes into the label, where the wallet has one, and makes asking twice harmless there. */
  readonly id: string
  readonly sats: number
  readonly memo: string
  /** A text whose SHA-256 the invoice must have instead of the memo, as LNURL and zaps want it. */
  readonly hashed?: string | null
  readonly expirySeconds: number
  /** Where the wallet may report that something has happened to it; what it says there is not read. Null: nowhere. */
  readonly hintUrl: string | null
}

export type WalletInvoice = {
  readonly bolt11: string
  /** Null where it is only inside the invoice. */
  readonly paymentHash: string | null
  readonly ref: string
}

export type InvoiceRef = {
  readonly ref: string
  readonly paymentHash: string
  readonly bolt11: string
  readonly sats: number
}

/** `gone`: the wallet does not know it (any more), which proves nothing about sats. */
export type InvoiceState =
  | { readonly state: 'open' | 'ended' | 'gone' }
  | {
      readonly state: 'settled'
      readonly receivedMsat: number | null
      /** By the wallet's clock, milliseconds since 1970. */
      readonly settledMs: number | null
      /** The proof of payment, in hex, where the wallet gives it; not compared with the hash yet. */
      readonly preimage?: string | null | undefined
    }

/** Every call throws SourceError when the wallet fails; only `lookUp` says whether an invoice is paid. */
export type Wallet = {
  readonly name: string
  readonly title: string
  readonly network: Network
  /** Sats of a demonstration are worth nothing. */
  readonly isDemonstration: boolean
  /** It takes our wish for how long an invoice lives; LNURL knows no such wish. */
  readonly isLifeChosen: boolean
  /** It can make an invoice with the hash of a text: without that there is no Lightning address, and no zaps. */
  readonly hashesTexts: boolean
  readonly check: (signal: AbortSignal) => Promise<void>
  readonly createInvoice: (order: InvoiceOrder, signal: AbortSignal) => Promise<WalletInvoice>
  readonly lookUp: (invoice: InvoiceRef, signal: AbortSignal) => Promise<InvoiceState>
  /** Hints at an invoice to look up, by payment hash, or null for any. Reconnects by itself. Null where the wallet pushes nothing. */
  readonly listen: ((onHint: (paymentHash: string | null) => void) => Listening) | null
  /** Pays an invoice, for notices and for demonstrations; null where it cannot or may not pay. */
  readonly pay:
    | ((bolt11: string, most: { feeSats: number }, signal: AbortSignal) => Promise<void>)
    | null
  readonly close: () => Promise<void>
}

export type Listening = { readonly close: () => void }

/** Finds the invoice behind a Lightning address or LNURL, at addresses that strangers choose. */
export type NoteInvoices = {
  /** @param message truncated to the wallet's limit @throws SourceError `refused` when it will never take it */
  readonly invoiceFor: (
    url: string,
    ask: { sats: number; message: string; network: Network },
    signal: AbortSignal,
  ) => Promise<string>
}
