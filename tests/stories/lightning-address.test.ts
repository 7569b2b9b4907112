import { createHash } from 'node:crypto'
import { LightningAddress } from '@getalby/lightning-tools/lnurl'
import { afterEach, expect, it, vi } from 'vitest'
import { SupportReceipt } from '#contracts/payments.ts'
import { readBolt11 } from '#domain/money/bolt11.ts'
import { sharedWorld, world, type World } from '#tests/support/payment-world.ts'

const PAY = '/.well-known/lnurlp/tips'
const CALLBACK = '/api/v1/lnurlp/tips/callback'
const ORIGIN = 'https://example.org'

afterEach(() => void vi.unstubAllGlobals())

const SETTINGS = { origin: ORIGIN, payments: { lightningName: 'tips' } }
const site = sharedWorld({ settings: SETTINGS })

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

async function get(site: World, url: string): Promise<{ status: number; body: unknown }> {
  const answer = await site.app.inject({ method: 'GET', url: url.replace(ORIGIN, '') })
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  return { status: answer.statusCode, body: answer.json() }
}

/** Calls by a page or an outside wallet. */
function fetchedFromHere(): void {
  vi.stubGlobal('fetch', async (address: string | URL) => {
    const { pathname, search } = new URL(address)
    const answer = await site.app.inject({ method: 'GET', url: pathname + search })
    return new Response(answer.body, { status: answer.statusCode })
  })
}

it("an outside wallet pays the Lightning address, and its proof equals our wallet's", async () => {
  fetchedFromHere()
  const address = new LightningAddress('tips@example.org', { proxy: false })
  await address.fetch()
  expect(address.lnurlpData).toMatchObject({
    identifier: 'tips@example.org',
    min: 1_000,
    max: 100_000_000,
    commentAllowed: 200,
    allowsNostr: false,
  })
  const invoice = await address.requestInvoice({ satoshi: 21, comment: 'Keep\u202E going' })
  expect(invoice.satoshi).toBe(21)
  expect(readBolt11(invoice.paymentRequest)?.descriptionHash).toBe(
    sha256(address.lnurlpData?.rawData.metadata ?? ''),
  )
  expect(await invoice.verifyPayment()).toBe(false)
  site.ledger.pay(invoice.paymentRequest)
  site.clock.ms += 2_000
  expect(await invoice.verifyPayment()).toBe(true)
  expect(invoice.validatePreimage(invoice.preimage ?? '')).toBe(true)

  const action = invoice.successAction
  const token = (action?.tag === 'url' ? action.url : '').split('/').at(-1) ?? ''
  const receipt = await site.get(`/api/v1/payments/${token}/receipt`)
  expect(SupportReceipt.parse(receipt.body)).toMatchObject({
    purpose: 'support',
    status: 'paid',
    prediction: null,
    state: 'Payment received. Thank you for supporting this site.',
  })
  expect((await site.payments.admin.list('all', 1)).rows).toMatchObject([
    { purpose: 'support', comment: 'Keep going', sats: 21, expert_name: null },
  ])
})

it('requires LIGHTNING_NAME and a wallet that supports description hashes', async () => {
  await using nameless = await world()
  expect((await get(nameless, PAY)).status).toBe(404)
  const names = await nameless.get('/.well-known/nostr.json?name=_')
  expect(names.body).toEqual({ names: {}, relays: {} })
  await using unable = await world({ settings: SETTINGS }, { hashesTexts: false })
  expect((await get(unable, PAY)).status).toBe(404)
  expect((await get(unable, `${CALLBACK}?amount=1000`)).status).toBe(404)
})
