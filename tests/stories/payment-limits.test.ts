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
} from '#tests/support/payment-world.ts'
import { expect, it } from 'vitest'
import { waitingForLocks } from '#tests/support/waiting-queries.ts'
import { until } from '#tests/support/waiting.ts'

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
