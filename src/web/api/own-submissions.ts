import { z } from 'zod'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { jsonOf } from './page-stream.ts'
import { storeSubmissions, storedSubmissions } from './stored-submissions.ts'

const Invoice = z.object({
  bolt11: z.string(),
  checkingId: z.string(),
  sats: z.number(),
  /** By this machine's clock, ms since 1970. */
  endsAt: z.number(),
  demonstration: z.boolean().catch(false),
  token: z.string(),
})
export type OpenInvoice = Readonly<z.infer<typeof Invoice>>

/** A submission started in this browser, keyed by its receipt token. */
const Own = z.object({
  token: z.string(),
  asset: z.enum(ASSET_KEYS),
  /** Title: `Expert A: $150,000` */
  what: z.string(),
  /** Result of `contentOf`; null once paid, as it is no longer compared. */
  content: z.string().nullable().catch(null),
  /** The invoice shown last; null when paid or cancelled. */
  invoice: Invoice.nullable().catch(null),
  isNoteClosed: z.boolean().catch(false),
  /** ms since 1970. */
  at: z.number(),
})
export type OwnSubmission = Readonly<z.infer<typeof Own>>

export const LEAST_LEFT_MS = 15_000

const MOST = 50
const STORED_MS = 90 * 86_400_000

/** Submissions started in any tab of this browser, newest first. */
export function ownSubmissions(): readonly OwnSubmission[] {
  const all = jsonOf(storedSubmissions())
  const read = Array.isArray(all) ? all.flatMap((one) => Own.safeParse(one).data ?? []) : []
  return read.filter((one) => one.at > Date.now() - STORED_MS)
}

export function unpaidOf(asset: AssetKey): readonly OwnSubmission[] {
  return ownSubmissions().filter((one) => one.asset === asset && one.content !== null)
}

/**
 * The stored attempt to pay for exactly this content.
 *
 * @param content result of `contentOf`
 */
export function tryOf(asset: AssetKey, content: string): OwnSubmission | null {
  return unpaidOf(asset).find((one) => one.content === content) ?? null
}

export function openInvoiceOf(one: OwnSubmission | null): OpenInvoice | null {
  return one?.invoice && one.invoice.endsAt - Date.now() > LEAST_LEFT_MS ? one.invoice : null
}

export function noteTry(
  submission: Pick<OwnSubmission, 'asset' | 'what' | 'content'> & { readonly invoice: OpenInvoice },
): void {
  const { token } = submission.invoice
  const others = ownSubmissions().filter((one) => one.token !== token)
  keep([{ ...submission, token, isNoteClosed: false, at: Date.now() }, ...others])
}

export function noteInvoice(invoice: OpenInvoice): void {
  change(invoice.token, { invoice, isNoteClosed: false })
}

export function notePaid(token: string): void {
  change(token, { content: null, invoice: null })
}

/** Removes an invoice, but not a newer one that another tab made for the same submission. */
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

export function forget(token: string): void {
  const all = ownSubmissions()
  const left = all.filter((one) => one.token !== token)
  if (left.length < all.length) keep(left)
}

/** Runs the task in one tab at a time, where locks exist; unencrypted pages have none. */
export function oneAtATime(name: string, task: () => Promise<void>): Promise<void> {
  const locks = 'locks' in navigator ? navigator.locks : undefined
  return locks ? locks.request(name, task) : task()
}

function change(token: string, changed: Partial<OwnSubmission>): void {
  const all = ownSubmissions()
  if (!all.some((one) => one.token === token)) return
  keep(all.map((one) => (one.token === token ? { ...one, ...changed } : one)))
}

function keep(all: readonly OwnSubmission[]): void {
  storeSubmissions(JSON.stringify(all.slice(0, MOST)))
}
