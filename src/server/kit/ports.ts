import { type Role, type Scope } from '#contracts/access.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { type Network } from '#domain/money/bolt11.ts'
import { type CorporateAction } from '#domain/judging/corporate-action.ts'
import { type Day } from '#domain/day.ts'

/** The time, as an argument: tests and replays have their own. */
export type Clock = { readonly now: () => number }

/** Who is signed in. */
export type Admin = { readonly id: number; readonly username: string }

/** Structured logging; `detail` never holds a secret. */
export type Log = {
  readonly info: (detail: object, message: string) => void
  readonly warn: (detail: object, message: string) => void
  readonly error: (detail: object, message: string) => void
}

/** Why an outside system did not help: not there, asks to wait, refuses us, or answers what makes no sense. */
export type SourceFault = 'down' | 'busy' | 'refused' | 'nonsense'

/** An outside system failed; the message is a sentence for people and holds no address and no key. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly fault: SourceFault
  /** How long it asked to be left alone, milliseconds; null when it did not say. */
  readonly waitMs: number | null

  constructor(fault: SourceFault, message: string, waitMs: number | null = null) {
    super(message)
    this.fault = fault
    this.waitMs = waitMs
  }
}

/** What is asked of a source of daily bars; both days are included. */
export type DailyAsk = {
  readonly from: Day
  readonly to: Day
  readonly today: Day
  /** Splits known to the site: a source of unadjusted prices divides by them. */
  readonly actions: readonly CorporateAction[]
  readonly signal: AbortSignal
}

export type DailyAnswer = {
  /** Oldest first, one a day, in USD adjusted for splits; the last one may still move. */
  readonly bars: readonly Bar[]
  /** The time of the source's own clock, milliseconds since 1970; null when it did not tell. */
  readonly remoteMs: number | null
}

/** A venue or service that gives daily prices of one asset. */
export type DailySource = {
  /** Recorded with each bar. */
  readonly name: string
  /** As people read it. */
  readonly title: string
  readonly asset: AssetKey
  /** Offered for this use by whoever runs it. */
  readonly isOfficial: boolean
  /** Gives highs and lows, not closes alone. */
  readonly isFull: boolean
  /** The first day it has. */
  readonly firstDay: Day
  /** How many days it reaches back from today; null for all of its history. */
  readonly reachDays: number | null
  /** The most days of one call. */
  readonly pageDays: number
  /** The least pause between two calls. */
  readonly pauseMs: number
  /** How often the running day is asked for; null for a source that tells of ended days only. */
  readonly refreshMs: number | null
  /** @throws SourceError */
  readonly daily: (ask: DailyAsk) => Promise<DailyAnswer>
}

/** A venue that sends the price as it moves. */
export type TickFeed = {
  readonly name: string
  readonly title: string
  readonly asset: AssetKey
  /** Connects, and connects again whenever the connection breaks or falls silent, until closed. */
  readonly open: (on: TickListener) => { readonly close: () => void }
}

export type TickListener = {
  /** `at`: when the venue says it was traded, milliseconds since 1970; null where it does not say. */
  readonly tick: (usd: number, at: number | null) => void
  /** The venue has begun to send; `again` when it had broken off before. */
  readonly up: (again: boolean) => void
  /** Told for each attempt that failed and each connection that broke, as a sentence. */
  readonly down: (reason: string) => void
}

/** What is asked of a wallet. */
export type InvoiceOrder = {
  /** Our id of the payment: goes into the label, where the wallet has one, and makes asking twice harmless there. */
  readonly id: string
  readonly sats: number
  readonly memo: string
  readonly expirySeconds: number
  /** Where the wallet may tell that something has happened to it; what it says there is not read. Null: nowhere. */
  readonly hintUrl: string | null
}

/** An invoice as the wallet gives it, not compared with the order yet. */
export type WalletInvoice = {
  readonly bolt11: string
  /** Null where the wallet tells it only inside the invoice. */
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
      /** What arrived, as far as the wallet tells it. */
      readonly receivedMsat: number | null
      /** By the wallet's clock, milliseconds since 1970. */
      readonly settledMs: number | null
      /** The proof of payment, in hex, where the wallet tells it; nobody has compared it with the hash yet. */
      readonly preimage?: string | null | undefined
    }

/**
 * A wallet that receives over Lightning. Every call throws SourceError when the wallet does not help; only `lookUp` tells
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
  /** Makes sure that it is there, takes our key and can receive. @throws SourceError with what is wrong */
  readonly check: (signal: AbortSignal) => Promise<void>
  readonly createInvoice: (order: InvoiceOrder, signal: AbortSignal) => Promise<WalletInvoice>
  readonly lookUp: (invoice: InvoiceRef, signal: AbortSignal) => Promise<InvoiceState>
  /**
   * Listens for payments, as far as the wallet tells of them by itself. A hint proves nothing; it says which invoice to
   * look up, by its payment hash or, with null, that any may have been paid. Connects again by itself. Null where the
   * wallet tells nothing.
   */
  readonly watch: ((onHint: (paymentHash: string | null) => void) => WatchHandle) | null
  /** Pays an invoice, for notices and for demonstrations; null where it cannot or may not pay. */
  readonly pay:
    | ((bolt11: string, most: { feeSats: number }, signal: AbortSignal) => Promise<void>)
    | null
  readonly close: () => Promise<void>
}

export type WatchHandle = { readonly close: () => void }

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Stays the same when a mail is sent again, so that it can be told apart from a new one. */
  readonly id: string
  /** Where a click or a mail program ends these mails. */
  readonly unsubscribeUrl: string
}

/** Sends mail. @throws SourceError: `refused` when the address will never take it */
export type Mailer = { readonly send: (mail: Mail, signal: AbortSignal) => Promise<void> }

/** Finds the invoice behind a Lightning address or LNURL, at addresses that strangers choose. */
export type NoteInvoices = {
  /**
   * @param message goes along with the payment, cut to what the other side takes
   * @returns an invoice over exactly these sats
   * @throws SourceError: `refused` when it will never take such a payment
   */
  readonly invoiceFor: (
    url: string,
    ask: { sats: number; message: string; network: Network },
    signal: AbortSignal,
  ) => Promise<string>
}

/** A request's right to administer: whose, and by which session or token. */
export type SignedIn = {
  readonly admin: Admin
  readonly by: 'session' | 'token'
  readonly id: string
  readonly role: Role
  /** What a token was made for; null for a session. */
  readonly scopes: readonly Scope[] | null
  /** An authenticator app or a passkey belongs to the account. */
  readonly hasSecondFactor: boolean
}

/** Why a call was not answered. */
export const REASONS = [
  'not signed in',
  'token not valid',
  'role',
  'scope',
  'token for the account',
  'another site',
  'second factor missing',
] as const
export type Reason = (typeof REASONS)[number]
