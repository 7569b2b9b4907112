import { readBolt11, type Bolt11, type Network } from './bolt11.ts'
import { showCount } from '#domain/price-text.ts'

/** What a submission may be paid with, sats (public-site.md §9, decisions.md §4). */
export const MIN_SATS = 1
export const MAX_SATS = 100_000
export const DEFAULT_SATS = 1
export const QUICK_PICKS = [1, 21, 500, 1_000, 2_100] as const

/** An invoice lives exactly as long as the page asks after it: 300 times, every 2 seconds. */
export const INVOICE_SECONDS = 600
/** How long after its end an invoice is still watched: the network may deliver late. */
const WATCH_AFTER_MS = 48 * 3_600_000
/** How long at least an invoice is watched whose life was not ours to choose, as with a Lightning address. */
const WATCH_UNCHOSEN_MS = 7 * 86_400_000
/** The name under which payments with the demonstration wallet are recorded; their sats are worth nothing. */
export const DEMONSTRATION = 'demonstration'
/** USD for a sat where no price is known. */
const FALLBACK_USD_PER_SAT = 0.001

/** One try to pay a submission. */
export const INVOICE_STATUSES = [
  /** The wallet is being asked for an invoice; nobody has seen it. */
  'creating',
  'pending',
  'expired',
  'cancelled',
  'paid',
  /** Paid after the invoice had ended. */
  'paid_late',
  /** Paid although another try had already paid the submission: an administrator gives it back. */
  'overpaid',
  /** The wallet gave no invoice, or one that was not what we asked for. Nobody has seen it. */
  'failed',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

// Expired and cancelled may still turn paid: the page stops asking, the network does not. Expired may even turn out to
// have been paid in time, by the clock of the wallet.
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

/** The states from which one may become `to`, for guarding the move in the database. */
export function statesBefore(to: InvoiceStatus): InvoiceStatus[] {
  return INVOICE_STATUSES.filter((from) => mayBecome(from, to))
}

/** The sats of this invoice have arrived. */
export function isPaid(status: InvoiceStatus): boolean {
  return status === 'paid' || status === 'paid_late' || status === 'overpaid'
}

/** Whether sats may still arrive for it. */
export function isWatched(status: InvoiceStatus): boolean {
  return mayBecome(status, 'overpaid')
}

/**
 * The one way in for amounts: whole sats within the limits.
 *
 * @returns the amount, or what is wrong with it as a sentence
 */
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

/** What we asked a wallet for. */
export type InvoiceAsk = {
  readonly sats: number
  readonly network: Network
  readonly expirySeconds: number
}

/** No wallet means it; the end of such an invoice may even be no date at all. */
const LONGEST_SECONDS = 366 * 86_400
/** How far a wallet's clock may be off; ours may be the wrong one, so this is generous. */
const CLOCK_TOLERANCE_MS = 24 * 3_600_000
/** A payer has to find a wallet and press a button. */
const LEAST_LEFT_MS = 60_000
/** How old an invoice may be when it reaches us because its wallet is slow; beyond that its clock is behind. */
const SLOW_WALLET_MS = 15_000

/**
 * Compares an invoice with what was asked for, before anybody sees it.
 *
 * @param paymentHash what the wallet called it by; null where it names none
 * @returns the invoice read, or what is wrong with it as a sentence
 */
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
  // A wallet that ignores the wish makes the page stop asking long before the invoice ends: the watcher goes on.
  if (read.expirySeconds < ask.expirySeconds / 2) {
    return 'The wallet sent an invoice that ends too soon.'
  }
  if (read.expirySeconds > LONGEST_SECONDS) {
    return 'The wallet sent an invoice that lives longer than a year.'
  }
  if (Math.abs(read.createdMs - nowMs) > CLOCK_TOLERANCE_MS) {
    return 'The wallet sent an invoice of another day; its clock or ours is wrong.'
  }
  if (invoiceEndsMs(read) - nowMs < LEAST_LEFT_MS) {
    return 'The wallet sent an invoice that has ended, or is about to, for the wallets of payers; its clock or ours is wrong.'
  }
  return read
}

/** When the wallets of payers take an invoice to have ended, milliseconds since 1970. */
export function invoiceEndsMs({ createdMs, expirySeconds }: Bolt11): number {
  return createdMs + expirySeconds * 1_000
}

/**
 * When our page stops asking to pay an invoice, milliseconds since 1970: after ten minutes, and sooner where the clock of
 * the wallet is behind, as payers' wallets count from the time that the invoice names.
 */
export function pageEndsMs(invoice: Bolt11, nowMs: number): number {
  const ours = nowMs + Math.min(invoice.expirySeconds, INVOICE_SECONDS) * 1_000
  const theirs = invoiceEndsMs(invoice)
  return theirs + SLOW_WALLET_MS < ours ? theirs : ours
}

/** How what arrived compares with what was asked, thousandths of a sat. */
export type Arrival = {
  /** Null where the wallet does not tell. */
  readonly receivedMsat: number | null
  readonly missingMsat: number
  readonly extraMsat: number
  /** Whole sats that count in support of a prediction: what arrived, and no more than was asked. */
  readonly countedSats: number
}

/** Thousandths of a sat as sats: `20.999`. */
export function showMsat(msat: number): string {
  return (msat / 1_000).toLocaleString('en-US', { maximumFractionDigits: 3 })
}

/** @param toldMsat what the wallet says has arrived; it may make no sense */
export function arrivalOf(sats: number, toldMsat: number | null): Arrival {
  if (toldMsat === null) {
    return { receivedMsat: null, missingMsat: 0, extraMsat: 0, countedSats: sats }
  }
  const receivedMsat = Math.max(0, toldMsat)
  const differenceMsat = receivedMsat - sats * 1_000
  return {
    receivedMsat,
    missingMsat: Math.max(0, -differenceMsat),
    extraMsat: Math.max(0, differenceMsat),
    countedSats: Math.min(sats, Math.floor(receivedMsat / 1_000)),
  }
}

/**
 * Until when an unpaid invoice is watched, milliseconds since 1970: 48 hours beyond the last moment at which a payer's
 * wallet would still pay it, however early our page stops asking.
 *
 * @param endsMs of our page, @param walletEndsMs of the invoice itself
 * @param isLifeChosen the wallet takes our wish for how long an invoice lives
 */
export function watchUntilMs({
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
  const until = Math.max(endsMs, walletEndsMs) + WATCH_AFTER_MS
  return isLifeChosen ? until : Math.max(until, createdMs + WATCH_UNCHOSEN_MS)
}

/** The longest pauses between two looks at an invoice that our page has given up: of the first two days, and later. */
const LONGEST_PAUSE_MS = 30 * 60_000
const LONGEST_LATE_PAUSE_MS = 2 * 3_600_000

/**
 * When to look next after an unpaid invoice, milliseconds from now: often while a page may be waiting, then ever more
 * rarely; null once it need not be watched any more.
 *
 * @param age since it was made, @param left until our page stops asking, negative afterwards, @param watch until
 *   `watchUntilMs`. All in milliseconds.
 */
export function nextLookMs(age: number, left: number, watch: number): number | null {
  if (watch < 0) return null
  if (left > 0) return Math.min(age < 120_000 ? 2_000 : 5_000, left + 250)
  const since = -left
  if (since < 60_000) return 10_000
  const longest = since < WATCH_AFTER_MS ? LONGEST_PAUSE_MS : LONGEST_LATE_PAUSE_MS
  // The last look comes when the watch ends, not before.
  return Math.min(Math.max(60_000, since / 10), longest, watch + 250)
}

/** An invoice for a QR code: in upper case, which makes a coarser code; wallets read both. */
export function qrTextOf(bolt11: string): string {
  return `LIGHTNING:${bolt11.toUpperCase()}`
}

/** The link that opens a wallet. */
export function walletLinkOf(bolt11: string): string {
  return `lightning:${bolt11.toLowerCase()}`
}

/** What sats are worth, USD. @param btcUsd null where no price is known */
export function usdOfSats(sats: number, btcUsd: number | null): number {
  return btcUsd === null ? sats * FALLBACK_USD_PER_SAT : (sats * btcUsd) / 100_000_000
}
