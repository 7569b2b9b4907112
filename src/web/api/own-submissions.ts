import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { keepSubmissions, keptSubmissions } from './kept-submissions.ts'

/** An invoice that waits for its sats. */
export type OpenInvoice = {
  readonly bolt11: string
  readonly checkingId: string
  readonly sats: number
  /** By the clock of this machine, milliseconds since 1970. */
  readonly endsAt: number
  readonly demonstration: boolean
  /** Opens the receipt. */
  readonly token: string
}

/** A submission that was begun in this browser. */
export type OwnSubmission = {
  /** Opens its receipt. */
  readonly token: string
  readonly asset: AssetKey
  /** `Ada Quant: $150,000` */
  readonly what: string
  /** What it says, by `contentOf`; null once it has been paid, as nothing more is to be compared. */
  readonly content: string | null
  /** The invoice that was shown last; null when it was paid or cancelled. */
  readonly invoice: OpenInvoice | null
  /** The note that leads back to the invoice was closed. */
  readonly isNoteClosed: boolean
  /** Milliseconds since 1970. */
  readonly at: number
}

/** With less time left an invoice is not offered, milliseconds. */
export const LEAST_LEFT_MS = 15_000

const MOST = 50
const KEPT_MS = 90 * 86_400_000

/** The submissions that were begun in this browser, newest first, in all of its tabs. */
export function ownSubmissions(): readonly OwnSubmission[] {
  return parsed(keptSubmissions()).filter((one) => one.at > Date.now() - KEPT_MS)
}

/** Those of an asset that are not known to have been paid. */
export function unpaidOf(asset: AssetKey): readonly OwnSubmission[] {
  return ownSubmissions().filter((one) => one.asset === asset && one.content !== null)
}

/** The attempt to pay for exactly this; all tabs share it. @param content by `contentOf` */
export function tryOf(asset: AssetKey, content: string): OwnSubmission | null {
  return unpaidOf(asset).find((one) => one.content === content) ?? null
}

/** The invoice of a submission while it can be paid. */
export function openInvoiceOf(one: OwnSubmission | null): OpenInvoice | null {
  return one?.invoice && one.invoice.endsAt - Date.now() > LEAST_LEFT_MS ? one.invoice : null
}

/** Keeps a submission whose invoice is shown. */
export function noteTry(
  given: Pick<OwnSubmission, 'asset' | 'what' | 'content'> & { readonly invoice: OpenInvoice },
): void {
  const { token } = given.invoice
  const others = ownSubmissions().filter((one) => one.token !== token)
  keep([{ ...given, token, isNoteClosed: false, at: Date.now() }, ...others])
}

/** A further invoice for a submission that may have been begun here. */
export function noteInvoice(invoice: OpenInvoice): void {
  change(invoice.token, { invoice, isNoteClosed: false })
}

/** Notes that it has been paid. */
export function notePaid(token: string): void {
  change(token, { content: null, invoice: null })
}

/** Stops showing an invoice; a newer one of the same submission, which another tab may have made, stays. */
export function noteCancelled({
  token,
  checkingId,
}: Pick<OpenInvoice, 'token' | 'checkingId'>): void {
  const own = ownSubmissions().find((one) => one.token === token)
  if (own?.invoice?.checkingId === checkingId) change(token, { invoice: null })
}

export function closeNote(token: string): void {
  change(token, { isNoteClosed: true })
}

/** Removes a submission that the server does not know. */
export function forget(token: string): void {
  const all = ownSubmissions()
  const left = all.filter((one) => one.token !== token)
  if (left.length < all.length) keep(left)
}

/**
 * Runs a task while no other tab runs one of this name, where the browser can know that; pages without encryption cannot.
 */
export function inTurn(name: string, task: () => Promise<void>): Promise<void> {
  const locks = 'locks' in navigator ? navigator.locks : undefined
  return locks ? locks.request(name, task) : task()
}

function change(token: string, changed: Partial<OwnSubmission>): void {
  const all = ownSubmissions()
  if (!all.some((one) => one.token === token)) return
  keep(all.map((one) => (one.token === token ? { ...one, ...changed } : one)))
}

function keep(all: readonly OwnSubmission[]): void {
  keepSubmissions(JSON.stringify(all.slice(0, MOST)))
}

function parsed(text: string): readonly OwnSubmission[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.flatMap((one) => readOne(one) ?? []) : []
  } catch {
    return []
  }
}

function readOne(value: unknown): OwnSubmission | null {
  if (!isRecord(value)) return null
  const { token, what, content, at } = value
  const asset = ASSET_KEYS.find((key) => key === value['asset'])
  if (typeof token !== 'string' || typeof what !== 'string' || typeof at !== 'number') return null
  if (!asset) return null
  return {
    token,
    asset,
    what,
    content: typeof content === 'string' ? content : null,
    invoice: invoiceIn(value['invoice'], token),
    isNoteClosed: value['isNoteClosed'] === true,
    at,
  }
}

function invoiceIn(value: unknown, token: string): OpenInvoice | null {
  if (!isRecord(value)) return null
  const { bolt11, checkingId, sats, endsAt, demonstration } = value
  if (typeof bolt11 !== 'string' || typeof checkingId !== 'string') return null
  if (typeof sats !== 'number' || typeof endsAt !== 'number') return null
  return { bolt11, checkingId, sats, endsAt, demonstration: demonstration === true, token }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
