import { listPaymentsAdmin, onePaymentAdmin } from '#contracts/payments-admin.ts'
import { SourceError } from '#server/kit/ports.ts'
import { order, payNow, sharedWorld } from '#tests/support/payment-world.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { describe, expect, it } from 'vitest'

const site = sharedWorld()
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
    const twice = await admin.call('POST', `${url}/settle`, { note: 'again' })
    expect(twice).toMatchObject({
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

  it('unknown payments are not found', async () => {
    const admin = await signedIn(site)
    const id = '00000000-0000-4000-8000-000000000000'
    expect((await admin.call('GET', `${URL}/${id}`)).status).toBe(404)
    expect((await admin.call('POST', `${URL}/${id}/look`)).status).toBe(404)
    expect((await admin.call('GET', `${URL}/1`)).status).toBe(400)
    expect((await admin.call('GET', `${URL}?kind=strange`)).status).toBe(400)
  })
})
