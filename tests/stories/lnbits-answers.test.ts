import { checkInvoice } from '#domain/money/invoice.ts'
import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { bolt11Of } from '#tests/support/stand-ins/ledger.ts'
import { patiently } from '#tests/support/waiting.ts'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'

/*
 * What LNbits 1.x answers, call by call, in the shapes that it documents under /docs and that its sources give:
 * https://github.com/lnbits/lnbits/blob/main/lnbits/core/views/payment_api.py
 */

const MADE_MS = Date.parse('2026-03-01T12:00:00Z')
const HASH = '4b'.repeat(32)
const SATS = 2_100

const INVOICE = bolt11Of({
  network: 'mainnet',
  msat: SATS * 1_000,
  paymentHash: HASH,
  createdMs: MADE_MS,
  expirySeconds: 600,
  descriptionHash: null,
})

/** A payment as LNbits shows it to its owner; amounts are millisats. */
function payment(status: 'pending' | 'success' = 'pending'): object {
  return {
    checking_id: HASH,
    payment_hash: HASH,
    wallet_id: '0f'.repeat(16),
    amount: SATS * 1_000,
    fee: 0,
    bolt11: INVOICE,
    payment_request: INVOICE,
    fiat_provider: null,
    status,
    memo: 'submission 42',
    expiry: '2026-03-01T12:10:00+00:00',
    webhook: null,
    webhook_status: null,
    // There from the beginning: it proves nothing.
    preimage: 'c3'.repeat(32),
    tag: null,
    extension: null,
    time: '2026-03-01T12:00:00.000001+00:00',
    created_at: '2026-03-01T12:00:00.000001+00:00',
    updated_at: '2026-03-01T12:00:00.000002+00:00',
    extra: { payment: '42' },
  }
}

const found = (paid: boolean): object => ({
  paid,
  status: paid ? 'success' : 'pending',
  preimage: 'c3'.repeat(32),
  details: payment(paid ? 'success' : 'pending'),
})

type Answer = readonly [status: number, body: object]
const NO_WALLET: Answer = [404, { detail: 'Wallet not found.' }]
const NO_PAYMENT: Answer = [404, { detail: 'Payment does not exist.' }]
/** What a caller gets who knows only the hash of a payment. */
const forStrangers = (paid: boolean): Answer => [200, { paid, preimage: 'c3'.repeat(32) }]

/** Gives these answers, one after the other. */
async function lnbits(...answers: readonly Answer[]) {
  const left = [...answers]
  const asked: { call: string; key: string | undefined; body: unknown }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const body: unknown = text === '' ? null : JSON.parse(text)
      const key = request.headers['x-api-key']
      const call = `${request.method ?? ''} ${request.url ?? ''}`
      asked.push({ call, key: typeof key === 'string' ? key : undefined, body })
      const [status, said] = left.shift() ?? [500, { detail: 'nothing left to say' }]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    })
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const url = new URL(`http://127.0.0.1:${String(port)}`)
  return {
    wallet: lnbitsWallet({ url, key: 'invoice-key', network: 'mainnet' }),
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const ORDER = { id: '42', sats: SATS, memo: 'submission 42', expirySeconds: 600, hintUrl: null }

it('an answer of LNbits is read from the order to the payment', async () => {
  await using on = await lnbits(
    [200, { name: 'shop', balance: 0 }],
    [201, payment()],
    [200, found(false)],
    [200, found(true)],
  )
  await on.wallet.check(patiently())
  const made = await on.wallet.createInvoice(ORDER, patiently())
  const ask = { sats: SATS, network: 'mainnet' as const, expirySeconds: 600 }
  expect(checkInvoice(made.bolt11, made.paymentHash, ask, MADE_MS + 1_000)).toMatchObject({
    msat: SATS * 1_000,
    expirySeconds: 600,
  })
  const invoice = { ref: made.ref, bolt11: made.bolt11, paymentHash: made.ref, sats: SATS }
  expect(await on.wallet.lookUp(invoice, patiently())).toEqual({ state: 'open' })
  expect(await on.wallet.lookUp(invoice, patiently())).toEqual({
    state: 'settled',
    receivedMsat: SATS * 1_000,
    settledMs: null,
    preimage: 'c3'.repeat(32),
  })
  const key = 'invoice-key'
  expect(on.asked).toEqual([
    { call: 'GET /api/v1/wallet', key, body: null },
    {
      call: 'POST /api/v1/payments',
      key,
      body: {
        out: false,
        amount: SATS,
        unit: 'sat',
        memo: 'submission 42',
        expiry: 600,
        extra: { payment: '42' },
      },
    },
    { call: `GET /api/v1/payments/${HASH}`, key, body: null },
    { call: `GET /api/v1/payments/${HASH}`, key, body: null },
  ])
})

it.each<[string, Answer, object]>([
  ['an open payment, to a stranger', forStrangers(false), { fault: 'refused' }],
  ['a settled payment, to a stranger', forStrangers(true), { fault: 'refused' }],
  ['a payment it does not have', NO_PAYMENT, { state: 'gone' }],
  [
    'another payment, settled',
    [200, { ...found(true), details: { ...payment(), payment_hash: 'ee'.repeat(32) } }],
    { fault: 'nonsense' },
  ],
])('an answer of %s does not count as paid', async (_, answer, expected) => {
  await using on = await lnbits(answer)
  const invoice = { ref: HASH, bolt11: INVOICE, paymentHash: HASH, sats: SATS }
  const said = await on.wallet.lookUp(invoice, patiently()).catch((error: unknown) => error)
  expect(said).toMatchObject(expected)
})

it.each<[string, Answer]>([
  ['a wrong key', NO_WALLET],
  ['no key', [401, { detail: 'No Api Key provided.' }]],
  ['no amount', [520, { detail: 'Amountless invoices not supported.', status: 'failed' }]],
  ['its own fault', [500, { detail: 'Unexpected error! ID: 4bGh' }]],
  ['a text that is too long', [400, { detail: [{ loc: ['body', 'memo'], msg: 'ensure this' }] }]],
  ['an order to pay', [403, { detail: 'Invoice (or Admin) key required.' }]],
])('an answer of "%s" makes no invoice', async (_, answer) => {
  await using on = await lnbits(answer)
  await expect(on.wallet.createInvoice(ORDER, patiently())).rejects.toThrow(/LNbits/)
})
