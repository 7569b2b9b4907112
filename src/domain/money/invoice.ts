import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { timingOf, type Claim, type Timing } from '#domain/claim/claim.ts'
import { type PredictionType, claimType } from '#domain/claim/fields.ts'
import { beforeLevel, DATE_WORD, showClaim } from '#domain/claim/text.ts'
import { showCount } from '#domain/price-text.ts'
import { readBolt11, type Bolt11, type Network } from './bolt11.ts'

/** The limits of a payment for a submission, sats (public-site.md §9, decisions.md §4). */
export const MIN_SATS = 1
export const MAX_SATS = 100_000
export const DEFAULT_SATS = 1
export const QUICK_PICKS = [1, 21, 500, 1_000, 2_100] as const

/** Expiry of an invoice: as long as the page polls for its payment, 300 times every 2 seconds. */
export const INVOICE_SECONDS = 600
/** How long after its expiry an invoice is still checked: payments may arrive late. */
const CHECK_AFTER_MS = 48 * 3_600_000
/** Minimum time to check an invoice whose expiry we could not choose, as with a Lightning address. */
const CHECK_UNCHOSEN_MS = 7 * 86_400_000
/** Wallet name recorded for demonstration payments; their sats are worth nothing. */
export const DEMONSTRATION = 'demonstration'
/** USD per sat while no price is known. */
const FALLBACK_USD_PER_SAT = 0.001

export const PAYMENT_PURPOSES = [
  /** Brings a submission into review and supports the resulting prediction. */
  'submission',
  'boost',
  /** Sent to the site's Lightning address; supports the site. */
  'support',
  /** A NIP-57 zap; supports the prediction it names, otherwise the site. */
  'zap',
  /** The deposit for an error report, required by earlier versions. */
  'report',
] as const
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number]

export const INVOICE_STATUSES = [
  /** The wallet is creating an invoice; no payer has seen it. */
  'creating',
  'pending',
  'expired',
  'cancelled',
  'paid',
  'paid_late',
  /** Paid after another attempt had already paid the submission; the only state that an administrator refunds. */
  'overpaid',
  /** The wallet returned no invoice or a wrong one. No payer has seen it. */
  'failed',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

// Expired and cancelled invoices may still be paid: polling stops, the network does not. An expired one may even have
// been paid in time, by the wallet's clock.
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

/** States that may change to `to`, for the update's condition in the database. */
export function statesBefore(to: InvoiceStatus): InvoiceStatus[] {
  return INVOICE_STATUSES.filter((from) => mayBecome(from, to))
}

export function isPaid(status: InvoiceStatus): boolean {
  return status === 'paid' || status === 'paid_late' || status === 'overpaid'
}

export function mayBePaid(status: InvoiceStatus): boolean {
  return mayBecome(status, 'overpaid')
}

/** Parses a whole number of sats within the limits. @returns the amount, or a message */
export function readSats(value: unknown, { min, max }: { min: number; max: number }) {
  const sats = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
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
  /** Required hex SHA-256 instead of a memo; null accepts any. */
  readonly descriptionHash?: string | null
}

/** A longer expiry is a wallet's mistake; its end might not even be a valid date. */
const LONGEST_SECONDS = 366 * 86_400
/** How far a wallet's clock may differ; generous, because ours may be the wrong one. */
const CLOCK_TOLERANCE_MS = 24 * 3_600_000
/** A payer needs time to open a wallet and press a button. */
const LEAST_LEFT_MS = 60_000
/** Maximum age of an invoice on arrival from a slow wallet; older means that the wallet's clock is behind. */
const SLOW_WALLET_MS = 15_000

/** @param paymentHash as reported by the wallet @returns the decoded invoice, or a message */
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
  if (read.msat !== ask.sats * 1_000) return 'The wallet sent an invoice for a different amount.'
  if (paymentHash !== null && read.paymentHash !== paymentHash.toLowerCase()) {
    return 'The wallet sent an invoice for a different payment.'
  }
  if (ask.descriptionHash != null && read.descriptionHash !== ask.descriptionHash) {
    return 'The wallet sent an invoice without the hash of what it is for.'
  }
  // If a wallet sets a longer expiry than requested, the page stops polling long before it; the server goes on checking.
  if (read.expirySeconds < ask.expirySeconds / 2) {
    return 'The wallet sent an invoice that expires too soon.'
  }
  if (read.expirySeconds > LONGEST_SECONDS) {
    return 'The wallet sent an invoice that is valid for more than a year.'
  }
  if (Math.abs(read.createdMs - nowMs) > CLOCK_TOLERANCE_MS) {
    return 'The wallet sent an invoice dated another day; its clock or ours is wrong.'
  }
  if (invoiceEndsMs(read) - nowMs < LEAST_LEFT_MS) {
    return 'The wallet sent an invoice that has expired or is about to; its clock or ours is wrong.'
  }
  return read
}

/** When wallets treat an invoice as expired, milliseconds since 1970. */
export function invoiceEndsMs({ createdMs, expirySeconds }: Bolt11): number {
  return createdMs + expirySeconds * 1_000
}

/** When our page stops showing an invoice, milliseconds since 1970: after ten minutes, or earlier if it expires. */
export function pageEndsMs(invoice: Bolt11, nowMs: number): number {
  const ours = nowMs + Math.min(invoice.expirySeconds, INVOICE_SECONDS) * 1_000
  const theirs = invoiceEndsMs(invoice)
  return theirs + SLOW_WALLET_MS < ours ? theirs : ours
}

/** Received and requested amounts, millisats. */
export type Arrival = {
  /** Null if the wallet does not report it. */
  readonly receivedMsat: number | null
  readonly missingMsat: number
  readonly extraMsat: number
  /** Whole sats that count as support: received sats, up to the requested amount. */
  readonly countedSats: number
}

/** Millisats as sats: `20.999`. */
export function showMsat(msat: number): string {
  return (msat / 1_000).toLocaleString('en-US', { maximumFractionDigits: 3 })
}

/** @param reportedMsat as reported by the wallet; may be invalid */
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

/** When checks stop, milliseconds since 1970: 48 hours after the invoice expires for wallets and our page. @param endsMs of our page */
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

/** Longest pauses between checks of an invoice no longer shown: in the first two days, and after that. */
const LONGEST_PAUSE_MS = 30 * 60_000
const LONGEST_LATE_PAUSE_MS = 2 * 3_600_000

/** Delay in milliseconds; null once no more checks are needed. @param age since creation @param left until the page stops polling @param rest until `checkUntilMs` */
export function nextCheckMs(age: number, left: number, rest: number): number | null {
  if (rest < 0) return null
  if (left > 0) return Math.min(age < 120_000 ? 2_000 : 5_000, left + 250)
  const since = -left
  if (since < 60_000) return 10_000
  const longest = since < CHECK_AFTER_MS ? LONGEST_PAUSE_MS : LONGEST_LATE_PAUSE_MS
  // The last check comes right after the end.
  return Math.min(Math.max(60_000, since / 10), longest, rest + 250)
}

/** An invoice for a QR code: upper case makes a simpler code, and wallets accept both. */
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

/** UTF-16 units; phoenixd has the lowest limit of all known wallets. */
const MOST = 128
const LONGEST_NAME = 48
const BEFORE_ID = ' · '

/** `Proof of Price: Jane Doe BTC $150,000 by 2027-12-31 · 1a2b3c4d` @param id of the payment; its first characters end the memo */
export function memoOf(
  submission: {
    readonly expertName: string
    readonly asset: AssetKey
    readonly predictionType: PredictionType
    readonly pricePrediction: string
    readonly timing: Timing
    /** Such as 2027-12-31. */
    readonly targetTime: string
  },
  id: string,
): string {
  const { asset, predictionType: type, pricePrediction, timing, targetTime } = submission
  const name = nameIn(submission.expertName)
  const what = `${ASSETS[asset].symbol} ${beforeLevel(claimType(type), timing)}${pricePrediction}`
  return memo(`${name} ${what} ${DATE_WORD[timing]} ${targetTime}`, id)
}

/** A memo for support: `Proof of Price: boost of Jane Doe BTC $150,000 · 1a2b3c4d`. @param of null for the site itself */
export function supportMemo(
  of: {
    readonly expert: { readonly name: string }
    readonly asset: AssetKey
    readonly statedClaim: Claim
  } | null,
  id: string,
): string {
  if (!of) return memo('support of the site', id)
  const what = `${ASSETS[of.asset].symbol} ${beforeLevel(of.statedClaim.type, timingOf(of.statedClaim))}${showClaim(of.statedClaim)}`
  return memo(`boost of ${nameIn(of.expert.name)} ${what}`, id)
}

function memo(text: string, id: string): string {
  return fitMemo(`Proof of Price: ${text}${BEFORE_ID}${id.slice(0, 8)}`, MOST)
}

function nameIn(name: string): string {
  return cut(name.replace(/[\s\p{Cc}]+/gu, ' ').trim(), LONGEST_NAME)
}

/** Shortens a memo to `most` UTF-16 units; the id at its end is cut last. */
export function fitMemo(memo: string, most: number): string {
  if (memo.length <= most) return memo
  const at = memo.lastIndexOf(BEFORE_ID)
  const id = at < 0 ? '' : memo.slice(at)
  return id.length < most ? cut(memo.slice(0, memo.length - id.length), most - id.length) + id : ''
}

/** As many whole characters as fit, with `…` if some are cut. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  let start = ''
  for (const character of text) {
    if (start.length + character.length > most - 1) break
    start += character
  }
  return `${start.trimEnd()}…`
}
