import { paymentOptions } from '#contracts/payments.ts'
import { listJobs } from '#contracts/operations.ts'
import { orderForReceipt } from '#server/payments/order-invoice.service.ts'
import { checkedState } from '#server/payments/payments.service.ts'
import { openSite } from '#server/site.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { ledgerWallet, type LedgerWallet } from '#tests/support/stand-ins/ledger-wallet.ts'
import { removeUnpaid } from '#server/payments/payments.jobs.ts'
import {
  call,
  check,
  Failed,
  MINUTE,
  order,
  receipt,
  submissions,
  sharedWorld,
  world,
  type World,
  payNow,
  tryOrder,
} from '#tests/support/payment-world.ts'
import { SILENT, testPorts } from '#tests/support/test-site.ts'
import { describe, expect, it } from 'vitest'
import { waitingForLocks } from '#tests/support/waiting-queries.ts'
import { until } from '#tests/support/waiting.ts'

const site = sharedWorld()

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
    await site.database.pool.query(`update payments set wallet = 'lnd', sats = 1000000000`)
    const { warnings } = listJobs.reply.parse((await admin.call('GET', listJobs.path)).body)
    expect(warnings).toMatchObject([
      { text: expect.stringMatching(/^3 open invoices over 3,000,000,000 sats/) },
    ])
  })
})

describe('a full disk', () => {
  it('shows in the options and in /readyz, with a message', async () => {
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
    expect(await options()).toMatchObject({
      open: false,
      closed_because: expect.stringMatching(/cannot store anything/),
    })
    expect(await site.get('/readyz')).toMatchObject({ status: 503, body: { why: 'disk full' } })
  })
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
    await site.database.pool.query(wallet)
    await site.database.pool.query(
      `update payments set next_look_at = null where watch_until < '2026-12-01'`,
    )
    // It was away when the watch ended, and is asked again for as long as that lasts.
    await order(site, { data: { expert_name: 'Wallet away' } })
    await site.database.pool.query(
      `update payments set status = 'expired', next_look_at = '2027-01-01' where submission_id =
        (select id from submissions where expert_name = 'Wallet away')`,
    )
    site.clock.ms += 29 * DAY
    const young = await order(site, { data: { expert_name: 'Young' } })
    site.clock.ms += 2 * DAY
    expect(await check(site, unchecked)).toMatchObject({ status: 'pending', checked: false })
    await remove(site)
    const { rows } = await site.database.pool.query<{ name: string; tries: number }>(
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
    // A browser with the receipt gets a new one.
    const again = await order(site, { receipt: old.receipt.token })
    expect(again.receipt.token).not.toBe(old.receipt.token)
  })

  it('a submission stays if a visitor begins to pay while it is being removed', async () => {
    await using site = await world()
    await order(site)
    const { db, pool } = site.database
    await pool.query(`update payments set next_look_at = null, status = 'expired'`)
    site.clock.ms += 40 * DAY
    const now = new Date(site.clock.ms).toISOString()
    const before = new Date(site.clock.ms - 30 * DAY).toISOString()
    // The removal has started when it reaches the payments, and waits there.
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
