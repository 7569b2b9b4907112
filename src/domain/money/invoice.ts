import { readBolt11, type Bolt11, type Network } from './bolt11.ts'
import { showCount } from '#domain/price-text.ts'

/** The limits of a payment for a submission, sats (public-site.md §9, decisions.md §4). */
export const MIN_SATS = 1
export const MAX_SATS = 100_000
export const DEFAULT_SATS = 1
export const QUICK_PICKS = [1, 21, 500, 1_000, 2_100] as const

/** An invoice is valid exactly as long as the page polls for its payment: 300 times, every 2 seconds. */
export const INVOICE_SECONDS = 600
/** How long after its end an invoice is still checked: the network may deliver late. */
const CHECK_AFTER_MS = 48 * 3_600_000
/** How long at least an invoice is checked when we could not choose its expiry, as with a Lightning address. */
const CHECK_UNCHOSEN_MS = 7 * 86_400_000
/** The wallet name recorded for payments of the demonstration wallet; their sats are worth nothing. */
export const DEMONSTRATION = 'demonstration'
/** USD for a sat while no price is known. */
const FALLBACK_USD_PER_SAT = 0.001

export const PAYMENT_PURPOSES = [
  /** Brings a submission into review, and supports the prediction that it becomes. */
  'submission',
  'boost',
  /** Sent to the site's Lightning address; supports the site. */
  'support',
  /** A zap by NIP-57; supports the prediction that it names, or else the site. */
  'zap',
  /** The deposit of a reported error, which earlier versions asked for. */
  'report',
] as const
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number]

export const INVOICE_STATUSES = [
  /** The wallet is being asked for an invoice; no payer has seen it. */
  'creating',
  'pending',
  'expired',
  'cancelled',
  'paid',
  'paid_late',
  /** Paid although another attempt had already paid the submission: an administrator pays it back. Others never are. */
  'overpaid',
  /** The wallet gave no invoice, or not the one we asked for. No payer has seen it. */
  'failed',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

// Expired and cancelled ones may still become paid: the page stops polling, the network goes on. An expired one may even
// turn out to have been paid in time, by the wallet's clock.
const NEXT: Readonly<Record<InvoiceStatus, readonly InvoiceStatus[]>> = {
  creating: ['pending', 'failed'],
  pending: ['paid', 'paid_late', 'overpaid', 'expired', 'cancelled'],
  expired: ['paid', 'paid_late', 'overpaid'],
  cancelled: ['paid', 'paid_late', 'overpaid'],
  paid: [],
  paid_late: [],
  overpaid: [],
  failed: [],
}

export function mayBecome(from: InvoiceStatus, to: InvoiceStatus): boolean {
  return NEXT[from].includes(to)
}

/** The states that may become `to`, for the condition of the update in the database. */
export function statesBefore(to: InvoiceStatus): InvoiceStatus[] {
  return INVOICE_STATUSES.filter((from) => mayBecome(from, to))
}

export function isPaid(status: InvoiceStatus): boolean {
  return status === 'paid' || status === 'paid_late' || status === 'overpaid'
}

export function mayBePaid(status: InvoiceStatus): boolean {
  return mayBecome(status, 'overpaid')
}

/** Parses an amount of whole sats within the limits, for every call. @returns the amount, or a message */
export function readSats(
  given: unknown,
  { min, max }: { min: number; max: number },
): number | string {
  const sats = typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : given
  if (typeof sats !== 'number' || !Number.isInteger(sats)) {
    return 'Please enter the amount as a whole number of sats.'
  }
  if (sats < min || sats > max) {
    return `Please enter an amount from ${showCount(min)} to ${showCount(max)} sats.`
  }
  return sats
}

export type InvoiceAsk = {
  readonly sats: number
  readonly network: Network
  readonly expirySeconds: number
  /** SHA-256 that it must have instead of a memo, hex; null: any. */
  readonly descriptionHash?: string | null
}

/** No wallet means a longer one; the end of such an invoice may not even be a valid date. */
const LONGEST_SECONDS = 366 * 86_400
/** How far a wallet's clock may differ; ours may be the wrong one, so this is generous. */
const CLOCK_TOLERANCE_MS = 24 * 3_600_000
/** A payer needs time to open a wallet and press a button. */
const LEAST_LEFT_MS = 60_000
/** How old an invoice from a slow wallet may be when it reaches us; an older one means that its clock is behind. */
const SLOW_WALLET_MS = 15_000

/** @param paymentHash as named by the wallet; null if it named none @returns the decoded invoice, or a message */
export function checkInvoice(
  bolt11: string,
  paymentHash: string | null,
  ask: InvoiceAsk,
  nowMs: number,
): Bolt11 | string {
  const read = readBolt11(bolt11)
  if (!read) return 'The wallet sent an invoice that cannot be read.'
  if (read.network !== ask.network) {
    return `The wallet sent an invoice for ${read.network}, not for ${ask.network}.`
  }
  if (read.msat !== ask.sats * 1_000) return 'The wallet sent an invoice of another amount.'
  if (paymentHash !== null && read.paymentHash !== paymentHash.toLowerCase()) {
    return 'The wallet sent an invoice of another payment.'
  }
  if (ask.descriptionHash != null && read.descriptionHash !== ask.descriptionHash) {
    return 'The wallet sent an invoice without the hash of what it is for.'
  }
  // When a wallet gives a longer expiry than we asked for, the page stops polling long before the invoice ends; the server
  // goes on checking.
  if (read.expirySeconds < ask.expirySeconds / 2) {
    return 'The wallet sent an invoice that ends too soon.'
  }
  if (read.expirySeconds > LONGEST_SECONDS) {
    return 'The wallet sent an invoice that is valid for more than a year.'
  }
  if (Math.abs(read.createdMs - nowMs) > CLOCK_TOLERANCE_MS) {
    return 'The wallet sent an invoice of another day; its clock or ours is wrong.'
  }
  if (invoiceEndsMs(read) - nowMs < LEAST_LEFT_MS) {
    return 'The wallet sent an invoice that has expired or is about to; its clock or ours is wrong.'
  }
  return read
}

/** When payers' wallets treat an invoice as expired, milliseconds since 1970. */
export function invoiceEndsMs({ createdMs, expirySeconds }: Bolt11): number {
  return createdMs + expirySeconds * 1_000
}

/** When our page stops showing an invoice, milliseconds since 1970: after ten minutes, or sooner by the wallet’s clock. */
export function pageEndsMs(invoice: Bolt11, nowMs: number): number {
  const ours = nowMs + Math.min(invoice.expirySeconds, INVOICE_SECONDS) * 1_000
  const theirs = invoiceEndsMs(invoice)
  return theirs + SLOW_WALLET_MS < ours ? theirs : ours
}

/** Received and requested amounts, millisats. */
export type Arrival = {
  /** Null when the wallet does not say. */
  readonly receivedMsat: number | null
  readonly missingMsat: number
  readonly extraMsat: number
  /** Whole sats that count as support: those received, at most those requested. */
  readonly countedSats: number
}

/** Thousandths of a sat as sats: `20.999`. */
export function showMsat(msat: number): string {
  return (msat / 1_000).toLocaleString('en-US', { maximumFractionDigits: 3 })
}

/** @param reportedMsat what the wallet says has arrived; it may make no sense */
export function arrivalOf(sats: number, reportedMsat: number | null): Arrival {
  if (reportedMsat === null) {
    return { receivedMsat: null, missingMsat: 0, extraMsat: 0, countedSats: sats }
  }
  const receivedMsat = Math.max(0, reportedMsat)
  const differenceMsat = receivedMsat - sats * 1_000
  return {
    receivedMsat,
    missingMsat: Math.max(0, -differenceMsat),
    extraMsat: Math.max(0, differenceMsat),
    countedSats: Math.min(sats, Math.floor(receivedMsat / 1_000)),
  }
}

/** Until 48 hours after the last moment at which a payer’s wallet would pay it, milliseconds since 1970. @param endsMs of our page */
export function checkUntilMs({
  createdMs,
  endsMs,
  walletEndsMs,
  isLifeChosen,
}: {
  createdMs: number
  endsMs: number
  walletEndsMs: number
  isLifeChosen: boolean
}): number {
  const until = Math.max(endsMs, walletEndsMs) + CHECK_AFTER_MS
  return isLifeChosen ? until : Math.max(until, createdMs + CHECK_UNCHOSEN_MS)
}

/** The longest pauses between two checks of an invoice that our page no longer shows: in the first two days, and later. */
const LONGEST_PAUSE_MS = 30 * 60_000
const LONGEST_LATE_PAUSE_MS = 2 * 3_600_000

/** Milliseconds from now; null once it needs no more checks. @param age since it was made @param left until our page stops polling @param rest until `checkUntilMs` */
export function nextCheckMs(age: number, left: number, rest: number): number | null {
  if (rest < 0) return null
  if (left > 0) return Math.min(age < 120_000 ? 2_000 : 5_000, left + 250)
  const since = -left
  if (since < 60_000) return 10_000
  const longest = since < CHECK_AFTER_MS ? LONGEST_PAUSE_MS : LONGEST_LATE_PAUSE_MS
  // The last check comes when the time for checks ends, not before.
  return Math.min(Math.max(60_000, since / 10), longest, rest + 250)
}

/** An invoice for a QR code: in upper case, which makes a simpler code; wallets read both. */
export function qrTextOf(bolt11: string): string {
  return `LIGHTNING:${bolt11.toUpperCase()}`
}

export function walletLinkOf(bolt11: string): string {
  return `lightning:${bolt11.toLowerCase()}`
}

/** Value of sats in USD. @param btcUsd null while no price is known */
export function usdOfSats(sats: number, btcUsd: number | null): number {
  return btcUsd === null ? sats * FALLBACK_USD_PER_SAT : (sats * btcUsd) / 100_000_000
}
