import {
  checkInvoice,
  INVOICE_SECONDS,
  invoiceEndsMs,
  nextCheckMs,
  pageEndsMs,
  checkUntilMs,
} from '#domain/money/invoice.ts'
import { memoOf, reportMemo, supportMemo } from '#domain/money/memo.ts'
import { failure } from '#server/kit/failure.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type Wallet, type WalletInvoice } from './ports.ts'
import { isConstraintError, type Db } from '#server/kit/db.ts'
import {
  failPayment,
  isShown,
  paymentById,
  showInvoice,
  type ShownPayment,
} from './payments.store.ts'
import { predictionById } from '#server/predictions/predictions.rows.ts'
import { submissionById } from '#server/submissions/submissions.rows.ts'
import { type PaymentsKit } from './payments-kit.ts'

/** A wallet gets so long to answer a payer who waits. */
export const INVOICE_WITHIN_MS = 15_000
export const NO_INVOICE = 'Failed to create payment invoice. Please try again.'

/**
 * Makes the invoice of a payment that has been begun. The invoice is saved before anyone sees it.
 *
 * @throws AppError `unavailable` when the wallet gives none that can be shown; the payment has failed then
 */
export async function makeInvoice(
  kit: PaymentsKit,
  wallet: Wallet,
  { id, sats }: { readonly id: string; readonly sats: number },
): Promise<ShownPayment> {
  const { db, log, tokens, hintUrl, walletHealth } = kit
  const { memo, hashed } = await textsFor(db, id)
  const order = { id, sats, memo, hashed, expirySeconds: INVOICE_SECONDS }
  try {
    const given = await wallet.createInvoice(
      { ...order, hintUrl: hintUrl(tokens.checking(id)) },
      AbortSignal.timeout(INVOICE_WITHIN_MS),
    )
    return await show(kit, wallet, order, given)
  } catch (error) {
    const said = error instanceof SourceError ? error.message : 'The invoice could not be stored.'
    await failPayment(db, id, said)
    if (!(error instanceof SourceError)) throw error
    log.error({ payment: id, wallet: wallet.name }, `No invoice could be made. ${said}`)
    walletHealth.doubt()
    throw failure('unavailable', NO_INVOICE)
  }
}

/** The memo of an invoice, and what its hash is of where it has that instead. */
async function textsFor(
  db: Db,
  paymentId: string,
): Promise<{ readonly memo: string; readonly hashed: string | null }> {
  const payment = await paymentById(db, paymentId)
  const { submissionId = null, predictionId = null, reportNumber = null } = payment ?? {}
  if (submissionId !== null) {
    const of = await submissionById(db, submissionId)
    if (!of) throw new Error('a payment for a submission that is not there')
    return { memo: memoOf(of, paymentId), hashed: null }
  }
  if (reportNumber !== null) return { memo: reportMemo(reportNumber, paymentId), hashed: null }
  const of = predictionId === null ? null : await predictionById(db, predictionId)
  return { memo: supportMemo(of, paymentId), hashed: payment?.description ?? null }
}

/** Compares what the wallet gave with what it was asked for, and writes it down. */
async function show(
  { db, clock }: PaymentsKit,
  { network, isLifeChosen }: Wallet,
  {
    hashed,
    ...order
  }: {
    readonly id: string
    readonly sats: number
    readonly hashed: string | null
    readonly expirySeconds: number
  },
  given: WalletInvoice,
): Promise<ShownPayment> {
  const now = clock.now()
  const read = checkInvoice(
    given.bolt11,
    given.paymentHash,
    { ...order, network, descriptionHash: hashed === null ? null : sha256(hashed) },
    now,
  )
  if (typeof read === 'string') throw new SourceError('nonsense', read)
  const ends = { endsMs: pageEndsMs(read, now), walletEndsMs: invoiceEndsMs(read) }
  const watchMs = checkUntilMs({ createdMs: now, ...ends, isLifeChosen })
  const shown = await showInvoice(db, order.id, {
    walletRef: given.ref,
    bolt11: given.bolt11,
    paymentHash: read.paymentHash,
    expiresAt: isoOf(ends.endsMs),
    walletExpiresAt: isoOf(ends.walletEndsMs),
    watchUntil: isoOf(watchMs),
    nextLookAt: isoOf(now + (nextCheckMs(0, ends.endsMs - now, watchMs - now) ?? 0)),
  }).catch((error: unknown) => {
    if (!isConstraintError(error)) throw error
    throw new SourceError('nonsense', 'The wallet sent an invoice that it had sent before.')
  })
  if (!shown || !isShown(shown)) throw new SourceError('down', 'The wallet answered too late.')
  return shown
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
