import { checkedState } from '#server/payments/payments.service.ts'
import { listPaymentsAdmin } from '#contracts/payments-admin.ts'
import { openSite } from '#server/site.ts'
import { listPayments } from '#server/payments/payments-admin.service.ts'
import { paymentByHash, markPaid } from '#server/payments/payments.store.ts'
import {
  MINUTE,
  NOON,
  Failed,
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
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { describe, expect, it } from 'vitest'
import { until } from '#tests/support/waiting.ts'

describe('the fourteen ways to lose money', () => {
  const site = sharedWorld()

  it('1: an invoice paid after its end still counts, as paid late', async () => {
    const made = await order(site)
    site.clock.ms += 11 * MINUTE
    expect(await check(site, made)).toMatchObject({ paid: false, status: 'expired' })
    expect(await payNow(site, made)).toMatchObject({ paid: true, status: 'paid_late', late: true })
    expect(await submissions(site)).toEqual(['pending'])
    expect((await receipt(site, made)).hint).toContain('It still counts')
  })

  it('5: of forty settlements of two payments of one form at once, one pays and one is overpaid', async () => {
    const first = await order(site)
    const second = await order(site, { receipt: first.receipt.token })
    const { db } = site.database
    const rows = await Promise.all(
      [first, second].map((made) => paymentByHash(db, made.invoice.payment_hash)),
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

  it('7: nothing of the wallet but the invoice reaches the page', async () => {
    const made = await order(site)
    const [entry] = site.ledger.entries.values()
    site.clock.ms += 2_000
    const all = JSON.stringify([made, await check(site, made), await receipt(site, made)])
    expect(all).not.toContain(entry?.preimage)
    expect((await receipt(site, made)).payment.tries).toMatchObject([{ preimage: null }])
    const stored = await site.database.pool.query('select * from payments, submissions')
    expect(JSON.stringify(stored.rows)).not.toContain(made.invoice.checking_id)
    expect(JSON.stringify(stored.rows)).not.toContain(made.receipt.token)
    expect(JSON.stringify(stored.rows)).not.toContain(entry?.preimage)
  })

  it('8: when the answer of the wallet is lost, no invoice is shown, and the same key tries again', async () => {
    site.wallet.mood.losesAnswers = true
    const lost = await tryOrder(site, { key: 'press-of-the-button-1' })
    expect([lost.status, Failed.parse(lost.body).error]).toEqual([
      503,
      'Failed to create payment invoice. Please try again.',
    ])
    const [entry] = site.ledger.entries.values()
    const { rows } = await site.database.pool.query<{ id: string; status: string }>(
      'select id, status from payments',
    )
    expect(rows).toEqual([{ id: entry?.label, status: 'failed' }])
    site.wallet.mood.losesAnswers = false
    const made = await order(site, { key: 'press-of-the-button-1' })
    expect(await payNow(site, made)).toMatchObject({ paid: true })
    expect((await submissions(site)).filter((status) => status === 'pending')).toHaveLength(1)
  })

  it.each([
    ['amount', { msat: 20_000 }],
    ['double amount', { msat: 42_000 }],
    ['network', { network: 'regtest' as const }],
    ['payment hash', { hash: true }],
    ['end', { expirySeconds: 60 }],
    ['day', { createdMs: NOON - 3 * 86_400_000 }],
  ])('9 and 12: an invoice of another %s is never shown', async (_, lies) => {
    site.ledger.lies = lies
    expect((await tryOrder(site)).status).toBe(503)
    expect(await submissions(site)).toEqual(['unpaid'])
  })

  it('9: an invoice that was sold before is never shown again', async () => {
    await order(site)
    site.ledger.lies = { replay: true }
    expect((await tryOrder(site)).status).toBe(503)
  })

  it.each([
    [20_999, 20, '20.999 of 21 sats arrived: 0.001 sats less than was asked'],
    [1_000, 1, '1 of 21 sats arrived: 20 sats less than was asked'],
    [0, 0, '0 of 21 sats arrived: 21 sats less than was asked'],
    [-21_000, 0, '0 of 21 sats arrived: 21 sats less than was asked'],
    [42_000, 21, '42 sats arrived: 21 sats more than was asked'],
  ])(
    '9: when %d millisats of 21 sats are reported as arrived, it counts with %d sats and says so',
    async (reported, sats, said) => {
      const admin = await signedIn(site)
      const made = await order(site)
      site.wallet.mood.claims = reported
      site.clock.ms += 2_000
      expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid' })
      expect(await submissions(site)).toEqual(['pending'])
      const shown = await receipt(site, made)
      const received = Math.max(0, reported)
      expect(shown.payment).toMatchObject({
        paid: true,
        sats,
        asked_sats: 21,
        received_msat: received,
      })
      expect(shown.hint).toContain(said)
      const { rows, counts } = listPaymentsAdmin.reply.parse(
        (await admin.call('GET', '/api/v1/admin/payments')).body,
      )
      const [short, extra] = [reported < 21_000, reported > 21_000]
      expect([rows[0], counts.odd]).toMatchObject([
        { received_msat: received, short, extra },
        short || extra ? 1 : 0,
      ])
    },
  )

  it('9: an amount that is not a whole number counts as unknown', async () => {
    const made = await order(site)
    site.wallet.mood.claims = 21_000.5
    site.clock.ms += 2_000
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid' })
    expect((await receipt(site, made)).payment).toMatchObject({ sats: 21, received_msat: null })
  })

  it('10: all tries of one form count for one submission; a second payment is noted for giving back', async () => {
    const first = await order(site)
    await call(site, 'POST', `/api/v1/payments/${first.invoice.checking_id}/cancel`)
    const { token } = first.receipt
    const second = await order(site, { receipt: token, amount: 500 })
    expect(second.receipt.token).toBe(token)
    expect(await payNow(site, first)).toMatchObject({ paid: true, overpaid: false })
    expect(await submissions(site)).toEqual(['pending'])
    site.ledger.pay(second.invoice.payment_request)
    expect(await check(site, second)).toMatchObject({
      paid: true,
      status: 'overpaid',
      overpaid: true,
    })
    expect(await submissions(site)).toEqual(['pending'])
    expect(await receipt(site, first)).toMatchObject({
      payment: { sats: 21, overpaid_sats: 500 },
      hint: /500 sats arrived in addition/,
    })
    expect(await listPayments(site.database.db, 'overpaid', 1)).toHaveLength(1)
    const third = await tryOrder(site, { amount: 1, receipt: token })
    expect([third.status, Failed.parse(third.body).code]).toEqual([409, 'conflict'])
  })

  it.each([
    [180, 600],
    [1, 600],
    [-0.2, 600],
    [-4, 360],
    [-9, 60],
  ])(
    '13: with the clock of the wallet %d minutes ahead, the page counts down %d seconds',
    async (minutes, seconds) => {
      const skew = minutes * MINUTE
      site.ledger.lies = { createdMs: site.clock.ms + skew }
      const made = await order(site)
      expect(made.expires_in_ms).toBe(seconds * 1_000)
      site.clock.ms += seconds * 1_000 - MINUTE / 2
      expect(await check(site, made)).toMatchObject({ status: 'pending' })
      site.ledger.pay(made.invoice.payment_request)
      const entry = site.ledger.entries.get(made.invoice.payment_hash)
      if (entry) entry.settledMs = site.clock.ms + skew
      site.clock.ms += 5 * MINUTE
      // Paid in time, by the clock that made it.
      expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid', late: false })
    },
  )

  it.each([-9.5, -10, -180])(
    '13: with the clock of the wallet %d minutes ahead, payers could not pay, and nothing is shown',
    async (minutes) => {
      site.ledger.lies = { createdMs: site.clock.ms + minutes * MINUTE }
      expect((await tryOrder(site)).status).toBe(503)
    },
  )
  it('4: what was paid while the server was away is found at its start', async () => {
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

  it('11: while the wallet is away nothing expires, and the page says that it cannot be checked', async () => {
    const made = await order(site)
    site.wallet.mood.down = true
    site.clock.ms += 20 * MINUTE
    await look(site)
    const found = await check(site, made)
    expect(found).toMatchObject({ paid: false, status: 'pending', checked: false })
    expect((await receipt(site, made)).hint).toContain('nothing is lost')
    const lastError = async () =>
      (
        await site.database.pool.query<{ said: string | null }>(
          'select last_error as said from payments',
        )
      ).rows[0]?.said
    expect(await lastError()).toEqual(expect.any(String))
    site.ledger.pay(made.invoice.payment_request)
    site.wallet.mood.down = false
    site.clock.ms += 10 * MINUTE
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
    // What is settled has no trouble any more.
    expect(await lastError()).toBeNull()
  })
})

describe('the fourteen ways to lose money while invoices are watched', () => {
  const site = sharedWorld({}, {}, watching)

  it('2: it counts also while the wallet answers nothing about many older ones', async () => {
    const older: string[] = []
    const { lookUp } = site.wallet
    const { promise, resolve } = Promise.withResolvers<undefined>()
    let asked = 0
    Object.assign(site.wallet, {
      lookUp: async (...given: Parameters<typeof lookUp>) => {
        if (older.includes(given[0].paymentHash) && site.clock.ms > NOON) {
          asked += 1
          await promise
        }
        return lookUp(...given)
      },
    })
    for (let i = 0; i < 9; i += 1) older.push((await order(site)).invoice.payment_hash)
    await site.database.pool.query(`update payments set status = 'expired'`)
    site.clock.ms += 11 * MINUTE
    const looking = site.jobs.drain('invoices-over')
    await until(() => asked > 0)
    const made = await order(site)
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 3_000
    await site.jobs.drain('invoices-open')
    expect(await submissions(site)).toContain('pending')
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid' })
    resolve(undefined)
    await looking
  })

  it('2: a day after its end it is still looked after, and then no more', async () => {
    const made = await order(site)
    site.clock.ms += 11 * MINUTE
    await look(site)
    expect((await receipt(site, made)).payment.tries).toMatchObject([{ status: 'expired' }])
    site.clock.ms += 24 * 60 * MINUTE
    site.ledger.pay(made.invoice.payment_request)
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
    const other = await order(site)
    site.clock.ms += 49 * 60 * MINUTE
    await look(site)
    const { rows } = await site.database.pool.query('select next_look_at as next from payments')
    expect(rows).toEqual([{ next: null }, { next: null }])
    // A visitor who asks for it still gets the truth.
    expect(await payNow(site, other)).toMatchObject({ paid: true, status: 'paid_late' })
  })

  it('2: an invoice that its wallet lets live for a week is watched until two days after that', async () => {
    site.ledger.lies = { expirySeconds: 7 * 86_400 }
    const made = await order(site)
    expect(made.expires_in_ms).toBe(600_000)
    site.clock.ms += 11 * MINUTE
    await look(site)
    expect((await receipt(site, made)).payment.tries).toMatchObject([{ status: 'expired' }])
    expect((await receipt(site, made)).hint).toContain('watched until 29/11/2026')
    const last = async (): Promise<string | undefined> =>
      (
        await site.database.pool.query<{ at: Date }>('select last_look_at as at from payments')
      ).rows[0]?.at.toISOString()
    for (const day of ['2026-11-22', '2026-11-23', '2026-11-26', '2026-11-28']) {
      site.clock.ms = Date.parse(`${day}T13:00:00Z`)
      await look(site)
      expect(await last()).toMatch(day)
    }
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms = Date.parse('2026-11-29T11:00:00Z')
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
  })

  it('5: two hundred checks at once, from two processes, credit it once', async () => {
    const made = await order(site)
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    await using kit = testKit(site.database.url, { clock: site.clock })
    const other = await openSite(kit, testPorts(kit, { wallet: site.wallet }))
    other.payments.start()
    const { checking_id: id } = made.invoice
    const states = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        i % 2 === 0 ? check(site, made) : checkedState(other.payments.payments, id),
      ),
    )
    for (let i = 0; i < 20; i += 1) site.wallet.hint(made.invoice.payment_hash)
    expect(states.every((state) => state.paid && state.status === 'paid')).toBe(true)
    expect(await submissions(site)).toEqual(['pending'])
    // Every check shares the look that is under way.
    expect(site.wallet.mood.lookUps).toBeLessThan(20)
    await other.stop()
  })

  it('2, 3 and 6: a forged notice only has the payment looked up, and a payment counts without a browser', async () => {
    const made = await order(site)
    const looked = site.wallet.mood.lookUps
    site.clock.ms += 1_500
    site.wallet.hint(made.invoice.payment_hash)
    const url = `/api/v1/payments/${made.invoice.checking_id}/hint`
    const forged = {
      pending: false,
      status: 'success',
      paid: true,
      payment_hash: made.invoice.payment_hash,
    }
    for (let i = 0; i < 3; i += 1) {
      expect(await call(site, 'POST', url, forged)).toMatchObject({
        status: 200,
        body: { looked: true },
      })
    }
    await until(() => Promise.resolve(site.wallet.mood.lookUps > looked))
    expect(await submissions(site)).toEqual(['unpaid'])
    expect(
      (await call(site, 'POST', '/api/v1/payments/aaaaaaaaaaaaaaaaaaaaaaaa/hint', forged)).status,
    ).toBe(404)
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 3_000
    await look(site)
    expect(await submissions(site)).toEqual(['pending'])
    expect((await receipt(site, made)).payment.paid).toBe(true)
  })
})

it('an invoice is looked up by itself two seconds after it was made', async () => {
  await using site = await world()
  site.jobs.work()
  const made = await order(site)
  site.ledger.pay(made.invoice.payment_request)
  site.clock.ms += 2_000
  const began = performance.now()
  await until(async () => (await submissions(site)).includes('pending'))
  expect(performance.now() - began).toBeLessThan(5_000)
})
