import { listPaymentsAdmin } from '#contracts/operations.ts'
import { paymentBy, markPaid } from '#server/payments/payments.store.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type InvoiceRef } from '#server/payments/ports.ts'
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
} from '#tests/support/payment-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { describe, expect, it } from 'vitest'
import { until } from '#tests/support/waiting.ts'

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
      const { body } = await admin.call('GET', listPaymentsAdmin.path)
      const { rows } = listPaymentsAdmin.reply.parse(body)
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

  it('without a time from the wallet is late by our clock, even after Cancel', async () => {
    const made = await order(site)
    await call(site, 'POST', `/api/v1/payments/${made.invoice.checking_id}/cancel`)
    site.wallet.behaviour.claims = 'settled'
    site.clock.ms += 20 * MINUTE
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid_late' })
  })

  it('after a clock far ahead was set back is noticed', async () => {
    const made = await order(site)
    site.clock.ms += 60 * 24 * 60 * MINUTE
    await look(site)
    const { rows } = await site.database.pool.query('select next_look_at as next from payments')
    expect(rows).toEqual([{ next: null }])
    site.clock.ms = NOON + MINUTE
    site.ledger.pay(made.invoice.payment_request)
    // Found by the job of invoices that are over, looked at by that of open ones.
    await look(site)
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
  })

  it('received while the server was away is found at its start', async () => {
    await using site = await world()
    const made = await order(site)
    await site.database.pool.query(`update payments set next_look_at = '2026-11-21T00:00:00Z'`)
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
      (
        await site.database.pool.query<{ said: string | null }>(
          'select last_error as said from payments',
        )
      ).rows[0]?.said
    expect(await lastError()).toEqual(expect.any(String))
    site.ledger.pay(made.invoice.payment_request)
    site.wallet.behaviour.down = false
    site.clock.ms += 10 * MINUTE
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
    // A settled payment has no more problems.
    expect(await lastError()).toBeNull()
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
    await site.database.pool.query(`update payments set status = 'expired'`)
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
    const { rows } = await site.database.pool.query('select next_look_at as next from payments')
    expect(rows).toEqual([{ next: null }, { next: null }])
    // A visitor still gets the truth on request.
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

  it.each(['an invoice', 'two look-ups'])(
    'while invoices are watched, a wallet that fails %s and is down closes submissions',
    async (what) => {
      const made = await order(site)
      site.wallet.behaviour.down = true
      if (what === 'an invoice') await tryOrder(site)
      else {
        for (let i = 0; i < 2; i += 1) {
          site.clock.ms += 2_000
          await check(site, made)
        }
      }
      await until(() => site.payments.walletHealth.closedBecause() !== null)
      expect((await tryOrder(site)).status).toBe(503)
      site.wallet.behaviour.down = false
      await until(() => site.payments.walletHealth.closedBecause() === null)
    },
  )
})
