// Over 400 lines: what goes wrong after an invoice was made, one story each, on the same world of wallets.
import { paymentOptions } from '#contracts/payments.ts'
import { listJobs } from '#contracts/operations.ts'
import { orderForReceipt } from '#server/payments/order-invoice.service.ts'
import { checkedState } from '#server/payments/payments.service.ts'
import { openSite } from '#server/site.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { ledgerWallet, type LedgerWallet } from '#tests/support/stand-ins/ledger-wallet.ts'
import { removeUnpaid } from '#server/payments/payments.jobs.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type InvoiceRef } from '#server/payments/ports.ts'
import {
  call,
  check,
  Failed,
  MINUTE,
  order,
  receipt,
  submissions,
  NO_LIMITS,
  sharedWorld,
  watching,
  world,
  type Ordered,
  type World,
  payNow,
  tryOrder,
} from '#tests/support/payment-world.ts'
import { SILENT, testPorts, testSettings } from '#tests/support/test-site.ts'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { waitingForLocks } from '#tests/support/waiting-queries.ts'
import { until } from '#tests/support/waiting.ts'

const site = sharedWorld()

describe('another form under an old receipt', () => {
  it('another form under an old receipt is a submission of its own: each payment brings what it was made for', async () => {
    const first = await order(site)
    await call(site, 'POST', `/api/v1/payments/${first.invoice.checking_id}/cancel`)
    const { token } = first.receipt
    const second = await order(site, { receipt: token, data: { notes: 'Another one.' } })
    expect(second.receipt.token).not.toBe(token)
    const paid = async (made: Ordered): Promise<void> => {
      expect(await payNow(site, made)).toMatchObject({ paid: true, overpaid: false })
    }
    await paid(first)
    await paid(second)
    for (const [made, notes] of [
      [first, 'She said so.'],
      [second, 'Another one.'],
    ] as const) {
      expect(await receipt(site, made)).toMatchObject({
        submission: { notes },
        payment: { paid: true, overpaid_sats: 0 },
        review: { status: 'pending' },
      })
    }
  })

  it('another form under an old receipt stays the same submission when only midnight has passed', async () => {
    const first = await order(site)
    site.clock.ms += 13 * 3_600_000
    const second = await order(site, { receipt: first.receipt.token })
    expect(second.receipt.token).toBe(first.receipt.token)
  })

  it('another form under an old receipt stays the same one of this year, whose last possible day moves on', async () => {
    const first = await order(site, { data: { prediction_made: '2026' } })
    site.clock.ms += 13 * 3_600_000
    const again = { receipt: first.receipt.token, data: { prediction_made: '2026' } }
    expect((await order(site, again)).receipt.token).toBe(first.receipt.token)
    const other = { ...again, data: { prediction_made: '2026-11-20' } }
    expect((await order(site, other)).receipt.token).not.toBe(first.receipt.token)
  })
})

describe('a visitor who may have paid', () => {
  it('a visitor who may have paid is not asked to pay again while that cannot be looked up', async () => {
    const made = await order(site)
    for (let i = 0; i < 6; i += 1) await order(site, { receipt: made.receipt.token })
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    const again = { receipt: made.receipt.token }
    const { lookUp } = site.wallet
    Object.assign(site.wallet, {
      lookUp: (asked: InvoiceRef, signal: AbortSignal) =>
        asked.ref === made.invoice.payment_hash
          ? Promise.reject(new SourceError('down', 'The wallet is busy.'))
          : lookUp(asked, signal),
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

describe('an invoice of another wallet', () => {
  const said: string[] = []
  const log = { ...SILENT, warn: (_: object, text: string) => void said.push(text) }

  /** The same site started again with a wallet of its own ledger, unless one is given. */
  async function startedAgain(site: World, identity: string, wallet?: LedgerWallet) {
    const own = wallet ?? ledgerWallet(standInLedger(site.clock.now))
    const ports = testPorts(site.kit, { wallet: own, walletIdentity: identity })
    const { payments, stop } = await openSite({ ...site.kit, log }, ports)
    return Object.assign(payments, { [Symbol.asyncDispose]: () => stop() })
  }

  it('an invoice of another wallet is not checked and never expires; the operator reads it at the start, and the payer on the receipt', async () => {
    said.length = 0
    const made = await order(site)
    await order(site, { amount: 500 })
    await using other = await startedAgain(site, 'another wallet')
    other.start()
    const text =
      '2 open invoices over 521 sats in all came from another wallet than the one in the settings.'
    expect(await other.warnings()).toEqual([
      { name: 'other-wallet', text: expect.stringContaining(text) },
    ])
    await until(() => Promise.resolve(said.some((one) => one.startsWith(text))))
    const { checking_id: id } = made.invoice
    const asked = (): Promise<unknown> => checkedState(other.payments, id)
    expect(await asked()).toMatchObject({ paid: false, status: 'pending', checked: false })
    // No one is asked to pay what could not be seen to arrive.
    expect(await other.receipts.receipt(made.receipt.token)).toMatchObject({
      state: expect.stringContaining('Please do not pay this invoice now'),
      payment: { tries: [{ status: 'pending', payment_request: null }] },
    })
    site.clock.ms += 11 * MINUTE
    expect(await asked()).toMatchObject({ status: 'pending', checked: false })
    expect((await other.receipts.receipt(made.receipt.token)).hint).toContain(
      'has changed its wallet',
    )
    // One line for all of them, and none for each.
    expect(said.filter((one) => one.includes('another wallet'))).toHaveLength(1)
    // What was paid there is found when the former settings are back.
    expect(await payNow(site, made)).toMatchObject({ paid: true })
  })

  it('an invoice of the demonstration says so on the receipt, and one of another wallet does not', async () => {
    const made = await order(site, { key: 'the-key-of-one-try' })
    await site.database.pool.query(`update payments set wallet = 'demonstration'`)
    site.clock.ms += 60 * MINUTE
    await order(site, { receipt: made.receipt.token })
    const { tries } = (await receipt(site, made)).payment
    expect(tries.map((one) => one.demonstration)).toEqual([true, false])
    // What was answered is answered again, whatever the wallet of today is.
    const again = await order(site, { key: 'the-key-of-one-try' })
    expect(again).toMatchObject({ invoice: made.invoice, demonstration: true })
  })

  it('an invoice of another wallet hinders a new one until it cannot be paid any more; the payer reads why and until when', async () => {
    const made = await order(site)
    await using other = await startedAgain(site, 'another wallet')
    const { token } = made.receipt
    const by = { idempotencyKey: null, address: '10.0.0.1' }
    await expect(orderForReceipt(other.payments, token, 21, by)).rejects.toThrow(
      /^This site has changed its wallet .* can be paid until 20\/11\/2026 at 12:10 UTC;/,
    )
    site.clock.ms += 11 * MINUTE
    expect(await orderForReceipt(other.payments, token, 21, by)).toMatchObject({
      receipt: { token },
    })
    expect((await other.receipts.receipt(token)).payment.tries).toMatchObject([
      { status: 'pending', payment_request: null },
      { status: 'pending', payment_request: expect.stringMatching(/^ln/) },
    ])
  })

  it('an invoice of another wallet that had ended before is not said to be watched, as it cannot be', async () => {
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

  it('an invoice of a wallet that has only got another key or address is checked as before, and is not reported any more', async () => {
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

  it('an invoice of another wallet is shown to administrators', async () => {
    const admin = await signedIn(site)
    await order(site)
    const warnings = async () =>
      listJobs.reply.parse((await admin.call('GET', listJobs.path)).body).warnings
    expect(await warnings()).toEqual([])
    await site.database.pool.query(`update payments set wallet = 'lnd'`)
    expect(await warnings()).toMatchObject([{ text: /^1 open invoice over 21 sats/ }])
    await order(site)
    await order(site)
    // More than an integer of the database holds.
    await site.database.pool.query(`update payments set wallet = 'lnd', sats = 1000000000`)
    expect(await warnings()).toMatchObject([{ text: /^3 open invoices over 3,000,000,000 sats/ }])
  })
})

describe('an invoice that its wallet does not know any more', () => {
  it('an invoice that its wallet does not know any more is not checked while it could be paid, and is no hindrance once it could not', async () => {
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
})

describe('what the settings of the wallet bring', () => {
  it('the site says at the start, and shows administrators, what the settings of the wallet bring', async () => {
    const said: string[] = []
    const url = new URL('http://wallet.example.org')
    const wallet = {
      kind: 'lnbits',
      network: 'mainnet',
      url,
      key: 'a',
      certificateFile: null,
    } as const
    const config = testSettings({ payments: { wallet } })
    const log = { ...SILENT, warn: (_: object, line: string) => void said.push(line) }
    const other = await openSite(
      { ...site.kit, config, log },
      testPorts(site.kit, { wallet: site.wallet }),
    )
    const text = expect.stringContaining('The key of the wallet goes unencrypted') as string
    other.payments.start()
    await until(() =>
      Promise.resolve(said.some((line) => line.startsWith('The key of the wallet'))),
    )
    expect(await other.payments.warnings()).toEqual([{ name: 'open-key', text }])
    await other.stop()
  })
})

describe('a disk that is full', () => {
  it('a full disk shows in the options and in /readyz, with a sentence', async () => {
    await using site = await world()
    const { pool } = site.database
    const options = async () =>
      paymentOptions.reply.parse((await site.get(paymentOptions.path)).body)
    expect([(await options()).open, (await site.get('/readyz')).status]).toEqual([true, 200])
    await pool.query(`create function full_disk() returns trigger language plpgsql
      as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
    await pool.query(
      'create trigger full_disk before insert on submissions execute function full_disk()',
    )
    expect((await tryOrder(site)).status).toBe(503)
    expect(await options()).toMatchObject({ open: false, closed_because: /cannot store anything/ })
    expect(await site.get('/readyz')).toMatchObject({ status: 503, body: { why: 'disk full' } })
  })
})

describe('the same Idempotency-Key', () => {
  const key = 'the-same-key-0001'

  it('the same Idempotency-Key starts again when the process that began has died', async () => {
    const made = await order(site, { key })
    await site.database.pool.query(
      `update payments set status = 'creating', bolt11 = null, payment_hash = null, next_look_at = null`,
    )
    site.clock.ms += 16_500
    const again = await order(site, { key })
    expect(again.invoice.payment_request).not.toBe(made.invoice.payment_request)
  })
})

describe('what was never paid', () => {
  const DAY = 24 * 60 * MINUTE

  /** Removes what is old enough, as the daily job does. */
  const remove = (site: World): Promise<void> => site.jobs.drain('unpaid-removal')

  it('what was never paid is removed after 30 days and kept as counts; what is paid or still watched stays', async () => {
    const old = await order(site)
    await order(site, { receipt: old.receipt.token, amount: 500 })
    await order(site, { data: { expert_name: 'Somebody Else' } })
    const paid = await order(site, { data: { expert_name: 'Who Is Paid' } })
    await order(site, {
      receipt: paid.receipt.token,
      data: { expert_name: 'Who Is Paid' },
    })
    await payNow(site, paid)
    site.ledger.lies = { expirySeconds: 40 * 86_400 }
    const watched = await order(site, { data: { expert_name: 'Who Is Watched' } })
    site.ledger.lies = {}
    site.clock.ms += 1_000
    const unchecked = await order(site, { data: { expert_name: 'Who Cannot Be Checked' } })
    const wallet = `update payments set wallet = 'lnd' where submission_id =
      (select id from submissions where expert_name = 'Who Cannot Be Checked')`
    await site.database.pool.query(wallet)
    await site.database.pool.query(
      `update payments set next_look_at = null where watch_until < '2026-12-01'`,
    )
    // It was away when the watch ended, and is asked again for as long as that lasts.
    await order(site, { data: { expert_name: 'Whose Wallet Is Away' } })
    await site.database.pool.query(
      `update payments set status = 'expired', next_look_at = '2027-01-01' where submission_id =
        (select id from submissions where expert_name = 'Whose Wallet Is Away')`,
    )
    site.clock.ms += 29 * DAY
    const young = await order(site, { data: { expert_name: 'Who Is Young' } })
    site.clock.ms += 2 * DAY
    expect(await check(site, unchecked)).toMatchObject({ status: 'pending', checked: false })
    await remove(site)
    const { rows } = await site.database.pool.query<{ name: string; tries: number }>(
      `select expert_name as name, (select count(*) from payments where submission_id = s.id)::int as tries
       from submissions s order by created_at`,
    )
    expect(rows).toEqual([
      { name: 'Who Is Paid', tries: 2 },
      { name: 'Who Is Watched', tries: 1 },
      { name: 'Who Cannot Be Checked', tries: 1 },
      { name: 'Whose Wallet Is Away', tries: 1 },
      { name: 'Who Is Young', tries: 1 },
    ])
    const { rows: counts } = await site.database.pool.query(
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
    // A browser that still holds the receipt gets a new one.
    const again = await order(site, { receipt: old.receipt.token })
    expect(again.receipt.token).not.toBe(old.receipt.token)
  })

  it('a submission stays when a visitor begins to pay for it while it is being removed', async () => {
    await using site = await world()
    await order(site)
    const { db, pool } = site.database
    await pool.query(`update payments set next_look_at = null, status = 'expired'`)
    site.clock.ms += 40 * DAY
    const now = new Date(site.clock.ms).toISOString()
    const before = new Date(site.clock.ms - 30 * DAY).toISOString()
    // The removal has begun to look when it comes to the payments, and waits there.
    await pool.query(`
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
      // As a payment is begun.
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
    const { rows } = await pool.query('select status from all_payments order by created_at')
    expect(rows).toEqual([{ status: 'expired' }, { status: 'creating' }])
    expect(await submissions(site)).toEqual(['unpaid'])
  })
})

describe('after the watch is over', () => {
  it('a receipt that is opened long after its end still has its payments looked up', async () => {
    const made = await order(site)
    await site.database.pool.query('update payments set next_look_at = null')
    site.clock.ms += 50 * 60 * MINUTE
    await receipt(site, made)
    await until(async () => (await receipt(site, made)).payment.tries[0]?.status === 'expired')
    const seen = async (): Promise<unknown> =>
      (
        await site.database.pool.query(
          'select last_look_at is not null as seen, next_look_at as next from payments',
        )
      ).rows[0]
    await until(async () => isDeepStrictEqual(await seen(), { seen: true, next: null }))
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    await until(async () => (await receipt(site, made)).payment.paid)
    expect(await submissions(site)).toEqual(['pending'])
  })
})

it('there is no payment, and no receipt, of an id that is odd', async () => {
  for (const id of ['x', 'a'.repeat(24), 'a'.repeat(300), '-1', 'bad%01']) {
    for (const [method, url, body] of [
      ['GET', `/api/payments/check-payment/${id}`, undefined],
      ['POST', `/api/v1/payments/${id}/cancel`, undefined],
      ['POST', `/api/v1/payments/${id}/hint`, undefined],
      ['POST', `/api/v1/payments/${id}/demonstration-payment`, undefined],
      ['GET', `/api/v1/receipts/${id}`, undefined],
      ['POST', `/api/v1/receipts/${id}/invoice`, { amount: 1 }],
    ] as const) {
      const answer = await call(site, method, url, body)
      expect([url, answer.status]).toEqual([url, 404])
    }
  }
})

describe('an odd wallet', () => {
  it('an odd wallet that makes invoices for centuries gets none shown', async () => {
    site.ledger.lies = { expirySeconds: 31_622_401 }
    expect((await tryOrder(site)).status).toBe(503)
    site.ledger.lies = { expirySeconds: 32 ** 10 - 1 }
    expect((await tryOrder(site)).status).toBe(503)
  })

  it('an odd wallet without a time of settling: whether it was paid late goes by our clock, also after Cancel', async () => {
    const made = await order(site)
    await call(site, 'POST', `/api/v1/payments/${made.invoice.checking_id}/cancel`)
    site.wallet.mood.claims = 'settled'
    site.clock.ms += 20 * MINUTE
    expect(await check(site, made)).toMatchObject({ paid: true, status: 'paid_late' })
  })
})

describe('a wallet that is being checked', () => {
  const walletPauses = { sureAfterMs: 100, whenClosedMs: [100] }
  const site = sharedWorld({ options: { payments: { ...NO_LIMITS, walletPauses } } }, {}, watching)

  it.each(['an invoice', 'two look-ups'])(
    'that fails %s and is away closes submitting',
    async (what) => {
      const key = 'the-same-key-0001'
      const made = await order(site, { key })
      site.wallet.mood.down = true
      if (what === 'an invoice') await tryOrder(site)
      else {
        for (let i = 0; i < 2; i += 1) {
          site.clock.ms += 2_000
          await check(site, made)
        }
      }
      await until(() => Promise.resolve(site.payments.walletHealth.closedBecause() !== null))
      await expect(site.payments.walletHealth.open()).rejects.toThrow('closed for the moment')
      // The same Idempotency-Key is answered all the same, also after midnight.
      expect((await order(site, { key })).invoice).toEqual(made.invoice)
      site.clock.ms += 13 * 3_600_000
      expect((await order(site, { key })).invoice).toEqual(made.invoice)
      site.wallet.mood.down = false
      await until(() => Promise.resolve(site.payments.walletHealth.closedBecause() === null))
    },
  )

  it('a wallet whose answers are bad for a moment does not close submitting', async () => {
    let closed = 0
    let bad = 0
    const { createInvoice: asked } = site.wallet
    // The invoice of a visitor, and the one by which the wallet is then tried out.
    Object.assign(site.wallet, {
      createInvoice: async (...given: Parameters<typeof asked>) => {
        bad += 1
        const made = await asked(...given)
        return bad <= 2 ? { ...made, bolt11: 'lnbc1' } : made
      },
    })
    expect((await tryOrder(site)).status).toBe(503)
    await until(() => {
      if (site.payments.walletHealth.closedBecause() !== null) closed += 1
      return Promise.resolve(bad === 3)
    })
    await order(site)
    expect([closed, site.payments.walletHealth.closedBecause()]).toEqual([0, null])
  })

  it('a wallet that is being checked for the first time keeps an invoice waiting until it is known', async () => {
    await using site = await world()
    const { promise, reject } = Promise.withResolvers<never>()
    Object.assign(site.wallet, { check: () => promise })
    site.payments.start()
    const options = async () =>
      paymentOptions.reply.parse((await site.get(paymentOptions.path)).body)
    expect(await options()).toMatchObject({ open: true, checking: true })
    const waiting = tryOrder(site)
    // More than it takes to make an invoice.
    for (let i = 0; i < 50; i += 1) expect(await submissions(site)).toEqual([])
    reject(new SourceError('refused', 'It does not know our key.'))
    expect((await waiting).status).toBe(503)
    expect(site.ledger.entries.size).toBe(0)
    expect(await options()).toMatchObject({ open: false, checking: false })
  })
})

it('a hint with any body is taken, as it is not read', async () => {
  const made = await order(site)
  const headers = { 'content-type': 'application/json' }
  for (const payload of ['', '{', '{"a":1}']) {
    for (const [url, code] of [
      [`/api/v1/payments/${made.invoice.checking_id}/hint`, 200],
      [`/api/v1/receipts/${made.receipt.token}/unsubscribe`, 200],
      ['/api/submissions', 402],
    ] as const) {
      const answer = await site.app.inject({ method: 'POST', url, headers, payload })
      expect([payload, url, answer.statusCode]).toEqual([payload, url, code])
    }
  }
})
