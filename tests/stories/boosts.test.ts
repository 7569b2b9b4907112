import { createHash } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { listPaymentsAdmin } from '#contracts/operations.ts'
import { boostPrediction, SupportReceipt, createInvoice } from '#contracts/payments.ts'
import { onePrediction } from '#contracts/predictions.ts'
import { markPaid, paymentBy } from '#server/payments/payments.store.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import {
  call,
  check,
  order,
  sharedWorld,
  type Ordered,
  payNow,
} from '#tests/support/payment-world.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { pageAt } from '#tests/support/test-app.ts'

/** A site with the prediction `a`, with a score of 7. */
const site = sharedWorld({}, {}, async ({ imports, database, refresh }) => {
  await imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
  await imports.predictions(JSON.stringify([entry('a')]))
  await database.sql('update predictions set vote_score = 7')
  await refresh()
})
beforeEach(() => site.refresh())

function ask(id: string, amount: unknown, key?: string) {
  const url = boostPrediction.path.replace(':id', id)
  return call(site, 'POST', url, { amount }, key === undefined ? {} : { 'idempotency-key': key })
}

async function boost(amount: unknown = 21, key?: string): Promise<Ordered> {
  const { status, body } = await ask('a', amount, key)
  expect([status, body]).toMatchObject([200, {}])
  return createInvoice.reply.parse(body)
}

async function score(): Promise<number> {
  await site.refresh()
  return (await site.read(onePrediction, 'a')).prediction.vote_score
}

async function receipt({ receipt: { token } }: Ordered): Promise<SupportReceipt> {
  const { body } = await call(site, 'GET', `/api/v1/payments/${token}/receipt`)
  return SupportReceipt.parse(body)
}

const odd = async (admin: SignedInBrowser) =>
  (await admin.read(listPaymentsAdmin, '?kind=odd')).rows

const withdraw = () =>
  site.sql(`update predictions set withdrawn_at = now(), withdrawn_reason = 'x'`)

it('a boost raises the score of its prediction once, however often its payment is seen', async () => {
  const key = 'a-key-of-the-boost-test'
  const made = await boost(21, key)
  expect(await boost(21, key)).toMatchObject({ invoice: made.invoice })
  expect(await receipt(made)).toMatchObject({ status: 'pending', open: true, preimage: null })
  expect(await score()).toBe(7)
  site.ledger.pay(made.invoice.payment_request)
  site.clock.ms += 2_000
  const seen = await Promise.all([check(site, made), check(site, made), receipt(made)])
  expect(seen[0]).toMatchObject({ paid: true, status: 'paid' })
  await check(site, made)
  expect(await score()).toBe(28)
  const second = await boost(500)
  await payNow(site, second)
  expect(await score()).toBe(528)

  const paid = await receipt(made)
  expect(paid).toMatchObject({
    purpose: 'boost',
    status: 'paid',
    credited_sats: 21,
    bolt11: made.invoice.payment_request,
    prediction: { path: '/predictions/a' },
    state: 'Payment received. The sats count in support of the prediction. Thank you!',
  })
  const proof = Buffer.from(paid.preimage ?? '', 'hex')
  expect(createHash('sha256').update(proof).digest('hex')).toBe(paid.payment_hash)
  // Imports and corrections do not change the score.
  await site.imports.predictions(JSON.stringify([entry('a', { price_target: 160 })]))
  expect(await score()).toBe(528)
})

it('a boost that several processes see paid at once is credited once', async () => {
  const made = await boost(40)
  const { db } = site.kit
  const payment = await paymentBy(db, 'paymentHash', made.invoice.payment_hash)
  if (!payment) throw new Error('it was made')
  const arrival = {
    isLate: false,
    receivedMsat: 40_000,
    countedSats: 40,
    settledAt: null,
    paidAt: new Date(site.clock.ms).toISOString(),
  }
  const became = await Promise.all([1, 2, 3].map(() => markPaid(db, payment, arrival)))
  expect(became.filter((one) => one !== null)).toEqual([{ status: 'paid', isUsed: true }])
  expect(await score()).toBe(47)
})

it('a late boost counts, and a short one counts the received sats', async () => {
  const late = await boost(100)
  site.clock.ms += 700_000
  site.ledger.pay(late.invoice.payment_request)
  expect(await check(site, late)).toMatchObject({ status: 'paid_late' })
  expect(await score()).toBe(107)
  const short = await boost(50)
  site.wallet.behaviour.claims = 20_000
  site.clock.ms += 2_000
  await check(site, short)
  expect(await score()).toBe(127)
  expect(await odd(await signedIn(site))).toMatchObject([
    {
      purpose: 'boost',
      prediction_id: 'a',
      short: true,
      expert_name: 'Expert A',
      price_prediction: 'BTC $150',
    },
  ])
})

it('a withdrawn prediction rejects boosts; sats already on their way are refunded', async () => {
  const made = await boost()
  await withdraw()
  expect(await ask('a', 21)).toMatchObject({
    status: 409,
    body: {
      error: 'This prediction has been withdrawn, so it cannot be boosted. Nothing was charged.',
    },
  })
  expect(await payNow(site, made)).toMatchObject({ status: 'paid' })
  expect((await receipt(made)).state).toContain('it should be sent back')
  const rows = await site.sql(
    'select vote_score, credited_sats from predictions p join payments on prediction_id = p.id',
  )
  expect(rows).toEqual([{ vote_score: 7, credited_sats: null }])
  const admin = await signedIn(site)
  const [row] = await odd(admin)
  expect(row).toMatchObject({ unused: true, status: 'paid', sats: 21 })
  const url = `/api/v1/admin/payments/${row?.id ?? ''}/settle`
  expect((await admin.call('POST', url, { note: 'Sent back' })).status).toBe(200)
  expect(await odd(admin)).toEqual([])
})

it('rejects a boost of an unknown prediction, and opens a receipt only by its own token', async () => {
  expect((await ask('nothing', 21)).status).toBe(404)
  expect((await ask('%00', 21)).status).toBe(400)
  expect((await ask('a', '1.5')).status).toBe(400)
  expect((await call(site, 'GET', '/api/v1/payments/unknown/receipt')).status).toBe(404)
  const made = await boost()
  // The receipt's page knows which call to make, so none is wasted.
  const of = async (token: string) => (await pageAt(site, `/receipt/${token}`, 'receipt')).of
  const submitted = await order(site)
  const tokens = [made.receipt.token, submitted.receipt.token, 'unknown']
  expect(await Promise.all(tokens.map(of))).toEqual(['payment', 'submission', null])
  // The token of an attempt to pay a submission opens no receipt.
  expect(await of(submitted.invoice.checking_id)).toBeNull()
})
