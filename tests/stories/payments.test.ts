// Payments in races, over sockets and across processes. Others are stories in tests/texts/payments.

import { describe, expect, it } from 'vitest'
import { createInvoice, paymentOptions } from '#contracts/payments.ts'
import { SourceError } from '#server/kit/failure.ts'
import { openLimiter } from '#server/kit/limiter.ts'
import { paymentLimiter } from '#server/payments/order-payment.service.ts'
import { removeUnpaid } from '#server/payments/payments.jobs.ts'
import { paymentBy, markPaid } from '#server/payments/payments.store.ts'
import { openSite } from '#server/site.ts'
import { entry } from '#tests/support/builders.ts'
import {
  MINUTE,
  NOON,
  NO_LIMITS,
  sharedWorld,
  watching,
  world,
  call,
  look,
  order,
  check,
  receipt,
  submissions,
  payNow,
  tryOrder,
} from '#tests/support/payment-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { ledgerWallet } from '#tests/support/stand-ins/ledger-wallet.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { SILENT, testPorts } from '#tests/support/test-site.ts'
import { streamOf, until, waitingForLocks } from '#tests/support/waiting.ts'

const site = sharedWorld()
const ARRIVAL = { isLate: false, settledAt: null, paidAt: '2026-11-20T12:00:01Z' }

it('an Idempotency-Key makes one invoice, even at the same time', async () => {
  site.wallet.behaviour.slowMs = 100
  const made = await Promise.all(
    Array.from({ length: 10 }, () => order(site, { key: 'the-same-key-0001' })),
  )
  expect(new Set(made.map((one) => one.invoice.payment_hash)).size).toBe(1)
  expect(new Set(made.map((one) => one.receipt.token)).size).toBe(1)
  expect(site.ledger.entries.size).toBe(1)
  expect(await submissions(site)).toEqual(['unpaid'])
})

it('a form settled forty times at once, for two invoices of one form, pays once and is overpaid once', async () => {
  const first = await order(site)
  const second = await order(site, { receipt: first.receipt.token })
  const { db } = site.database
  const rows = await Promise.all(
    [first, second].map((made) => paymentBy(db, 'paymentHash', made.invoice.payment_hash)),
  )
  const arrival = { ...ARRIVAL, receivedMsat: null, countedSats: 21 }
  const became = await Promise.all(
    Array.from({ length: 40 }, (_, i) => {
      const payment = rows[i % 2]
      return payment ? markPaid(db, payment, arrival) : Promise.resolve(null)
    }),
  )
  expect(became.flatMap((one) => one?.status ?? []).toSorted()).toEqual(['overpaid', 'paid'])
  expect(await submissions(site)).toEqual(['pending'])
})

it('a boost that several processes see paid at once is credited once', async () => {
  await site.imports.predictions(JSON.stringify([entry('a')]))
  const url = '/api/v1/predictions/a/boost'
  const made = createInvoice.reply.parse((await call(site, 'POST', url, { amount: 40 })).body)
  const { db } = site.kit
  const payment = await paymentBy(db, 'paymentHash', made.invoice.payment_hash)
  if (!payment) throw new Error('it was made')
  const arrival = { ...ARRIVAL, receivedMsat: 40_000, countedSats: 40 }
  const became = await Promise.all([1, 2, 3].map(() => markPaid(db, payment, arrival)))
  expect(became.filter((one) => one !== null)).toEqual([{ status: 'paid', isUsed: true }])
  expect(await site.sql('select vote_score from predictions')).toEqual([{ vote_score: 40 }])
})

it('of seven concurrent requests at most four get an invoice, as many as may be open', async () => {
  const gate = Promise.withResolvers<void>()
  const { createInvoice: make } = site.wallet
  let [request, refused] = [0, 0]
  const limits = { ...NO_LIMITS, mostOpen: 4 }
  Object.assign(site.payments.payments, {
    limiter: paymentLimiter({ db: site.kit.db, limiter: openLimiter(site.kit) }, limits),
  })
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
      const { status } = await tryOrder(site, { data: { expert_name: `Expert ${String(n)}` } })
      if (status === 429) refused += 1
      return status
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

it('says why the demonstration wallet could not pay', async () => {
  const { invoice } = await order(site)
  const pay = () => Promise.reject(new SourceError('down', 'No way was found.'))
  Object.assign(site.wallet, { isDemonstration: true, pay })
  const url = `/api/v1/payments/${invoice.checking_id}/demonstration-payment`
  const refused = { status: 409, body: { error: 'No way was found.' } }
  expect(await call(site, 'POST', url)).toMatchObject(refused)
})

it('a receipt is pushed when it changes, also by another process', async () => {
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

it('a receipt opened long after its expiry still has its payments looked up', async () => {
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

it('a payment received while the server was away is found at its start', async () => {
  await using site = await world()
  const made = await order(site)
  await site.sql(`update payments set next_look_at = '2026-11-21T00:00:00Z'`)
  site.ledger.pay(made.invoice.payment_request)
  site.payments.start()
  await until(async () => {
    await site.jobs.drain()
    return (await submissions(site))[0] === 'pending'
  })
  expect((await receipt(site, made)).payment.paid).toBe(true)
})

it('open invoices of another wallet are reported together at the start', async () => {
  const said: string[] = []
  const log = { ...SILENT, warn: (_: object, text: string) => void said.push(text) }
  for (const amount of [21, 500]) await order(site, { amount })
  const wallet = ledgerWallet(standInLedger(site.clock.now))
  const ports = testPorts(site.kit, { wallet, walletIdentity: 'another wallet' })
  const { payments, stop } = await openSite({ ...site.kit, log }, ports)
  payments.start()
  const text = '2 open invoices over 521 sats in all came from another wallet'
  await until(() => said.some((one) => one.startsWith(text)))
  await payments.admin.look((await site.sql('select id from payments limit 1'))[0]?.id ?? '')
  expect(said.filter((one) => one.includes('another wallet'))).toHaveLength(1)
  await stop()
})

describe('while invoices are watched', () => {
  const walletPauses = { sureAfterMs: 100, whenClosedMs: [100] }
  const site = sharedWorld({ options: { payments: { ...NO_LIMITS, walletPauses } } }, {}, watching)

  it('while invoices are watched, a payment counts even if the wallet does not answer about many older ones', async () => {
    const older: string[] = []
    const { lookUp } = site.wallet
    const { promise, resolve } = Promise.withResolvers<undefined>()
    let requests = 0
    Object.assign(site.wallet, {
      lookUp: async (...args: Parameters<typeof lookUp>) => {
        if (older.includes(args[0].paymentHash) && site.clock.ms > NOON) {
          requests += 1
          await promise
        }
        return lookUp(...args)
      },
    })
    for (let i = 0; i < 9; i += 1) older.push((await order(site)).invoice.payment_hash)
    await site.sql(`update payments set status = 'expired'`)
    site.clock.ms += 11 * MINUTE
    const looking = site.jobs.drain('invoices-over')
    await until(() => requests > 0)
    const made = await order(site)
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 3_000
    await site.jobs.drain('invoices-open')
    expect(await submissions(site)).toContain('pending')
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid' })
    resolve(undefined)
    await looking
  })

  it('while invoices are watched, many simultaneous checks and hints share one look-up and credit it once', async () => {
    const made = await order(site)
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    const { behaviour } = site.wallet
    const before = behaviour.lookUps
    Object.assign(behaviour, { slowMs: 100 })
    const states = await Promise.all(Array.from({ length: 30 }, () => check(site, made)))
    for (let i = 0; i < 20; i += 1) site.wallet.hint(made.invoice.payment_hash)
    expect(states.every((state) => state.paid && state.status === 'paid')).toBe(true)
    expect(await submissions(site)).toEqual(['pending'])
    expect(behaviour.lookUps - before).toBeLessThan(5)
  })

  it('while invoices are watched, a forged notice only has the payment looked up, whatever its body, and no browser is needed', async () => {
    const made = await order(site)
    const looked = site.wallet.behaviour.lookUps
    const hint = `/api/v1/payments/${made.invoice.checking_id}/hint`
    const hash = made.invoice.payment_hash
    const forged = { pending: false, status: 'success', paid: true, payment_hash: hash }
    const headers = { 'content-type': 'application/json' }
    for (const payload of [
      JSON.stringify(forged),
      JSON.stringify(JSON.stringify(forged)),
      '{',
      '',
    ]) {
      site.clock.ms += 1_500
      site.wallet.hint(hash)
      const answer = await site.app.inject({ method: 'POST', url: hint, headers, payload })
      expect([answer.statusCode, answer.json()]).toMatchObject([200, { looked: true }])
    }
    for (const [url, code] of [
      [`/api/v1/receipts/${made.receipt.token}/unsubscribe`, 200],
      ['/api/submissions', 402],
    ] as const) {
      const answer = await site.app.inject({ method: 'POST', url, headers, payload: '{' })
      expect([url, answer.statusCode]).toEqual([url, code])
    }
    await until(() => site.wallet.behaviour.lookUps > looked)
    expect(await submissions(site)).toEqual(['unpaid'])
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 3_000
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
  })

  it('while invoices are watched, a wallet that fails an invoice and is down closes submissions', async () => {
    site.wallet.behaviour.down = true
    await tryOrder(site)
    await until(() => site.payments.walletHealth.closedBecause() !== null)
    expect((await tryOrder(site)).status).toBe(503)
    site.wallet.behaviour.down = false
    await until(() => site.payments.walletHealth.closedBecause() === null)
  })
})

it('a full disk shows in the options and in /readyz, with a message', async () => {
  await using site = await world()
  const { sql } = site.database
  const options = () => site.read(paymentOptions)
  expect([(await options()).open, (await site.get('/readyz')).status]).toEqual([true, 200])
  await sql(`create function full_disk() returns trigger language plpgsql
      as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
  await sql('create trigger full_disk before insert on submissions execute function full_disk()')
  expect((await tryOrder(site)).status).toBe(503)
  expect(await options()).toMatchObject({
    open: false,
    closed_because: expect.stringMatching(/cannot store anything/),
  })
  expect(await site.get('/readyz')).toMatchObject({ status: 503, body: { why: 'disk full' } })
})

it('a submission stays if a visitor begins to pay while it is being removed', async () => {
  await using site = await world()
  await order(site)
  const { db, sql, pool } = site.database
  await sql(`update payments set next_look_at = null, status = 'expired'`)
  site.clock.ms += 40 * 24 * 60 * MINUTE
  const now = new Date(site.clock.ms).toISOString()
  const before = new Date(site.clock.ms - 30 * 24 * 60 * MINUTE).toISOString()
  // The removal has started when it reaches the payments, and waits there.
  await sql(`
    alter table payments rename to all_payments;
    create function waits() returns boolean volatile cost 0.001 language plpgsql as $$
      begin
        perform pg_advisory_lock_shared(1);
        return pg_advisory_unlock_shared(1);
      end $$;
    create view payments with (security_barrier) as select * from all_payments where waits()`)
  const visitor = await pool.connect()
  try {
    await visitor.query('select pg_advisory_lock(1)')
    const removed = removeUnpaid(db, { before, now, unchecked: '' })
    await until(async () => (await waitingForLocks(visitor)) > 0)
    await visitor.query('begin')
    await visitor.query('select 1 from submissions for update')
    await visitor.query(
      `insert into all_payments (id, submission_id, checking_hash, status, sats, wallet, network, created_at)
       select gen_random_uuid(), submission_id, 'another', 'creating', sats, wallet, network, $1 from all_payments`,
      [now],
    )
    await visitor.query('commit')
    await visitor.query('select pg_advisory_unlock(1)')
    expect(await removed).toBe(0)
  } finally {
    visitor.release()
  }
  const rows = await sql('select status from all_payments order by created_at')
  expect(rows).toEqual([{ status: 'expired' }, { status: 'creating' }])
  expect(await submissions(site)).toEqual(['unpaid'])
})
