// Over 400 lines: payments that go wrong and how they are repaired, with the same wallet.

import { describe, expect, it } from 'vitest'
import { listJobs, listPaymentsAdmin } from '#contracts/operations.ts'
import { paymentOptions } from '#contracts/payments.ts'
import { SourceError } from '#server/kit/failure.ts'
import { removeUnpaid } from '#server/payments/payments.jobs.ts'
import { checkedState, orderSubmission } from '#server/payments/payments.service.ts'
import { paymentBy, markPaid } from '#server/payments/payments.store.ts'
import { type InvoiceRef } from '#server/payments/ports.ts'
import { openSite } from '#server/site.ts'
import {
  MINUTE,
  NOON,
  Failed,
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
  type World,
} from '#tests/support/payment-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { ledgerWallet, type LedgerWallet } from '#tests/support/stand-ins/ledger-wallet.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { SILENT, testPorts } from '#tests/support/test-site.ts'
import { until, waitingForLocks } from '#tests/support/waiting.ts'

const site = sharedWorld()

describe('a payment', () => {
  it("after the invoice's expiry still counts, as paid late", async () => {
    const made = await order(site)
    site.clock.ms += 11 * MINUTE
    expect(await check(site, made)).toMatchObject({ paid: false, status: 'expired' })
    expect(await payNow(site, made)).toMatchObject({ paid: true, status: 'paid_late', late: true })
    expect(await submissions(site)).toEqual(['pending'])
    expect((await receipt(site, made)).hint).toContain('It still counts')
  })

  it('settled forty times at once, for two invoices of one form, pays once and is overpaid once', async () => {
    const first = await order(site)
    const second = await order(site, { receipt: first.receipt.token })
    const { db } = site.database
    const rows = await Promise.all(
      [first, second].map((made) => paymentBy(db, 'paymentHash', made.invoice.payment_hash)),
    )
    const arrival = {
      isLate: false,
      receivedMsat: null,
      countedSats: 21,
      settledAt: null,
      paidAt: '2026-11-20T12:00:01Z',
    }
    const became = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const payment = rows[i % 2]
        return payment ? markPaid(db, payment, arrival) : Promise.resolve(null)
      }),
    )
    expect(became.flatMap((one) => one?.status ?? []).toSorted()).toEqual(['overpaid', 'paid'])
    expect(await submissions(site)).toEqual(['pending'])
  })

  it('of a wrong amount counts as received, with a note', async () => {
    const admin = await signedIn(site)
    for (const [claims, sats, message] of [
      [20_999, 20, '20.999 of 21 sats arrived: 0.001 sats less than was asked'],
      [-21_000, 0, '0 of 21 sats arrived: 21 sats less than was asked'],
      [42_000, 21, '42 sats arrived: 21 sats more than was asked'],
      // No wallet reports a fractional amount.
      [21_000.5, 21, null],
    ] as const) {
      const made = await order(site)
      Object.assign(site.wallet.behaviour, { claims })
      site.clock.ms += 2_000
      expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid' })
      const { payment, hint } = await receipt(site, made)
      const received_msat = message === null ? null : Math.max(0, claims)
      expect(payment).toMatchObject({ paid: true, sats, asked_sats: 21, received_msat })
      expect(hint ?? '').toContain(message ?? '')
      const { rows } = await admin.read(listPaymentsAdmin)
      const [short, extra] = [sats < 21, claims > 22_000]
      expect(rows[0]).toMatchObject({ received_msat, short, extra })
    }
    expect(await submissions(site)).toEqual(['pending', 'pending', 'pending', 'pending'])
  })

  it("in time by the wallet's clock is not late", async () => {
    const skew = -4 * MINUTE
    site.ledger.lies = { createdMs: site.clock.ms + skew }
    const made = await order(site)
    expect(made.expires_in_ms).toBe(360_000)
    site.clock.ms += 5.5 * MINUTE
    expect(await check(site, made)).toMatchObject({ status: 'pending' })
    site.ledger.pay(made.invoice.payment_request)
    const entry = site.ledger.entries.get(made.invoice.payment_hash)
    if (entry) entry.settledMs = site.clock.ms + skew
    site.clock.ms += 5 * MINUTE
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid', late: false })
  })

  it.each([
    [1, 'paid'],
    [20, 'paid_late'],
  ])('without a time from the wallet, %i min after Cancel, is %s', async (minutes, status) => {
    const made = await order(site)
    await call(site, 'POST', `/api/v1/payments/${made.invoice.checking_id}/cancel`)
    site.wallet.behaviour.claims = 'settled'
    site.clock.ms += minutes * MINUTE
    expect(await check(site, made)).toMatchObject({ paid: true, status })
  })

  it('after a clock far ahead was set back is noticed', async () => {
    const made = await order(site)
    site.clock.ms += 60 * 24 * 60 * MINUTE
    await look(site)
    const rows = await site.sql('select next_look_at as next from payments')
    expect(rows).toEqual([{ next: null }])
    site.clock.ms = NOON + MINUTE
    site.ledger.pay(made.invoice.payment_request)
    // Found by the job for ended invoices, checked by the one for open invoices.
    await look(site)
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
  })

  it('received while the server was away is found at its start', async () => {
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
})

describe('an invoice', () => {
  it('that differs from the request, or was sold before, is never shown', async () => {
    await order(site)
    for (const lies of [{ msat: 42_000 }, { hash: true }, { replay: true }]) {
      site.ledger.lies = lies
      const { status, body } = await tryOrder(site)
      expect([status, JSON.stringify(body)]).toEqual([503, expect.not.stringContaining('lnbc')])
    }
    expect(await submissions(site)).toEqual(['unpaid', 'unpaid', 'unpaid', 'unpaid'])
  })

  it('does not expire while the wallet is away, and the page says that it cannot be checked', async () => {
    const made = await order(site)
    site.wallet.behaviour.down = true
    // Longer than invoices are watched.
    site.clock.ms += 72 * 60 * MINUTE
    await look(site)
    const found = await check(site, made)
    expect(found).toMatchObject({ paid: false, status: 'pending', checked: false })
    const { hint, payment } = await receipt(site, made)
    expect(hint).toContain('nothing is lost')
    expect(payment.tries).toMatchObject([{ status: 'pending', payment_request: null }])
    const lastError = async () =>
      (await site.sql('select last_error as said from payments'))[0]?.said
    expect(await lastError()).toEqual(expect.any(String))
    site.ledger.pay(made.invoice.payment_request)
    site.wallet.behaviour.down = false
    site.clock.ms += 10 * MINUTE
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
    // A settled payment has no more problems.
    expect(await lastError()).toBeNull()
  })

  it('is looked up again after the pause that the wallet requests', async () => {
    const made = await order(site)
    const busy = new SourceError('busy', 'The wallet asks us to wait.', 7 * MINUTE)
    Object.assign(site.wallet, { lookUp: () => Promise.reject(busy) })
    await check(site, made)
    const payment = await paymentBy(site.database.db, 'paymentHash', made.invoice.payment_hash)
    expect(Date.parse(payment?.nextLookAt ?? '')).toBe(site.clock.ms + 7 * MINUTE)
  })

  it('unknown to its wallet blocks nothing once it has expired', async () => {
    const made = await order(site)
    site.ledger.entries.clear()
    const again = { receipt: made.receipt.token }
    site.clock.ms += 2_000
    expect(await check(site, made)).toMatchObject({ status: 'pending', checked: false })
    expect((await tryOrder(site, again)).status).toBe(503)
    site.clock.ms += 11 * MINUTE
    expect(await check(site, made)).toMatchObject({ status: 'expired', checked: false })
    expect((await tryOrder(site, again)).status).toBe(200)
  })

  it('that may have been paid blocks a second payment until it can be checked', async () => {
    const made = await order(site)
    for (let i = 0; i < 6; i += 1) await order(site, { receipt: made.receipt.token })
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    const again = { receipt: made.receipt.token }
    const { lookUp } = site.wallet
    Object.assign(site.wallet, {
      lookUp: (request: InvoiceRef, signal: AbortSignal) =>
        request.ref === made.invoice.payment_hash
          ? Promise.reject(new SourceError('down', 'The wallet is busy.'))
          : lookUp(request, signal),
    })
    const { status, body } = await tryOrder(site, again)
    expect([status, Failed.parse(body).error]).toEqual([
      503,
      'An earlier payment cannot be checked at the moment; please wait.',
    ])
    expect(site.ledger.entries.size).toBe(7)
    Object.assign(site.wallet, { lookUp })
    site.clock.ms += 2_000
    expect((await tryOrder(site, again)).status).toBe(409)
  })
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

  it('while invoices are watched, one is still checked a day after its expiry, and then no more', async () => {
    const made = await order(site)
    site.clock.ms += 11 * MINUTE
    await look(site)
    const { hint, payment } = await receipt(site, made)
    expect(payment.tries).toMatchObject([{ status: 'expired' }])
    expect(hint).toContain('watched until 22/11/2026')
    site.clock.ms += 24 * 60 * MINUTE
    site.ledger.pay(made.invoice.payment_request)
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
    const other = await order(site)
    site.clock.ms += 49 * 60 * MINUTE
    await look(site)
    const rows = await site.sql('select next_look_at as next from payments')
    expect(rows).toEqual([{ next: null }, { next: null }])
    // A visitor's request still looks it up.
    expect(await payNow(site, other)).toMatchObject({ paid: true, status: 'paid_late' })
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

describe('an invoice of another wallet', () => {
  const message: string[] = []
  const log = { ...SILENT, warn: (_: object, text: string) => void message.push(text) }

  /** The same site started again, with another ledger's wallet by default. */
  async function startedAgain(site: World, identity: string, wallet?: LedgerWallet) {
    const own = wallet ?? ledgerWallet(standInLedger(site.clock.now))
    const ports = testPorts(site.kit, { wallet: own, walletIdentity: identity })
    const { payments, stop } = await openSite({ ...site.kit, log }, ports)
    return Object.assign(payments, { [Symbol.asyncDispose]: () => stop() })
  }

  it('is not checked and never expires; the operator learns it at the start, the payer on the receipt', async () => {
    message.length = 0
    const made = await order(site)
    await order(site, { amount: 500 })
    await using other = await startedAgain(site, 'another wallet')
    other.start()
    const text =
      '2 open invoices over 521 sats in all came from another wallet than the one in the settings.'
    expect(await other.warnings()).toEqual([
      { name: 'other-wallet', text: expect.stringContaining(text) },
    ])
    await until(() => Promise.resolve(message.some((one) => one.startsWith(text))))
    const { checking_id: id } = made.invoice
    const request = (): Promise<unknown> => checkedState(other.payments, id)
    expect(await request()).toMatchObject({ paid: false, status: 'pending', checked: false })
    // Nobody is asked to pay if the payment could not be seen.
    expect(await other.receipts.receipt(made.receipt.token)).toMatchObject({
      state: expect.stringContaining('Please do not pay this invoice now'),
      payment: { tries: [{ status: 'pending', payment_request: null }] },
    })
    site.clock.ms += 11 * MINUTE
    expect(await request()).toMatchObject({ status: 'pending', checked: false })
    expect((await other.receipts.receipt(made.receipt.token)).hint).toContain(
      'has changed its wallet',
    )
    // One log line for all of them.
    expect(message.filter((one) => one.includes('another wallet'))).toHaveLength(1)
    // The payment is found once the former settings are restored.
    expect(await payNow(site, made)).toMatchObject({ paid: true })
  })

  it('blocks a new one until it cannot be paid any more; the payer learns why and until when', async () => {
    const made = await order(site)
    await using other = await startedAgain(site, 'another wallet')
    const { token } = made.receipt
    const by = { idempotencyKey: null, address: '10.0.0.1' }
    await expect(
      orderSubmission(other.payments, { receipt: token, amount: 21 }, by),
    ).rejects.toThrow(
      /^This site has changed its wallet .* can be paid until 20\/11\/2026 at 12:10 UTC;/,
    )
    site.clock.ms += 11 * MINUTE
    expect(await orderSubmission(other.payments, { receipt: token, amount: 21 }, by)).toMatchObject(
      {
        receipt: { token },
      },
    )
    expect((await other.receipts.receipt(token)).payment.tries).toMatchObject([
      { status: 'pending', payment_request: null },
      { status: 'pending', payment_request: expect.stringMatching(/^ln/) },
    ])
  })

  it('that had expired before is not reported as watched', async () => {
    const made = await order(site)
    site.clock.ms += 11 * MINUTE
    expect(await check(site, made)).toMatchObject({ status: 'expired', checked: true })
    await using other = await startedAgain(site, 'another wallet')
    site.clock.ms += 2_000
    const { checking_id: id } = made.invoice
    expect(await checkedState(other.payments, id)).toMatchObject({
      status: 'expired',
      checked: false,
    })
    expect(await other.receipts.receipt(made.receipt.token)).toMatchObject({
      state: expect.stringContaining('cannot be checked'),
      hint: expect.stringContaining('we can look in the former wallet'),
    })
  })

  it('an invoice of a wallet with a new key or address is checked as before, and is not reported any more', async () => {
    const made = await order(site)
    await using other = await startedAgain(site, 'another key', site.wallet)
    expect(await other.warnings()).toHaveLength(1)
    const { checking_id: id } = made.invoice
    expect(await checkedState(other.payments, id)).toMatchObject({ paid: false, checked: true })
    expect(await other.warnings()).toEqual([])
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    expect(await checkedState(other.payments, id)).toMatchObject({ paid: true })
  })

  it('is listed for administrators, whatever its amount', async () => {
    const admin = await signedIn(site)
    for (let i = 0; i < 3; i += 1) await order(site)
    // More than a database integer.
    await site.sql(`update payments set wallet = 'lnd', sats = 1000000000`)
    const { warnings } = await admin.read(listJobs)
    expect(warnings).toMatchObject([
      { text: expect.stringMatching(/^3 open invoices over 3,000,000,000 sats/) },
    ])
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

describe('an unpaid submission', () => {
  const DAY = 24 * 60 * MINUTE

  /** Removes old rows, as the daily job does. */
  const remove = (site: World): Promise<void> => site.jobs.drain('unpaid-removal')

  it('removes unpaid submissions after 30 days but counts them; paid or watched ones stay', async () => {
    const old = await order(site)
    await order(site, { receipt: old.receipt.token, amount: 500 })
    await order(site, { data: { expert_name: 'Expert B' } })
    const paid = await order(site, { data: { expert_name: 'Paid' } })
    await order(site, { receipt: paid.receipt.token, data: { expert_name: 'Paid' } })
    await payNow(site, paid)
    site.ledger.lies = { expirySeconds: 40 * 86_400 }
    const watched = await order(site, { data: { expert_name: 'Watched' } })
    site.ledger.lies = {}
    site.clock.ms += 1_000
    const unchecked = await order(site, { data: { expert_name: 'Unchecked' } })
    const wallet = `update payments set wallet = 'lnd' where submission_id =
      (select id from submissions where expert_name = 'Unchecked')`
    await site.sql(wallet)
    await site.sql(`update payments set next_look_at = null where watch_until < '2026-12-01'`)
    // It was away when the watch ended, and is asked again for as long as that lasts.
    await order(site, { data: { expert_name: 'Wallet away' } })
    await site.sql(
      `update payments set status = 'expired', next_look_at = '2027-01-01' where submission_id =
        (select id from submissions where expert_name = 'Wallet away')`,
    )
    site.clock.ms += 29 * DAY
    const young = await order(site, { data: { expert_name: 'Young' } })
    site.clock.ms += 2 * DAY
    expect(await check(site, unchecked)).toMatchObject({ status: 'pending', checked: false })
    await remove(site)
    const rows = await site.sql(
      `select expert_name as name, (select count(*) from payments where submission_id = s.id)::int as tries
       from submissions s order by created_at`,
    )
    expect(rows).toEqual([
      { name: 'Paid', tries: 2 },
      { name: 'Watched', tries: 1 },
      { name: 'Unchecked', tries: 1 },
      { name: 'Wallet away', tries: 1 },
      { name: 'Young', tries: 1 },
    ])
    const counts = await site.sql(
      'select day::text, submissions, invoices, sats::int from removed_unpaid',
    )
    expect(counts).toEqual([{ day: '2026-11-20', submissions: 2, invoices: 3, sats: 542 }])
    for (const made of [paid, watched, unchecked, young])
      expect((await receipt(site, made)).path).toBe(made.receipt.path)
    const gone = await call(site, 'GET', `/api/v1/receipts/${old.receipt.token}`)
    expect([gone.status, Failed.parse(gone.body).error]).toEqual([
      404,
      expect.stringContaining('is removed after 30 days'),
    ])
    // A browser with the receipt gets a new one.
    const again = await order(site, { receipt: old.receipt.token })
    expect(again.receipt.token).not.toBe(old.receipt.token)
  })

  it('a submission stays if a visitor begins to pay while it is being removed', async () => {
    await using site = await world()
    await order(site)
    const { db, sql, pool } = site.database
    await sql(`update payments set next_look_at = null, status = 'expired'`)
    site.clock.ms += 40 * DAY
    const now = new Date(site.clock.ms).toISOString()
    const before = new Date(site.clock.ms - 30 * DAY).toISOString()
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
})
