// Over 400 lines: payments from invoice to receipt, their limits and their list, with the same wallet.

import { describe, expect, it } from 'vitest'
import { listPaymentsAdmin, onePaymentAdmin } from '#contracts/operations.ts'
import { createInvoice, paymentOptions, payReceipt } from '#contracts/payments.ts'
import { previewSubmission } from '#contracts/submissions.ts'
import { payments } from '#server/database/schema/submissions.ts'
import { SourceError } from '#server/kit/failure.ts'
import { openLimiter } from '#server/kit/limiter.ts'
import { paymentLimiter, type PaymentLimits } from '#server/payments/order-payment.service.ts'
import { moveUnpaid } from '#server/payments/payments.store.ts'
import {
  SUBMISSION,
  Failed,
  MINUTE,
  NOON,
  sharedWorld,
  world,
  call,
  order,
  check,
  receipt,
  submissions,
  payNow,
  tryOrder,
  NO_LIMITS,
  look,
} from '#tests/support/payment-world.ts'
import { audited } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { streamOf, until, waitingForLocks } from '#tests/support/waiting.ts'

const site = sharedWorld()
const KEY = 'the-same-key-0001'

it('a paid submission enters review, its receipt says so, and only the invoice reaches the wallet', async () => {
  const made = await order(site)
  expect(made).toMatchObject({ sats: 21, expires_in_ms: 600_000, demonstration: false })
  site.clock.ms += 2_000
  const unpaid = await check(site, made)
  expect(unpaid).toMatchObject({ paid: false, status: 'pending', checked: true })
  expect(await submissions(site)).toEqual(['unpaid'])
  const [entry] = site.ledger.entries.values()
  expect(entry?.memo).toBe(
    `Proof of Price: Expert A BTC $150,000 by 2027-12-31 · ${entry?.label.slice(0, 8) ?? ''}`,
  )
  const before = await receipt(site, made)
  expect(before.payment.tries).toMatchObject([
    { payment_request: made.invoice.payment_request, preimage: null },
  ])
  const stored = await site.sql('select * from payments, submissions')
  const preimage = entry?.preimage ?? 'none'
  expect(JSON.stringify([made, unpaid, before, stored])).not.toContain(preimage)
  for (const secret of [made.invoice.checking_id, made.receipt.token]) {
    expect(JSON.stringify(stored)).not.toContain(secret)
  }
  expect(await payNow(site, made)).toMatchObject({ paid: true, status: 'paid', late: false })
  expect(await submissions(site)).toEqual(['pending'])
  expect(await receipt(site, made)).toMatchObject({
    submission: { expert_name: 'Expert A', price_prediction: '$150,000', price_target: 150_000 },
    payment: { paid: true, sats: 21, late: false, tries: [{ payment_request: null, preimage }] },
    review: { status: 'pending' },
    state: 'Payment received. The submission will be reviewed before going live.',
    hint: null,
  })
})

const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'

const REFUSED: readonly [Parameters<typeof tryOrder>[1], Record<string, unknown>][] = [
  [
    { data: { expert_name: '', prediction_type: 'range' } },
    {
      expert_name: 'Please enter the name of the person who made this prediction.',
      price_min: 'Please enter the minimum price.',
      price_max: 'Please enter the maximum price.',
    },
  ],
  [{ amount: '12 sats' }, { amount: expect.any(String) }],
  [{ data: { notes: `see ${NSEC}` } }, { notes: expect.stringContaining('secret key') }],
]
it('an invalid submission is refused by field, and nothing is stored', async () => {
  for (const [input, fields] of REFUSED) {
    const { status, body } = await tryOrder(site, input)
    expect([input, status, Failed.parse(body).fields]).toEqual([input, 400, fields])
    expect(JSON.stringify(body)).not.toContain('nsec1vl')
  }
  expect(await submissions(site)).toEqual([])
  expect(site.ledger.entries.size).toBe(0)
})

describe('before it is paid', () => {
  async function waitingFor(data: object, receipts: readonly string[] = []) {
    const body = { submissionData: { ...SUBMISSION, ...data }, receipts }
    const answer = await call(site, 'POST', previewSubmission.path, body)
    return { text: JSON.stringify(answer.body), ...previewSubmission.reply.parse(answer.body) }
  }

  it('a duplicate is reported before payment, without details of other people', async () => {
    const made = await order(site, {
      data: { notes: 'A private word.', submitter_email: 'me@x.org' },
    })
    const { token } = made.receipt
    const nothing = { own: [], others: false }
    // Unpaid submissions do not go into review.
    expect((await waitingFor({}, [token])).waiting).toEqual(nothing)
    await payNow(site, made)
    expect((await waitingFor({}, [token])).waiting).toEqual({
      own: [{ receipt: token, status: 'pending' }],
      others: false,
    })
    const other = await waitingFor({ price_prediction: '$151,000' })
    expect(other.waiting).toEqual({ own: [], others: true })
    expect(other.text).not.toMatch(new RegExp(`${token}|private|me@x\\.org|150,000`))
    for (const data of [
      { expert_name: 'Expert B', twitter_handle: '' },
      { price_prediction: '$170,000' },
      { prediction_type: 'top' },
      { target_time: '2027-12-30' },
      { asset_type: 'mstr' },
    ]) {
      expect((await waitingFor(data, [token])).waiting).toEqual(nothing)
    }
    await site.sql(`update submissions set status = 'rejected'`)
    expect((await waitingFor({}, [token])).waiting).toEqual({
      own: [{ receipt: token, status: 'rejected' }],
      others: false,
    })
    expect((await waitingFor({})).waiting).toEqual(nothing)
  })
})

describe('an Idempotency-Key', () => {
  it('makes one invoice, even at the same time, and is refused for other input', async () => {
    site.wallet.behaviour.slowMs = 100
    const made = await Promise.all(Array.from({ length: 10 }, () => order(site, { key: KEY })))
    expect(new Set(made.map((one) => one.invoice.payment_hash)).size).toBe(1)
    expect(new Set(made.map((one) => one.receipt.token)).size).toBe(1)
    expect(site.ledger.entries.size).toBe(1)
    expect(await submissions(site)).toEqual(['unpaid'])
    expect((await tryOrder(site, { amount: 22, key: KEY })).status).toBe(409)
    expect((await tryOrder(site, { key: 'short' })).status).toBe(400)
    // It is also answered after midnight and with any current wallet.
    await site.sql(`update payments set wallet = 'demonstration'`)
    site.clock.ms += 13 * 60 * MINUTE
    const again = await order(site, { key: KEY })
    expect(again).toMatchObject({ invoice: made[0]?.invoice, demonstration: true })
  })

  it("one Idempotency-Key is released when its process has died, and when the wallet's answer was lost", async () => {
    const made = await order(site, { key: KEY })
    await site.sql(
      `update payments set status = 'creating', bolt11 = null, payment_hash = null, next_look_at = null`,
    )
    site.clock.ms += 16_500
    const again = await order(site, { key: KEY })
    expect(again.invoice.payment_request).not.toBe(made.invoice.payment_request)

    const key = 'another-key-00002'
    site.wallet.behaviour.losesAnswers = true
    const lost = await tryOrder(site, { key })
    expect([lost.status, Failed.parse(lost.body).error]).toEqual([
      503,
      'Failed to create payment invoice. Please try again.',
    ])
    const rows = await site.sql('select id, status from payments order by created_at desc limit 1')
    const [entry] = [...site.ledger.entries.values()].slice(-1)
    expect(rows).toEqual([{ id: entry?.label, status: 'failed' }])
    site.wallet.behaviour.losesAnswers = false
    expect(await payNow(site, await order(site, { key }))).toMatchObject({ paid: true })
    expect((await submissions(site)).filter((status) => status === 'pending')).toHaveLength(1)
  })
})

it('submitting is closed with a message without a wallet', async () => {
  await using site = await testApp()
  expect(await site.read(paymentOptions)).toMatchObject({
    open: false,
    closed_because: expect.stringMatching(/no wallet/),
    usd_per_sat: 0.001,
  })
  const { status, body } = await tryOrder(site)
  expect([status, Failed.parse(body).error]).toMatchObject([
    503,
    expect.stringMatching(/no wallet/),
  ])
})

describe('a receipt', () => {
  it('is pushed when it changes, also by another process', async () => {
    await using site = await world()
    const made = await order(site)
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
    using stream = await streamOf(`${address}/api/v1/receipts/${made.receipt.token}/events`)
    const states = () =>
      [...stream.state.text.matchAll(/"review":\{"status":"(\w+)"/g)].map(([, status]) => status)
    await until(() => states().length > 0)
    await payNow(site, made)
    await until(() => states().at(-1) === 'pending')
    const admin = await signedIn(site)
    const rows = await site.sql('select id from submissions')
    const url = `/api/admin/prediction_submissions/${rows[0]?.id ?? ''}`
    for (const [status, admin_comment] of [
      ['rejected', 'No source.'],
      ['pending', undefined],
      ['approved', undefined],
    ] as const) {
      await admin.call('PUT', url, { status, admin_comment })
      await until(() => states().at(-1) === status)
    }
    expect(stream.state.text).toContain('"path":"/predictions/')
    // A stopping server does not wait for open streams.
    await site.app.close()
    expect(states().at(-1)).toBe('approved')
  })

  it.each(['expired', 'pending'] as const)(
    'a receipt of an invoice that is %s gives a new one for the same submission, and both may be paid',
    async (state) => {
      const first = await order(site, { data: { notes: 'As said.' } })
      const ask = (amount: unknown, key?: string) =>
        call(
          site,
          'POST',
          payReceipt.path.replace(':token', first.receipt.token),
          { amount },
          key === undefined ? {} : { 'idempotency-key': key },
        )
      if (state === 'expired') site.clock.ms += 11 * MINUTE
      site.clock.ms += 1
      const { status, body } = await ask('500', KEY)
      expect(status).toBe(200)
      const second = createInvoice.reply.parse(body)
      expect(second).toMatchObject({ sats: 500, receipt: first.receipt })
      expect((await ask('500', KEY)).body).toMatchObject({ invoice: second.invoice })
      expect((await receipt(site, first)).payment.tries).toHaveLength(2)
      for (const made of [first, second]) {
        site.ledger.pay(made.invoice.payment_request)
        // Reading the receipt has started its own look-up, which may have missed it.
        await until(async () => {
          site.clock.ms += 2_000
          return (await check(site, made)).paid
        })
        expect(await check(site, made)).toMatchObject({ paid: true, overpaid: made === second })
      }
      const proofs = [...site.ledger.entries.values()].map((entry) => entry.preimage)
      expect(await receipt(site, first)).toMatchObject({
        submission: { notes: 'As said.' },
        payment: { sats: 21, overpaid_sats: 500, tries: proofs.map((preimage) => ({ preimage })) },
        hint: expect.stringMatching(/500 sats arrived in addition/),
      })
      expect((await ask(21)).status).toBe(409)
    },
  )

  it('shows no proof that does not belong to its payment', async () => {
    const made = await order(site)
    Object.assign(site.wallet, {
      lookUp: () =>
        Promise.resolve({
          state: 'settled',
          receivedMsat: 21_000,
          settledMs: null,
          preimage: '00'.repeat(32),
        }),
    })
    site.clock.ms += 2_000
    expect(await check(site, made)).toMatchObject({ paid: true })
    expect((await receipt(site, made)).payment.tries).toMatchObject([
      { status: 'paid', payment_hash: made.invoice.payment_hash, preimage: null },
    ])
  })

  it('opened long after its expiry still has its payments looked up', async () => {
    const made = await order(site)
    await site.sql('update payments set next_look_at = null')
    site.clock.ms += 50 * 60 * MINUTE
    await receipt(site, made)
    await until(async () => (await receipt(site, made)).payment.tries[0]?.status === 'expired')
    const rows = await site.sql('select next_look_at as next from payments')
    expect(rows).toEqual([{ next: null }])
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    await until(async () => (await receipt(site, made)).payment.paid)
    expect(await submissions(site)).toEqual(['pending'])
  })
})

describe('a different form under an old receipt', () => {
  it('is a new submission, with its own payment', async () => {
    const first = await order(site)
    const again = { receipt: first.receipt.token, data: { notes: 'Another one.' } }
    const second = await order(site, again)
    expect(second.receipt.token).not.toBe(first.receipt.token)
    for (const [made, notes] of [
      [first, SUBMISSION.notes],
      [second, 'Another one.'],
    ] as const) {
      expect(await payNow(site, made)).toMatchObject({ paid: true, overpaid: false })
      expect(await receipt(site, made)).toMatchObject({
        submission: { notes },
        payment: { paid: true, overpaid_sats: 0 },
        review: { status: 'pending' },
      })
    }
  })

  it('a form sent again after midnight is the same submission, unless it names another day', async () => {
    for (const [data, later, isSame] of [
      [{}, {}, true],
      [{ prediction_made: '2026' }, { prediction_made: '2026' }, true],
      [{ prediction_made: '2026' }, { prediction_made: '2026-11-20' }, false],
    ] as const) {
      site.clock.ms = NOON
      const { receipt } = await order(site, { data })
      site.clock.ms += 13 * 3_600_000
      const again = await order(site, { receipt: receipt.token, data: later })
      expect([later, again.receipt.token === receipt.token]).toEqual([later, isSame])
    }
  })
})

/** Sets other limits until the end of the test. */
function limit(overrides: Partial<PaymentLimits>): void {
  const limits = { ...NO_LIMITS, ...overrides }
  Object.assign(site.payments.payments, {
    limiter: paymentLimiter({ db: site.kit.db, limiter: openLimiter(site.kit) }, limits),
  })
}

it('says why the demonstration wallet could not pay', async () => {
  const { invoice } = await order(site)
  const pay = () => Promise.reject(new SourceError('down', 'No way was found.'))
  Object.assign(site.wallet, { isDemonstration: true, pay })
  const url = `/api/v1/payments/${invoice.checking_id}/demonstration-payment`
  const refused = { status: 409, body: { error: 'No way was found.' } }
  expect(await call(site, 'POST', url)).toMatchObject(refused)
})

it('after our clock was set back, visitors can still submit and pay', async () => {
  limit({ mostAnAddress: 2, mostAMinute: 3 })
  const before = await order(site)
  const here = '192.0.2.77'
  expect(await codesOf([here, here, here])).toEqual([200, 200, 429])
  await look(site)
  site.clock.ms -= 180 * MINUTE
  site.ledger.pay(before.invoice.payment_request)
  await look(site)
  expect(await submissions(site)).toContain('pending')
  // Requests by the earlier clock no longer count; otherwise they would for hours.
  expect(await codesOf([here])).toEqual([200])
  expect(await order(site)).toMatchObject({ sats: 21 })
})

it('invoices are limited by address, by prefix and in total, and the response says when to try again', async () => {
  limit({ mostAnAddress: 3, mostAPrefix: 4, mostAMinute: 8 })
  const one = Array.from({ length: 4 }, () => '192.0.2.1')
  expect(await codesOf(one)).toEqual([200, 200, 200, 429])
  site.clock.ms += 20_000
  // The fourth and the fifth request from the prefix; only four are allowed.
  expect(await codesOf(['::ffff:192.0.2.2', '192.0.2.3'])).toEqual([200, 429])
  const refused = await orderFrom('192.0.2.3')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '40'])
  const others = [3, 4, 5, 6, 7].map((n) => `192.0.${String(n)}.1`)
  expect(await codesOf(others)).toEqual([200, 200, 200, 200, 429])
  const full = await orderFrom('192.0.8.1')
  expect(full.headers['retry-after']).toBe('40')
  expect(full.json()).toMatchObject({
    error: 'Many people are submitting at the moment. Please wait a minute.',
  })
  const rows = await site.sql('select * from door_entries')
  expect(rows).toHaveLength(8)
  expect(JSON.stringify(rows)).not.toContain('192.0')
  // Once their invoices have ended, their origin is no longer stored.
  site.clock.ms += 11 * MINUTE
  expect(await codesOf(['192.0.2.30'])).toEqual([200])
  expect(await site.sql('select 1 from door_entries')).toHaveLength(1)
})

it('of seven concurrent requests at most four get an invoice, as many as may be open', async () => {
  const gate = Promise.withResolvers<void>()
  const { createInvoice: make } = site.wallet
  let [request, refused] = [0, 0]
  limit({ mostOpen: 4 })
  Object.assign(site.wallet, {
    createInvoice: async (...args: Parameters<typeof make>) => {
      request += 1
      await gate.promise
      return make(...args)
    },
  })
  const other = await site.database.pool.connect()
  try {
    await other.query('begin')
    // Rows can be counted, but not added.
    await other.query('lock table payments in share mode')
    const all = [1, 2, 3, 4, 5, 6, 7].map(async (n) => {
      const { statusCode } = await orderFrom(`192.0.${String(n)}.1`)
      if (statusCode === 429) refused += 1
      return statusCode
    })
    await until(async () => (await waitingForLocks(other)) === all.length)
    await other.query('commit')
    // No invoice exists yet: all accepted requests are waiting.
    await until(() => request + refused === all.length)
    gate.resolve()
    expect((await Promise.all(all)).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 429, 429, 429,
    ])
  } finally {
    other.release()
  }
})

it('limits open invoices per address, and ignores requests that create none', async () => {
  limit({ mostAnAddress: 4, mostOpenAnAddress: 3 })
  const from = async (remoteAddress: string, overrides: object, key?: string): Promise<number> => {
    const answer = await site.app.inject({
      method: 'POST',
      url: createInvoice.path,
      headers: key === undefined ? {} : { 'idempotency-key': key },
      payload: { amount: 21, submissionData: SUBMISSION, ...overrides },
      remoteAddress,
    })
    return answer.statusCode
  }
  for (let i = 0; i < 6; i += 1) expect(await from('2001:db8::1', { amount: 0 })).toBe(400)
  for (let i = 0; i < 6; i += 1)
    expect(await from('2001:db8::1', {}, 'the-same-key-0001')).toBe(200)
  expect(await from('2001:db8::2', {})).toBe(200)
  expect(await from('2001:db8::3', {})).toBe(200)
  expect(await from('2001:db8::4', {})).toBe(429)
  expect(await from('2001:db8:0:1::1', {})).toBe(200)
  const { db } = site.database
  for (const { id } of await db.select().from(payments)) await moveUnpaid(db, id, 'cancelled')
  expect(await from('2001:db8::1', {})).toBe(200)
  // The fifth in a minute.
  expect(await from('2001:db8::1', {})).toBe(429)
})

function orderFrom(remoteAddress: string) {
  const payload = { amount: 1, submissionData: SUBMISSION }
  return site.app.inject({ method: 'POST', url: createInvoice.path, payload, remoteAddress })
}

async function codesOf(addresses: readonly string[]): Promise<number[]> {
  const codes = []
  for (const address of addresses) codes.push((await orderFrom(address)).statusCode)
  return codes
}

const URL = '/api/v1/admin/payments'

async function list(admin: SignedInBrowser, kind: string) {
  return admin.read(listPaymentsAdmin, `?kind=${kind}`)
}

describe('payments', () => {
  it('are listed by type; one paid twice is irregular until settled by hand, with a note', async () => {
    const admin = await signedIn(site)
    const first = await order(site)
    site.clock.ms += 1
    const second = await order(site, { amount: 500, receipt: first.receipt.token })
    await payNow(site, first)
    await payNow(site, second)
    const other = await order(site)
    site.clock.ms += 700_000
    await payNow(site, other)
    const all = await list(admin, 'all')
    expect(all).toMatchObject({
      total: 3,
      counts: { all: 3, overpaid: 1, late: 1, short: 0, odd: 1 },
    })
    expect(all.rows.map(({ status }) => status)).toEqual(['paid_late', 'overpaid', 'paid'])
    const [odd] = (await list(admin, 'odd')).rows
    expect(odd).toMatchObject({ sats: 500, overpaid: true, settled: null, expert_name: 'Expert A' })
    const url = `${URL}/${odd?.id ?? ''}`
    const one = await admin.read(onePaymentAdmin, url)
    expect(one.bolt11).toBe(second.invoice.payment_request)
    expect(one.tries.map(({ status }) => status)).toEqual(['paid', 'overpaid'])
    expect(JSON.stringify(one)).not.toContain(first.receipt.token)

    const without = await admin.call('POST', `${url}/settle`, { note: ' ' })
    expect(without).toMatchObject({ status: 400, body: { fields: { note: expect.any(String) } } })
    const settled = await admin.call('POST', `${url}/settle`, { note: 'Sent back today' })
    expect(settled.body).toMatchObject({
      message: 'Marked as settled. Nothing was sent: refunds are made by hand in the wallet.',
      payment: { settled: { by: 'Admin A', note: 'Sent back today' } },
    })
    expect((await list(admin, 'odd')).rows).toEqual([])
    expect((await list(admin, 'overpaid')).rows).toHaveLength(1)
    expect(await admin.call('POST', `${url}/settle`, { note: 'again' })).toMatchObject({
      status: 409,
      body: { error: 'Admin A has marked it as settled already.' },
    })
    await admin.call('POST', `${url}/reopen`, {})
    expect((await list(admin, 'odd')).rows).toHaveLength(1)
    expect((await admin.call('POST', `${url}/reopen`, {})).status).toBe(409)
    const plain = all.rows.find(({ status }) => status === 'paid')?.id ?? ''
    const fine = await admin.call('POST', `${URL}/${plain}/settle`, { note: 'x' })
    expect(fine.body).toMatchObject({ error: 'Nothing is odd about this payment.' })
    const more = 'update payments set received_msat = sats::bigint * 1000 + 5000 where id = $1'
    await site.sql(more, [plain])
    expect((await list(admin, 'odd')).rows.map(({ id }) => id)).toContain(plain)
    const returned = await admin.call('POST', `${URL}/${plain}/settle`, { note: '5 sats back' })
    expect(returned.status).toBe(200)
    expect(await audited(site, `subject_kind = 'payment'`)).toMatchObject([
      { action: 'payment settled', reason: 'Sent back today' },
      { action: 'payment reopened', reason: null },
      { action: 'payment settled', reason: '5 sats back' },
    ])
  })

  it('are looked up in the wallet on demand', async () => {
    let isDown = false
    const { lookUp } = site.wallet
    Object.assign(site.wallet, {
      lookUp: (...args: Parameters<typeof lookUp>) => {
        if (isDown) throw new SourceError('down', 'The wallet is away.')
        return lookUp(...args)
      },
    })
    const admin = await signedIn(site)
    const made = await order(site)
    const [row] = (await list(admin, 'all')).rows
    const look = async () => (await admin.call('POST', `${URL}/${row?.id ?? ''}/look`)).body
    expect(await look()).toMatchObject({ found: 'unpaid', payment: { status: 'pending' } })
    isDown = true
    expect(await look()).toMatchObject({
      found: 'unknown',
      message: 'It could not be checked. The wallet is away.',
    })
    isDown = false
    site.ledger.pay(made.invoice.payment_request)
    expect(await look()).toMatchObject({ found: 'paid', payment: { status: 'paid' } })
    await site.sql('update payments set wallet_ref = null')
    expect(await look()).toMatchObject({ error: expect.stringContaining('nothing to look up') })
  })
})
