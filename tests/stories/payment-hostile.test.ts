import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { check, order, submissions, tryOrder } from '#tests/support/payment-world.ts'
import { type Lies } from '#tests/support/stand-ins/ledger.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { sharedApp, sharedByFile } from '#tests/support/once-for-file.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { until } from '#tests/support/waiting.ts'

/** The real time, which a story may put forward: a wallet that was just asked is not asked again. */
const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs }
beforeEach(() => {
  clock.aheadMs = 0
})
const FAR = { target_time: '2099-12-31' }

const lnbits = sharedByFile(
  () => walletServer('lnbits'),
  async ({ ledger, mood }) => {
    ledger.entries.clear()
    ledger.lies = {}
    mood.mode = 'fine'
  },
)
/** The whole site on an LNbits that may turn against it. */
const site = sharedApp(() => ({
  clock,
  ports: { wallet: lnbitsWallet({ url: lnbits.url, key: KEY, network: 'mainnet' }) },
  options: { payments: { mostAnAddress: 1_000 } },
}))

describe('an LNbits that lies', () => {
  it.each<[string, Lies]>([
    ['asks the payer for more', { msat: 42_000 }],
    ['asks the payer for less', { msat: 1_000 }],
    ['sits on another network', { network: 'testnet' }],
    ['names another payment', { hash: true }],
    ['gives an invoice that has long ended', { createdMs: Date.now() - 30 * 86_400_000 }],
  ])('an LNbits that lies and %s gets nothing shown', async (_, lies) => {
    lnbits.ledger.lies = lies
    const answer = await tryOrder(site, { data: FAR })
    expect([answer.status, answer.body]).toEqual([
      503,
      expect.objectContaining({ error: 'Failed to create payment invoice. Please try again.' }),
    ])
    expect(JSON.stringify(answer.body)).not.toContain('lnbc')
    expect(await submissions(site)).toEqual(['unpaid'])
  })

  it.each(['error', 'garbage', 'endless'] as const)(
    'an LNbits that answers with %s is not believed, and is asked again',
    async (mode) => {
      const made = await order(site, { data: FAR })
      lnbits.ledger.pay(made.invoice.payment_request)
      lnbits.mood.mode = mode
      expect(await check(site, made)).toMatchObject({
        paid: false,
        checked: false,
        status: 'pending',
      })
      lnbits.mood.mode = 'fine'
      clock.aheadMs += 2_000
      expect(await check(site, made)).toMatchObject({ paid: true, checked: true })
    },
  )

  it('a payment at LNbits is heard at once by its socket, and forged notices of other payments change nothing', async () => {
    site.payments.start()
    const made = await order(site, { data: FAR })
    const hash = made.invoice.payment_hash
    await until(() => lnbits.listeners() === 1)
    // What anyone can send to a socket of LNbits, and to our address for its webhooks; also twice, also as a text.
    const forged = {
      pending: false,
      status: 'success',
      paid: true,
      payment: { payment_hash: hash },
    }
    for (const message of [
      forged,
      forged,
      JSON.stringify(forged),
      { payment: { payment_hash: hash } },
    ]) {
      lnbits.shout(message)
    }
    const hint = `/api/v1/payments/${made.invoice.checking_id}/hint`
    for (const payload of [JSON.stringify(JSON.stringify(forged)), JSON.stringify(forged), '{}']) {
      const headers = { 'content-type': 'application/json' }
      const answer = await site.app.inject({ method: 'POST', url: hint, headers, payload })
      expect(answer.statusCode).toBe(200)
    }
    clock.aheadMs += 2_000
    expect(await check(site, made)).toMatchObject({ paid: false, checked: true })
    expect(await submissions(site)).toEqual(['unpaid'])
    lnbits.ledger.pay(made.invoice.payment_request)
    await until(async () => (await submissions(site))[0] === 'pending')
    lnbits.shout({ payment: { payment_hash: hash } })
    clock.aheadMs += 2_000
    expect(await check(site, made)).toMatchObject({ paid: true })
    expect(await submissions(site)).toEqual(['pending'])
  })
})
