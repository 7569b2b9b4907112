import { expect } from 'vitest'
import { z } from 'zod'
import { createInvoice, Receipt } from '#contracts/payments.ts'
import { requestedPauses, type Clock } from '#server/kit/time.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { shareByFile } from './once-for-file.ts'
import { NORMAL, ledgerWallet, type LedgerWallet } from './stand-ins/ledger-wallet.ts'
import { standInLedger, type Ledger } from './stand-ins/ledger.ts'
import { testApp, type TestApp } from './test-app.ts'
import { until } from './waiting.ts'

export const NOON = Date.parse('2026-11-20T12:00:00Z')
export const MINUTE = 60_000

export const SUBMISSION = {
  expert_name: 'Expert A',
  twitter_handle: '@expert_a',
  nostr_npub: '',
  prediction_type: 'target',
  target_time: '2027-12-31',
  submitter_email: '',
  notes: 'They said so.',
  source_url: 'https://example.org/said',
  asset_type: 'btc',
  price_prediction: '$150,000',
  price_min: null,
  price_max: null,
}

export const Failed = z.object({
  error: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})
export const State = z.object({
  paid: z.boolean(),
  status: z.string(),
  late: z.boolean(),
  overpaid: z.boolean(),
  checked: z.boolean(),
})

/** More than any test needs. */
export const NO_LIMITS = {
  mostAnAddress: 1_000_000,
  mostOpenAnAddress: 1_000_000,
  mostAPrefix: 1_000_000,
  mostOpenAPrefix: 1_000_000,
  mostAMinute: 1_000_000,
  mostOpen: 1_000_000,
}

export type World = TestApp & {
  readonly clock: Clock & { ms: number }
  readonly ledger: Ledger
  readonly wallet: LedgerWallet
}

type Options = NonNullable<Parameters<typeof testApp>[0]>

/** A site with a wallet in memory and its own clock. */
export async function world(
  options: Options = {},
  walletOverrides: Partial<Wallet> = {},
): Promise<World> {
  const clock = {
    ms: NOON,
    now: () => clock.ms,
  }
  const ledger = standInLedger(clock.now)
  const wallet = ledgerWallet(ledger, walletOverrides)
  const app = await testApp({
    clock,
    ...options,
    ports: { wallet, ...options.ports },
    options: { payments: NO_LIMITS, ...options.options },
  })
  return Object.assign(app, { clock, ledger, wallet })
}

/** The same for all tests of a file or `describe`: each begins with the rows made by `prepare`, at noon. */
export function sharedWorld(
  options: Options | (() => Options) = {},
  walletOverrides: Partial<Wallet> = {},
  prepare: (site: World) => Promise<unknown> = async () => {},
): World {
  let made: Partial<LedgerWallet> = {}
  let limiter: object = {}
  return shareByFile(
    async () => {
      const site = await world(typeof options === 'function' ? options() : options, walletOverrides)
      await prepare(site)
      made = { ...site.wallet }
      ;({ limiter } = site.payments.payments)
      return site
    },
    (site) => site,
    (site) => {
      site.clock.ms = NOON
      site.ledger.entries.clear()
      site.ledger.lies = {}
      Object.assign(site.wallet, made)
      Object.assign(site.wallet.behaviour, NORMAL)
      const { checks } = site.payments.payments
      Object.assign(site.payments.payments, { limiter })
      Object.assign(checks, { failures: 0, pauses: requestedPauses(site) })
    },
  )
}

/** Starts to watch invoices, and waits until the wallet is known to accept payments. */
export async function watching({ payments, ledger }: World): Promise<void> {
  payments.start()
  await until(() => ledger.entries.size === 1 && !payments.walletHealth.isChecking())
}

export function look({ jobs }: TestApp): Promise<void> {
  return jobs.drain('invoices-open', 'invoices-over')
}

let callers = 0

/** A call from a new address, as limits by address are not tested here. */
export async function call(
  { app }: TestApp,
  method: 'GET' | 'POST',
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  callers += 1
  const answer = await app.inject({
    method,
    url,
    headers,
    remoteAddress: `10.${String((callers >> 8) & 255)}.${String(callers & 255)}.${String(callers >> 16)}`,
    ...(body ? { payload: body } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}

export type Ordered = z.infer<typeof createInvoice.reply>

type Try = {
  readonly amount?: unknown
  readonly receipt?: string
  readonly key?: string
  readonly data?: object
}

/** Requests an invoice of 21 sats, which may be refused. */
export function tryOrder(on: TestApp, { amount = 21, receipt, key, data }: Try = {}) {
  const body = { amount, submissionData: { ...SUBMISSION, ...data }, receipt }
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  return call(on, 'POST', createInvoice.path, body, headers)
}

export async function order(on: TestApp, input: Try = {}): Promise<Ordered> {
  const { status, body } = await tryOrder(on, input)
  expect([status, body]).toMatchObject([200, {}])
  return createInvoice.reply.parse(body)
}

export async function check(on: TestApp, made: Ordered): Promise<z.infer<typeof State>> {
  const url = `/api/payments/check-payment/${made.invoice.checking_id}`
  return State.parse((await call(on, 'GET', url)).body)
}

/** Pays it, and looks it up two seconds later. */
export async function payNow(on: World, made: Ordered): Promise<z.infer<typeof State>> {
  on.ledger.pay(made.invoice.payment_request)
  on.clock.ms += 2_000
  return check(on, made)
}

export async function receipt(on: TestApp, made: Ordered): Promise<Receipt> {
  return Receipt.parse((await call(on, 'GET', `/api/v1/receipts/${made.receipt.token}`)).body)
}

export async function submissions(on: TestApp): Promise<string[]> {
  const rows = await on.sql('select status from submissions order by created_at, id')
  return rows.map((row) => row.status)
}
