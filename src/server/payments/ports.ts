import { type Network } from '#domain/money/bolt11.ts'

/** What is asked of a wallet. */
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

/** An invoice as the wallet gives it, not compared with the order yet. */
export type WalletInvoice = {
  readonly bolt11: string
  /** Null where it is only inside the invoice. */
  readonly paymentHash: string | null
  /** What this wallet wants to be asked by. */
  readonly ref: string
}

/** One invoice that has been shown to a payer. */
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
      /** What arrived, as far as the wallet says. */
      readonly receivedMsat: number | null
      /** By the wallet's clock, milliseconds since 1970. */
      readonly settledMs: number | null
      /** The proof of payment, in hex, where the wallet gives it; not compared with the hash yet. */
      readonly preimage?: string | null | undefined
    }

/**
 * A wallet that receives over Lightning. Every call throws SourceError when the wallet does not help; only `lookUp` says
 * whether an invoice is paid.
 */
export type Wallet = {
  /** Recorded with each payment. */
  readonly name: string
  /** As people read it. */
  readonly title: string
  /** The network its invoices must be for. */
  readonly network: Network
  /** Sats of a demonstration are worth nothing. */
  readonly isDemonstration: boolean
  /** It takes our wish for how long an invoice lives; LNURL knows no such wish. */
  readonly isLifeChosen: boolean
  /** It can make an invoice with the hash of a text: without that there is no Lightning address, and no zaps. */
  readonly hashesTexts: boolean
  /** Makes sure that it is there, takes our key and can receive. @throws SourceError with what is wrong */
  readonly check: (signal: AbortSignal) => Promise<void>
  readonly createInvoice: (order: InvoiceOrder, signal: AbortSignal) => Promise<WalletInvoice>
  readonly lookUp: (invoice: InvoiceRef, signal: AbortSignal) => Promise<InvoiceState>
  /**
   * Listens for payments, as far as the wallet pushes them. A hint proves nothing; it says which invoice to look up, by
   * its payment hash or, with null, that any may have been paid. Connects again by itself. Null where the wallet pushes
   * nothing.
   */
  readonly listen: ((onHint: (paymentHash: string | null) => void) => Listening) | null
  /** Pays an invoice, for notices and for demonstrations; null where it cannot or may not pay. */
  readonly pay:
    | ((bolt11: string, most: { feeSats: number }, signal: AbortSignal) => Promise<void>)
    | null
  readonly close: () => Promise<void>
}

export type Listening = { readonly close: () => void }
