import { createInvoice } from '#contracts/payments.ts'
import { openLimiter } from '#server/kit/limiter.ts'
import { paymentLimiter, type PaymentLimits } from '#server/payments/order-payment.service.ts'
import { payments } from '#server/database/schema/submissions.ts'
import { moveUnpaid } from '#server/payments/payments.store.ts'
import {
  call,
  MINUTE,
  NO_LIMITS,
  order,
  sharedWorld,
  SUBMISSION,
  submissions,
  look,
  payNow,
} from '#tests/support/payment-world.ts'
import { expect, it, describe } from 'vitest'
import { waitingForLocks } from '#tests/support/waiting-queries.ts'
import { until } from '#tests/support/waiting.ts'
import { listPaymentsAdmin, onePaymentAdmin } from '#contracts/operations.ts'
import { SourceError } from '#server/kit/ports.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'

const site = sharedWorld()

/** Sets other limits until the end of the test. */
function limit(overrides: Partial<PaymentLimits>): void {
  const limits = { ...NO_LIMITS, ...overrides }
  Object.assign(site.payments.payments, {
    limiter: paymentLimiter({ db: site.kit.db, limiter: openLimiter(site.kit) }, limits),
  })
}

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
  // The fourth of the prefix, and the fifth.
  expect(await codesOf(['::ffff:192.0.2.2', '192.0.2.3'])).toEqual([200, 429])
  const refused = await orderFrom('192.0.2.3')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '40'])
  const others = [3, 4, 5, 6, 7].map((n) => `192.0.${String(n)}.1`)
  expect(await codesOf(others)).toEqual([200, 200, 200, 200, 429])
  expect((await orderFrom('192.0.8.1')).headers['retry-after']).toBe('40')
  const { rows } = await site.database.pool.query('select * from door_entries')
  expect(rows).toHaveLength(8)
  expect(JSON.stringify(rows)).not.toContain('192.0')
  // Once their invoices have ended, their origin is no longer stored.
  site.clock.ms += 11 * MINUTE
  expect(await codesOf(['192.0.2.30'])).toEqual([200])
  expect((await site.database.pool.query('select 1 from door_entries')).rows).toHaveLength(1)
})

it.each<[string, Partial<PaymentLimits>, boolean]>([
  ['creates and cancels without end', { mostAMinute: 10 }, true],
  ['leaves invoices open', { mostOpen: 10 }, false],
])('an address that %s leaves room for newcomers', async (_, limits, cancels) => {
  limit(limits)
  const codes = []
  for (let n = 0; n < 7; n += 1) {
    const answer = await orderFrom('198.51.100.1')
    codes.push(answer.statusCode)
    if (answer.statusCode !== 200 || !cancels) continue
    const { invoice } = createInvoice.reply.parse(answer.json())
    await call(site, 'POST', `/api/v1/payments/${invoice.checking_id}/cancel`)
  }
  expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(await codesOf(['203.0.113.1', '192.0.2.1'])).toEqual([200, 200])
})

it('seven at once get at most the four invoices that may be open', async () => {
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
  return listPaymentsAdmin.reply.parse((await admin.call('GET', `${URL}?kind=${kind}`)).body)
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
    const one = onePaymentAdmin.reply.parse((await admin.call('GET', url)).body)
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
    await site.database.pool.query(more, [plain])
    expect((await list(admin, 'odd')).rows.map(({ id }) => id)).toContain(plain)
    const returned = await admin.call('POST', `${URL}/${plain}/settle`, { note: '5 sats back' })
    expect(returned.status).toBe(200)
    const { rows } = await site.database.pool.query<{ action: string; reason: string }>(
      `select action, reason from audit_log where subject_kind = 'payment' order by id`,
    )
    expect(rows).toEqual([
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
    await site.database.pool.query('update payments set wallet_ref = null')
    expect(await look()).toMatchObject({ error: expect.stringContaining('nothing to ask') })
  })
})
