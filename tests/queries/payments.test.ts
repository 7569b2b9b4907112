import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { reports } from '#server/database/schema/reports.ts'
import { payments, submissions } from '#server/database/schema/submissions.ts'
import { type Db } from '#server/kit/db.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { tokenMaker } from '#server/kit/tokens.ts'
import { stateCounts } from '#server/operations/jobs.store.ts'
import { checkNow, invoiceChecks } from '#server/payments/check-invoice.service.ts'
import { watchInvoices } from '#server/payments/payments.jobs.ts'
import { type InvoicedPayment, makeDue, markPaid } from '#server/payments/payments.store.ts'
import { receiptService } from '#server/payments/receipts.service.ts'
import { rolledBack, onRecord } from '#tests/support/rolled-back.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { patiently, until } from '#tests/support/waiting.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const HOUR_MS = 3_600_000
const inMs = (ms: number) => new Date(NOON + ms).toISOString()

function payment(id: number): InvoicedPayment {
  return {
    id: `00000000-0000-4000-8000-00000000000${String(id)}`,
    wallet: 'ledger',
    walletPrint: null,
    createdAt: inMs(0),
    expiresAt: inMs(600_000),
    watchUntil: inMs(900_000),
    lastError: null,
  } as InvoicedPayment
}

const checksBy = (db: Db, clock: { now: () => number }, lookUp: unknown, doubt = () => {}) =>
  invoiceChecks({
    db,
    clock,
    log: SILENT,
    walletHealth: { wallet: { name: 'ledger', lookUp }, print: null, doubt } as never,
  })

it('a shorter requested wait does not end a longer one of the same wallet', () =>
  rolledBack(async (db) => {
    const clock = { ms: NOON, now: () => clock.ms }
    const answers: ((error: SourceError) => void)[] = []
    const lookUp = () =>
      new Promise((_, refuse) => {
        answers.push(refuse)
        if (answers.length > 2) refuse(new SourceError('busy', 'Wait.', 1_000))
      })
    const checks = checksBy(db, clock, lookUp)
    const both = [checkNow(checks, payment(1)), checkNow(checks, payment(2))]
    answers[0]?.(new SourceError('busy', 'Wait.', 60_000))
    await both[0]
    answers[1]?.(new SourceError('busy', 'Wait.', 1_000))
    await both[1]
    clock.ms += 30_000
    await checkNow(checks, payment(3))
    expect(answers).toHaveLength(2)
    clock.ms += 30_000
    await checkNow(checks, payment(3))
    expect(answers).toHaveLength(3)
  }))

it('a wallet is distrusted after consecutive failures only', () =>
  rolledBack(async (db) => {
    let [doubts, fails] = [0, true]
    const lookUp = async () => {
      if (fails) throw new SourceError('down', 'Away.')
      return { state: 'open' }
    }
    const checks = checksBy(db, { now: () => NOON }, lookUp, () => void (doubts += 1))
    const counts: number[] = []
    for (const isDown of [true, false, true, true, true]) {
      fails = isDown
      await checkNow(checks, payment(1))
      counts.push(doubts)
    }
    expect(counts).toEqual([0, 0, 0, 1, 1])
  }))

it('of two report deposits requested by an earlier version, the second is to be refunded', () =>
  rolledBack(async (db) => {
    await onRecord(db)
    const [report] = await db
      .insert(reports)
      .values({
        predictionId: 'a',
        kind: 'words',
        explanation: 'x',
        reportedAt: inMs(0),
        lastEvent: 0,
      })
      .returning()
    const made = await db
      .insert(payments)
      .values(
        ['one', 'two'].map((checkingHash) => ({
          id: randomUUID(),
          purpose: 'report' as const,
          reportNumber: report?.number ?? 0,
          checkingHash,
          walletRef: checkingHash,
          bolt11: checkingHash,
          paymentHash: checkingHash,
          expiresAt: inMs(0),
          walletExpiresAt: inMs(0),
          watchUntil: inMs(0),
          status: 'pending' as const,
          sats: 21,
          wallet: 'w',
          network: 'mainnet' as const,
          createdAt: inMs(0),
        })),
      )
      .returning()
    const arrival = {
      isLate: false,
      receivedMsat: 22_000,
      countedSats: 21,
      settledAt: null,
      paidAt: inMs(0),
    }
    const became = []
    for (const one of [...made, ...made]) became.push(await markPaid(db, one, arrival))
    expect(became.map((one) => one?.status ?? null)).toEqual(['paid', 'overpaid', null, null])
    const counts = (await stateCounts(db)).map(({ of, state, n }) => `${of} ${state} ${String(n)}`)
    const expected = ['payments paid 1', 'payments overpaid 1', 'odd payments open 2']
    expect(counts).toEqual(expect.arrayContaining(expected))
  }))

/** A paid submission whose receipt has the token `receipt`, with a confirmed address for notices. */
async function withReceipt(db: Db) {
  const tokens = tokenMaker('secret')
  await db.insert(submissions).values({
    id: '00000000-0000-4000-8000-000000000001',
    receiptHash: tokens.hash('receipt'),
    origin: 'admin',
    status: 'pending',
    asset: 'btc',
    expertName: 'Expert A',
    predictionType: 'target',
    timing: 'by',
    pricePrediction: '$150,000',
    targetTime: '2027-12-31',
    contactKind: 'email',
    contactAddress: 'old@example.org',
    contactConfirmedAt: inMs(0),
    createdAt: inMs(0),
  })
  const asked: string[] = []
  const listeners: (() => void)[] = []
  const receipts = receiptService({
    db,
    tokens,
    clock: { now: () => NOON },
    record: { find: () => Promise.resolve(null) },
    signals: {
      listen: (_, listener) => {
        listeners.push(() => listener(null))
        return () => {}
      },
    },
    ways: { email: true, lightning: true },
    addresses: { ask: (_, __, address) => Promise.resolve(void asked.push(address)) },
  })
  return { receipts, asked, signal: () => listeners.forEach((one) => one()) }
}

it('an address other than the confirmed one must be confirmed first', () =>
  rolledBack(async (db) => {
    const { receipts, asked } = await withReceipt(db)
    const set = async (text: string) =>
      (await receipts.setContact('receipt', text, 'email', 'here')).confirmed
    expect([await set('old@example.org'), asked]).toEqual([true, []])
    expect([await set('new@example.org'), asked]).toEqual([false, ['new@example.org']])
    expect((await receipts.receipt('receipt')).contact).toMatchObject({ confirmed: false })
  }))

it('a followed receipt is sent at once and after each change, but not unchanged', () =>
  rolledBack(async (db) => {
    const { receipts, signal } = await withReceipt(db)
    const sent: string[] = []
    const fail = (error: unknown): never => {
      throw error
    }
    await receipts.follow('receipt', ({ review }) => sent.push(review.status), fail)
    signal()
    await receipts.receipt('receipt')
    await db.update(submissions).set({ status: 'rejected' })
    signal()
    await until(() => sent.length > 1)
    expect(sent).toEqual(['pending', 'rejected'])
  }))

const SUPPORT = {
  ...payment(1),
  purpose: 'support',
  status: 'pending',
  checkingHash: 'c',
  walletRef: 'r',
  bolt11: 'b',
  paymentHash: 'h',
  walletExpiresAt: inMs(600_000),
  sats: 1,
  network: 'mainnet',
} as const

it('an unpaid invoice whose checks ended too early is due at the start', () =>
  rolledBack(async (db) => {
    await db.insert(payments).values({ ...SUPPORT, status: 'expired', nextLookAt: null })
    await makeDue(db, inMs(700_000))
    const [due] = await db.select({ at: payments.nextLookAt }).from(payments)
    expect(due?.at).not.toBeNull()
  }))

it('an invoice that was checked by a clock since set back is due at once, in any process', () =>
  rolledBack(async (db) => {
    const clock = { ms: NOON, now: () => clock.ms }
    const checked: number[] = []
    const lookUp = async () => {
      checked.push(clock.ms - NOON)
      return { state: 'open' }
    }
    const watch = (): (() => Promise<void>) => {
      let run = (): Promise<void> => Promise.resolve()
      const define: Jobs['define'] = (job) => {
        if (job.name === 'invoices-open') run = () => job.run({} as never, patiently())
        return { send: async () => {} }
      }
      watchInvoices(checksBy(db, clock, lookUp), { define })
      return () => run()
    }
    await db.insert(payments).values({
      ...SUPPORT,
      nextLookAt: inMs(HOUR_MS),
      createdAt: inMs(0),
      lastLookAt: inMs(HOUR_MS - 2_000),
      expiresAt: inMs(2 * HOUR_MS),
      watchUntil: inMs(2 * HOUR_MS),
    })
    clock.ms += 10_000
    await watch()()
    expect(checked).toEqual([10_000])
    clock.ms += 1_000
    await watch()()
    expect(checked).toEqual([10_000])
  }))
