import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type z } from 'zod'
import { receiptPath } from '#contracts/paths.ts'
import { IDEMPOTENCY_HEADER, IdempotencyKey, type createInvoice } from '#contracts/payments.ts'
import * as invoices from '#domain/money/invoice.ts'
import { type Db, isConstraintError } from '#server/kit/db.ts'
import { failure, invalid, SourceError } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { MINUTE_MS, type RateLimit, type Limiter } from '#server/kit/limiter.ts'
import { isoNow } from '#server/kit/time.ts'
import { type Tokens, sha256 } from '#server/kit/tokens.ts'
import { type InvoiceChecks } from './check-invoice.service.ts'
import { type InvoiceWatch } from './payments.jobs.ts'
import { type Payment } from './payments.rows.ts'
import * as store from './payments.store.ts'
import { type InvoiceOrder, type Wallet, type WalletInvoice } from './ports.ts'
import { PURPOSES } from './purposes.ts'
import { type WalletHealth } from './wallet-health.service.ts'

export type PaymentsKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly walletHealth: WalletHealth
  readonly checks: InvoiceChecks
  readonly limiter: PaymentLimiter
  readonly announce: InvoiceWatch['announce']
  readonly minSats: number
  readonly tokens: Tokens
  /** Where a wallet may send hints about a payment; null if it cannot reach us. */
  readonly hintUrl: (checkingId: string) => string | null
}

export type PaymentLimits = typeof PAYMENT_LIMITS

export const PAYMENT_LIMITS = {
  minSats: invoices.MIN_SATS as number,
  mostAnAddress: 12,
  mostOpenAnAddress: 10,
  /** Limit for all addresses of a prefix together: see `prefixOf`. */
  mostAPrefix: 30,
  mostOpenAPrefix: 40,
  mostAMinute: 120,
  mostOpen: 1_000,
}

const OPEN = { withinMs: invoices.INVOICE_SECONDS * 1_000, still: store.ENTRY_IS_OPEN } as const
const HERE =
  'Too many invoices have been requested from here. Please pay or cancel one, or wait a few minutes.'
const ALL = 'Many people are submitting at the moment. Please wait a minute.'

type PaymentLimiter = ReturnType<typeof paymentLimiter>

export function paymentLimiter(
  { db, limiter }: { db: Db; limiter: Limiter },
  limits: Omit<PaymentLimits, 'minSats'>,
) {
  const lately = { withinMs: MINUTE_MS }
  const limit: RateLimit = {
    name: 'payments',
    shares: [
      { of: 'network', most: limits.mostAnAddress, message: HERE, ...lately },
      { of: 'network', most: limits.mostOpenAnAddress, message: HERE, ...OPEN },
      { of: 'prefix', most: limits.mostAPrefix, message: HERE, ...lately },
      { of: 'prefix', most: limits.mostOpenAPrefix, message: HERE, ...OPEN },
      { of: 'all', most: limits.mostAMinute, message: ALL, ...lately },
      { of: 'all', most: limits.mostOpen, message: ALL, ...OPEN },
    ],
  }
  return {
    /** @throws AppError `too_many` with a retry time */
    async admit(
      address: string,
      begin: (tx: Db) => Promise<Payment | null>,
    ): Promise<Payment | null> {
      await limiter.refuse(db, limit, { address })
      let begun: Payment | null = null
      const count = async (tx: Db) => (begun = await begin(tx))?.id ?? null
      await db.transaction((tx) => limiter.enter(tx, limit, { address }, () => count(tx)))
      return begun
    },
  }
}

/** Time limit for a wallet while a payer is waiting. */
export const INVOICE_WITHIN_MS = 15_000
const NO_INVOICE = 'Failed to create payment invoice. Please try again.'

/** Stores the invoice before it is shown. @throws AppError `unavailable` after marking the payment as failed */
async function makeInvoice(kit: PaymentsKit, wallet: Wallet, payment: Payment) {
  const { db, log, tokens, hintUrl, walletHealth } = kit
  const { id, sats } = payment
  const { memo, hashed } = await PURPOSES[payment.purpose].describe(db, payment)
  const order = { id, sats, memo, hashed, expirySeconds: invoices.INVOICE_SECONDS }
  try {
    const input = await wallet.createInvoice(
      { ...order, hintUrl: hintUrl(tokens.checking(id)) },
      AbortSignal.timeout(INVOICE_WITHIN_MS),
    )
    return await show(kit, wallet, order, input)
  } catch (error) {
    const message =
      error instanceof SourceError ? error.message : 'The invoice could not be stored.'
    await store.failPayment(db, id, message)
    if (!(error instanceof SourceError)) throw error
    log.error({ payment: id, wallet: wallet.name }, `No invoice could be created. ${message}`)
    walletHealth.doubt()
    throw failure('unavailable', NO_INVOICE)
  }
}

async function show(
  { db, clock, announce }: PaymentsKit,
  { network, isLifeChosen }: Wallet,
  { hashed = null, ...order }: Omit<InvoiceOrder, 'hintUrl'>,
  input: WalletInvoice,
): Promise<store.InvoicedPayment> {
  const now = clock.now()
  const read = invoices.checkInvoice(
    input.bolt11,
    input.paymentHash,
    { ...order, network, descriptionHash: hashed === null ? null : sha256(hashed) },
    now,
  )
  if (typeof read === 'string') throw new SourceError('nonsense', read)
  const ends = {
    endsMs: invoices.pageEndsMs(read, now),
    walletEndsMs: invoices.invoiceEndsMs(read),
  }
  const watchMs = invoices.checkUntilMs({ createdMs: now, ...ends, isLifeChosen })
  const nextMs = invoices.nextCheckMs(0, ends.endsMs - now, watchMs - now) ?? 0
  const save = async (tx: Db): Promise<Payment | null> => {
    await announce(tx, {}, nextMs / 1_000)
    return store.showInvoice(tx, order.id, {
      walletRef: input.ref,
      bolt11: input.bolt11,
      paymentHash: read.paymentHash,
      expiresAt: isoOf(ends.endsMs),
      walletExpiresAt: isoOf(ends.walletEndsMs),
      watchUntil: isoOf(watchMs),
      nextLookAt: isoOf(now + nextMs),
    })
  }
  const visible = await db.transaction(save).catch((error: unknown) => {
    if (!isConstraintError(error)) throw error
    throw new SourceError('nonsense', 'The wallet sent an invoice that it had sent before.')
  })
  if (!visible || !store.hasInvoice(visible))
    throw new SourceError('down', 'The wallet answered too late.')
  return visible
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

type InvoiceAnswer = z.input<typeof createInvoice.reply>

export type Caller = {
  /** Repeating a key with the same body returns the same invoice; null disables this. */
  readonly idempotencyKey: string | null
  readonly address: string
}

type Request = { readonly headers: Readonly<Record<string, unknown>>; readonly ip: string }

export function callerOf({ headers, ip }: Request): Caller {
  return { idempotencyKey: idempotencyKeyOf({ headers }), address: ip }
}

/** @throws AppError `invalid` for a malformed key */
export function idempotencyKeyOf({ headers }: Pick<Request, 'headers'>): string | null {
  const input = headers[IDEMPOTENCY_HEADER]
  if (input === undefined) return null
  const key = IdempotencyKey.safeParse(input)
  if (key.success) return key.data
  throw failure('invalid', 'An Idempotency-Key has 16 to 200 letters, digits or signs of _.:-')
}

type Order = {
  readonly amount: unknown
  /** SHA-256 of the request. */
  readonly fingerprint: string
  /** Validates before anything is written. @throws AppError */
  readonly prepare: () => Promise<Begin | store.PaidFor>
}

/** Stores what is paid for, then the payment with `add`, which returns false if its Idempotency-Key was used meanwhile. */
export type Begin = (tx: Db, add: (of: store.PaidFor) => Promise<boolean>) => Promise<unknown>

/** A payment without an invoice after this never gets one, as the wallet's time limit is over. */
const CREATED_WITHIN_MS = INVOICE_WITHIN_MS + 2_000

/** Begins a payment of any purpose, stored before the wallet is called; its invoice is stored before it is shown. */
export async function orderPayment(kit: PaymentsKit, request: Order, by: Caller) {
  const { tokens } = kit
  const { fingerprint } = request
  const idempotencyHash = by.idempotencyKey === null ? null : tokens.hash(by.idempotencyKey)
  // A repeated request gets the same response, whatever the wallet's state.
  const before = await replay(kit, idempotencyHash, fingerprint)
  if (before) return before
  const made = await newInvoice(kit, { ...request, idempotencyHash }, by.address)
  if (made) return answer(kit, made)
  const same = await replay(kit, idempotencyHash, fingerprint)
  if (!same) throw failure('unavailable', NO_INVOICE)
  return same
}

/** @returns null if the same Idempotency-Key was used concurrently */
export async function newInvoice(
  kit: PaymentsKit,
  order: Order & Pick<store.NewPayment, 'idempotencyHash'>,
  address: string,
): Promise<store.InvoicedPayment | null> {
  const { walletHealth, tokens, minSats } = kit
  const { amount, fingerprint, idempotencyHash, prepare } = order
  const wallet = await walletHealth.open()
  const sats = invoices.readSats(amount, { min: minSats, max: invoices.MAX_SATS })
  if (typeof sats === 'string') throw invalid({ amount: sats })
  const paidFor = await prepare()
  const { name, network } = wallet
  const payment = await kit.limiter.admit(address, async (tx) => {
    const id = randomUUID()
    const values = {
      id,
      checkingHash: tokens.hash(tokens.checking(id)),
      createdAt: isoNow(kit),
      idempotencyHash,
      fingerprint,
      sats,
      wallet: name,
      walletPrint: walletHealth.print,
      network,
    }
    let added: Payment | null = null
    const add = async (of: store.PaidFor) =>
      (added = await store.addPayment(tx, { ...values, ...of })) !== null
    await (typeof paidFor === 'function' ? paidFor(tx, add) : add(paidFor))
    return added
  })
  return payment && makeInvoice(kit, wallet, payment)
}

/** @returns the response for the same Idempotency-Key, possibly after waiting; null if its process has died */
async function replay(kit: PaymentsKit, hash: string | null, fingerprint: string) {
  const { db, clock } = kit
  const first = hash && (await store.paymentBy(db, 'idempotencyHash', hash))
  if (!first) return null
  if (first.fingerprint !== fingerprint) {
    throw failure('conflict', 'This Idempotency-Key was used for something else.')
  }
  const leftMs = Date.parse(first.createdAt) + CREATED_WITHIN_MS - clock.now()
  const until = performance.now() + Math.min(leftMs, CREATED_WITHIN_MS)
  let payment: Payment | null = first
  while (payment?.status === 'creating' && performance.now() < until) {
    await pause(100)
    payment = await store.paymentBy(db, 'id', first.id)
  }
  if (payment?.status === 'creating') {
    await store.failPayment(db, payment.id, 'The server stopped while it waited for the wallet.')
    return null
  }
  if (!payment || !store.hasInvoice(payment)) throw failure('unavailable', NO_INVOICE)
  return answer(kit, payment)
}

function answer({ clock, tokens }: PaymentsKit, payment: store.InvoicedPayment): InvoiceAnswer {
  const { id, submissionId } = payment
  const token = submissionId === null ? tokens.checking(id) : tokens.receipt(submissionId)
  return {
    invoice: {
      payment_request: payment.bolt11,
      payment_hash: payment.paymentHash,
      checking_id: tokens.checking(payment.id),
    },
    sats: payment.sats,
    expires_at: new Date(payment.expiresAt).toISOString(),
    expires_in_ms: Math.max(0, Math.round(Date.parse(payment.expiresAt) - clock.now())),
    demonstration: payment.wallet === invoices.DEMONSTRATION,
    receipt: { token, path: receiptPath(token) },
  }
}
