// Over 400 lines: one story for each of the fourteen ways to lose money.
import { checkedState } from '#server/payments/payments.service.ts'
import { listPaymentsAdmin } from '#contracts/payments-admin.ts'
import { createInvoice } from '#contracts/payments.ts'
import { openSite } from '#server/site.ts'
import { PAYMENT_LIMITS } from '#server/payments/payment-limits.service.ts'
import { listPayments } from '#server/payments/payments-admin.store.ts'
import { paymentByHash, markPaid } from '#server/payments/payments.store.ts'
import {
  MINUTE,
  NOON,
  SUBMISSION,
  Failed,
  world,
  call,
  order,
  check,
  receipt,
  submissions,
  type World,
} from '#tests/support/payment-world.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { ledgerWallet } from '#tests/support/stand-ins/ledger-wallet.ts'
import { describe, expect, it } from 'vitest'
import { waitingForLocks } from '#tests/support/waiting-queries.ts'
import { until } from '#tests/support/waiting.ts'

describe('the fourteen ways to lose money', () => {
  it('1: an invoice paid after its end still counts, as paid late', async () => {
    await using site = await world()
    const made = await order(site)
    site.clock.ms += 11 * MINUTE
    expect(await check(site, made)).toMatchObject({ paid: false, status: 'expired' })
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid_late', late: true })
    expect(await submissions(site)).toEqual(['pending'])
    expect((await receipt(site, made)).hint).toContain('It still counts')
  })

  it('2 and 3: it counts without a browser', async () => {
    await using site = await world()
    site.payments.start()
    const made = await order(site)
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 3_000
    await until(async () => (await submissions(site))[0] === 'pending')
    expect((await receipt(site, made)).payment.paid).toBe(true)
  })

  it('2: it counts also while the wallet answers nothing about many older ones', async () => {
    await using site = await world()
    const older: string[] = []
    for (let i = 0; i < 9; i += 1) older.push((await order(site)).invoice.payment_hash)
    await site.database.pool.query(`update payments set status = 'expired'`)
    site.clock.ms += 11 * MINUTE
    const { lookUp } = site.wallet
    const { promise, resolve } = Promise.withResolvers<undefined>()
    let asked = 0
    Object.assign(site.wallet, {
      lookUp: async (...given: Parameters<typeof lookUp>) => {
        if (older.includes(given[0].paymentHash)) {
          asked += 1
          await promise
        }
        return lookUp(...given)
      },
    })
    site.payments.start()
    try {
      await until(() => asked > 0)
      const made = await order(site)
      site.ledger.pay(made.invoice.payment_request)
      site.clock.ms += 3_000
      await until(async () => (await submissions(site)).includes('pending'))
      expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid' })
    } finally {
      resolve(undefined)
    }
  })

  it('2: a day after its end it is still looked after, and then no more', async () => {
    await using site = await world()
    site.payments.start()
    const made = await order(site)
    site.clock.ms += 11 * MINUTE
    await until(async () => (await receipt(site, made)).payment.tries[0]?.status === 'expired')
    site.clock.ms += 24 * 60 * MINUTE
    site.ledger.pay(made.invoice.payment_request)
    await until(async () => (await submissions(site))[0] === 'pending')
    const other = await order(site)
    site.clock.ms += 49 * 60 * MINUTE
    await until(async () => {
      const { rows } = await site.database.pool.query(
        'select 1 from payments where next_look_at is not null',
      )
      return rows.length === 0
    })
    // A visitor who asks for it still gets the truth.
    site.ledger.pay(other.invoice.payment_request)
    site.clock.ms += 2_000
    expect(await check(site, other)).toMatchObject({ paid: true, status: 'paid_late' })
  })

  it('2: an invoice that its wallet lets live for a week is watched until two days after that', async () => {
    await using site = await world()
    site.payments.start()
    site.ledger.lies = { expirySeconds: 7 * 86_400 }
    const made = await order(site)
    expect(made.expires_in_ms).toBe(600_000)
    site.clock.ms += 11 * MINUTE
    await until(async () => (await receipt(site, made)).payment.tries[0]?.status === 'expired')
    expect((await receipt(site, made)).hint).toContain('watched until 29/11/2026')
    const last = async (): Promise<string | undefined> =>
      (
        await site.database.pool.query<{ at: Date }>('select last_look_at as at from payments')
      ).rows[0]?.at.toISOString()
    for (const day of ['2026-11-22', '2026-11-23', '2026-11-26', '2026-11-28']) {
      site.clock.ms = Date.parse(`${day}T13:00:00Z`)
      await until(async () => (await last())?.startsWith(day) === true)
    }
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms = Date.parse('2026-11-29T11:00:00Z')
    await until(async () => (await submissions(site))[0] === 'pending')
  })

  it('4: what was paid while the server was away is found at its start', async () => {
    await using site = await world()
    const made = await order(site)
    await site.database.pool.query(`update payments set next_look_at = '2026-11-21T00:00:00Z'`)
    site.ledger.pay(made.invoice.payment_request)
    site.payments.start()
    await until(async () => (await submissions(site))[0] === 'pending')
    expect((await receipt(site, made)).payment.paid).toBe(true)
  })

  it('5: a thousand checks at once, from two processes, credit it once', async () => {
    await using site = await world()
    const made = await order(site)
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    await using kit = testKit(site.database.url, { clock: site.clock })
    const other = await openSite(kit, testPorts(kit, { wallet: site.wallet }))
    site.payments.start()
    other.payments.start()
    const { checking_id: id } = made.invoice
    const states = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) =>
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

  it('5: of forty settlements of two payments of one form at once, one pays and one is overpaid', async () => {
    await using site = await world()
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

  it('6: a forged notice only has the payment looked up', async () => {
    await using site = await world()
    site.payments.start()
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
  })

  it('7: nothing of the wallet but the invoice reaches the page', async () => {
    await using site = await world()
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
    await using site = await world()
    site.wallet.mood.losesAnswers = true
    const body = { amount: 21, submissionData: SUBMISSION }
    const key = { 'idempotency-key': 'press-of-the-button-1' }
    const lost = await call(site, 'POST', createInvoice.path, body, key)
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
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    expect(await check(site, made)).toMatchObject({ paid: true })
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
    await using site = await world()
    site.ledger.lies = lies
    const { status } = await call(site, 'POST', createInvoice.path, {
      amount: 21,
      submissionData: SUBMISSION,
    })
    expect(status).toBe(503)
    expect(await submissions(site)).toEqual(['unpaid'])
  })

  it('9: an invoice that was sold before is never shown again', async () => {
    await using site = await world()
    await order(site)
    site.ledger.lies = { replay: true }
    const { status } = await call(site, 'POST', createInvoice.path, {
      amount: 21,
      submissionData: SUBMISSION,
    })
    expect(status).toBe(503)
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
      await using site = await world()
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
    await using site = await world()
    const made = await order(site)
    site.wallet.mood.claims = 21_000.5
    site.clock.ms += 2_000
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid' })
    expect((await receipt(site, made)).payment).toMatchObject({ sats: 21, received_msat: null })
  })

  it('10: all tries of one form count for one submission; a second payment is noted for giving back', async () => {
    await using site = await world()
    const first = await order(site)
    await call(site, 'POST', `/api/v1/payments/${first.invoice.checking_id}/cancel`)
    const { token } = first.receipt
    const second = await order(site, { receipt: token, amount: 500 })
    expect(second.receipt.token).toBe(token)
    site.ledger.pay(first.invoice.payment_request)
    site.clock.ms += 2_000
    expect(await check(site, first)).toMatchObject({ paid: true, overpaid: false })
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
    const third = await call(site, 'POST', createInvoice.path, {
      amount: 1,
      submissionData: SUBMISSION,
      receipt: token,
    })
    expect([third.status, Failed.parse(third.body).code]).toEqual([409, 'conflict'])
  })

  it('11: while the wallet is away nothing expires, and the page says that it cannot be checked', async () => {
    await using site = await world()
    site.payments.start()
    const made = await order(site)
    site.wallet.mood.down = true
    site.clock.ms += 20 * MINUTE
    expect(await check(site, made)).toMatchObject({
      paid: false,
      status: 'pending',
      checked: false,
    })
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
    await until(async () => (await submissions(site))[0] === 'pending')
    // What is settled has no trouble any more.
    expect(await lastError()).toBeNull()
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
      await using site = await world()
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
      await using site = await world()
      site.ledger.lies = { createdMs: site.clock.ms + minutes * MINUTE }
      const asked = { amount: 21, submissionData: SUBMISSION }
      expect((await call(site, 'POST', createInvoice.path, asked)).status).toBe(503)
    },
  )

  it('13: after our clock was set back, visitors may still submit, and what they pay is noticed', async () => {
    await using site = await world({ options: { payments: { mostAnAddress: 2, mostAMinute: 3 } } })
    const before = await order(site)
    const here = '192.0.2.77'
    expect(await codesOf(site, [here, here, here])).toEqual([200, 200, 429])
    // Not before: the clock does not move, so what comes after the first round is never due.
    site.payments.start()
    await until(async () => {
      const { rows } = await site.database.pool.query(
        'select 1 from payments where last_look_at is null or next_look_at <= last_look_at',
      )
      return rows.length === 0
    })
    site.clock.ms -= 180 * MINUTE
    site.ledger.pay(before.invoice.payment_request)
    await until(async () => (await submissions(site)).includes('pending'))
    // What an address has begun by the clock of before counts no more, as it would for hours.
    expect(await codesOf(site, [here])).toEqual([200])
    expect(await order(site)).toMatchObject({ sats: 21 })
  })

  it('14: invoices are limited by address, by prefix and in all, and the answer says when to try again', async () => {
    await using site = await world({
      options: { payments: { mostAnAddress: 3, mostAPrefix: 4, mostAMinute: 8 } },
    })
    const one = Array.from({ length: 4 }, () => '192.0.2.1')
    expect(await codesOf(site, one)).toEqual([200, 200, 200, 429])
    site.clock.ms += 20_000
    // The fourth of the prefix, and the fifth.
    expect(await codesOf(site, ['::ffff:192.0.2.2', '192.0.2.3'])).toEqual([200, 429])
    const refused = await orderFrom(site, '192.0.2.3')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '40'])
    const others = [3, 4, 5, 6, 7].map((n) => `192.0.${String(n)}.1`)
    expect(await codesOf(site, others)).toEqual([200, 200, 200, 200, 429])
    expect((await orderFrom(site, '192.0.8.1')).headers['retry-after']).toBe('40')
    site.clock.ms += 2 * MINUTE
    expect(await codesOf(site, ['192.0.2.30'])).toEqual([200])
  })

  it('14: all networks of one IPv6 prefix share as one', async () => {
    await using site = await world({ options: { payments: { mostAPrefix: 3 } } })
    const addresses = [1, 2, 3, 4].map((n) => `2001:db8:7:${String(n)}::1`)
    expect(await codesOf(site, [...addresses, '2001:db8:8::1'])).toEqual([200, 200, 200, 429, 200])
  })

  it('14: two processes count invoices of an address, a prefix and everyone together, also when asked at once', async () => {
    const payments = { mostAnAddress: 3, mostAPrefix: 4, mostAMinute: 12 }
    await using site = await world({ options: { payments } })
    const kit = { ...testKit(site.database.url, { clock: site.clock }), config: site.kit.config }
    const second = await openSite(kit, testPorts(kit, { wallet: site.wallet }), {
      busy: { afterMs: 0, sampleMs: 5_000 },
      payments,
    })
    const statusOf = async (n: number, remoteAddress: string) =>
      (await orderFrom(n % 2 ? { app: second.app } : site, remoteAddress)).statusCode
    const taken = async (addresses: readonly string[]) => {
      const codes = await Promise.all(addresses.map((one, n) => statusOf(n, one)))
      expect(codes.filter((code) => code !== 200 && code !== 429)).toEqual([])
      return codes.filter((code) => code === 200).length
    }
    expect(await taken(Array.from({ length: 8 }, () => '192.0.2.1'))).toBe(3)
    expect(await taken(Array.from({ length: 6 }, (_, n) => `192.0.2.${String(n + 10)}`))).toBe(1)
    expect(await taken(Array.from({ length: 10 }, (_, n) => `192.0.${String(n + 10)}.1`))).toBe(8)
    const { rows } = await site.database.pool.query('select * from payment_starts')
    expect(rows).toHaveLength(12)
    expect(JSON.stringify(rows)).not.toContain('192.0')
    // Once their invoices have ended nothing tells any more where they were begun.
    site.clock.ms += 11 * MINUTE
    expect(await taken(['198.51.100.1'])).toBe(1)
    expect((await site.database.pool.query('select 1 from payment_starts')).rows).toHaveLength(1)
    await second.stop({ kept: () => Promise.resolve() })
    await kit[Symbol.asyncDispose]()
  })

  it('14: an address that creates and cancels without end leaves room for newcomers', async () => {
    const {
      mostAnAddress,
      mostOpenAnAddress,
      mostAPrefix,
      mostOpenAPrefix,
      mostAMinute,
      mostOpen,
    } = PAYMENT_LIMITS
    const limits = {
      mostAnAddress,
      mostOpenAnAddress,
      mostAPrefix,
      mostOpenAPrefix,
      mostAMinute,
      mostOpen,
    }
    await using site = await world({ options: { payments: limits } })
    let taken = 0
    for (let round = 0; round < mostAnAddress; round += 1) {
      for (let n = 1; n <= 11; n += 1) {
        const answer = await orderFrom(site, `198.51.${String(n)}.1`)
        if (answer.statusCode !== 200) continue
        taken += 1
        const { invoice } = createInvoice.reply.parse(answer.json())
        await call(site, 'POST', `/api/v1/payments/${invoice.checking_id}/cancel`)
      }
    }
    expect(taken).toBe(mostAMinute / 2)
    // Another visitor comes, and again.
    expect(await codesOf(site, ['203.0.113.1', '203.0.113.1', '192.0.2.1'])).toEqual([
      200, 200, 200,
    ])
  })

  it('14: an address that leaves invoices open leaves room for newcomers', async () => {
    await using site = await world({ options: { payments: { mostOpen: 10 } } })
    const many = Array.from({ length: 7 }, () => '198.51.100.1')
    expect(await codesOf(site, many)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await codesOf(site, ['203.0.113.1', '192.0.2.1'])).toEqual([200, 200])
  })

  it('14: seven at once get no more than the four invoices that may be open', async () => {
    const gate = Promise.withResolvers<void>()
    const ledger = standInLedger(() => NOON)
    const { createInvoice: make } = ledgerWallet(ledger)
    let [asked, refused] = [0, 0]
    await using site = await world(
      { options: { payments: { mostOpen: 4 } } },
      {
        createInvoice: async (...given) => {
          asked += 1
          await gate.promise
          return make(...given)
        },
      },
    )
    const other = await site.database.pool.connect()
    try {
      await other.query('begin')
      // What is there can be counted, and nothing can be added.
      await other.query('lock table payments in share mode')
      const all = [1, 2, 3, 4, 5, 6, 7].map(async (n) => {
        const { statusCode } = await orderFrom(site, `192.0.${String(n)}.1`)
        if (statusCode === 429) refused += 1
        return statusCode
      })
      await until(async () => (await waitingForLocks(other)) === all.length)
      await other.query('commit')
      // No invoice is made yet: all that are let in wait for theirs.
      await until(() => asked + refused === all.length)
      gate.resolve()
      expect((await Promise.all(all)).toSorted((a, b) => a - b)).toEqual([
        200, 200, 200, 200, 429, 429, 429,
      ])
    } finally {
      other.release()
    }
  })
})

function orderFrom(site: Pick<World, 'app'>, remoteAddress: string) {
  const payload = { amount: 1, submissionData: SUBMISSION }
  return site.app.inject({ method: 'POST', url: createInvoice.path, payload, remoteAddress })
}

async function codesOf(site: World, addresses: readonly string[]): Promise<number[]> {
  const codes = []
  for (const address of addresses) codes.push((await orderFrom(site, address)).statusCode)
  return codes
}
