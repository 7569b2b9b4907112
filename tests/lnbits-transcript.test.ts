import { checkInvoice } from '#domain/invoice.ts'
import { lnbitsWallet } from '#server/adapters/lightning-lnbits.ts'
import { HAS_SHARED, sharedFile } from '#tests/support/files.ts'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { patiently } from '#tests/support/waiting.ts'

const Transcript = z.array(
  z.object({
    label: z.string(),
    status: z.number().optional(),
    response: z.unknown().optional(),
    request: z
      .object({ method: z.string(), path: z.string(), body: z.unknown().optional() })
      .optional(),
  }),
)

const read = (): z.infer<typeof Transcript> =>
  Transcript.parse(JSON.parse(sharedFile('vectors/lnbits-1.5.1-transcript.json')))

/** Answers with what a real LNbits said, one entry after the other. */
async function replaying(labels: readonly string[]) {
  const said = labels.map((label) => {
    const found = read().find((one) => one.label === label)
    if (!found) throw new Error(`the transcript has no ${label}`)
    return found
  })
  const asked: { method: string; path: string; body: unknown }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const body: unknown = text === '' ? null : JSON.parse(text)
      asked.push({ method: request.method ?? '', path: request.url ?? '', body })
      const next = said.shift()
      response.writeHead(next?.status ?? 500, { 'content-type': 'application/json' })
      response.end(JSON.stringify(next?.response))
    })
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const url = new URL(`http://127.0.0.1:${String(port)}`)
  return {
    wallet: lnbitsWallet({ url, key: 'key', network: 'mainnet' }),
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

it.skipIf(!HAS_SHARED)('reads what LNbits 1.5.1 said, from the order to the payment', async () => {
  await using on = await replaying([
    'wallet',
    'create invoice',
    'lookup pending with key',
    'lookup paid with key',
  ])
  await on.wallet.check(patiently())
  const order = { id: '42', sats: 2_100, memo: 'submission 42', expirySeconds: 600, hintUrl: null }
  const made = await on.wallet.createInvoice(order, patiently())
  expect(on.asked[1]?.body).toEqual({
    out: false,
    amount: 2_100,
    unit: 'sat',
    memo: 'submission 42',
    expiry: 600,
    extra: { payment: '42' },
  })
  const ask = { sats: 2_100, network: 'mainnet' as const, expirySeconds: 600 }
  const then = Date.parse('2026-11-20T10:12:10Z')
  const checked = checkInvoice(made.bolt11, made.paymentHash, ask, then)
  expect(checked).toMatchObject({ msat: 2_100_000, expirySeconds: 600 })
  const invoice = { ref: made.ref, bolt11: made.bolt11, paymentHash: made.ref, sats: 2_100 }
  expect(await on.wallet.lookUp(invoice, patiently())).toEqual({ state: 'open' })
  expect(await on.wallet.lookUp(invoice, patiently())).toEqual({
    state: 'settled',
    receivedMsat: 2_100_000,
    settledMs: null,
  })
})

it.skipIf(!HAS_SHARED).each([
  ['lookup pending WITHOUT key', { fault: 'refused' }],
  ['lookup paid without key', { fault: 'refused' }],
  ['lookup bad key', { fault: 'refused' }],
  ['lookup unknown', { state: 'gone' }],
  ['lookup pending with ANOTHER wallet key', { state: 'gone' }],
])('of "%s" takes nothing for paid', async (label, expected) => {
  await using on = await replaying([label])
  const hash = '9f2a8cfba57c0677a158b1f0e2b35469fee97196c0d668b3307967909cbd66ab'
  const invoice = { ref: hash, bolt11: 'lnbc1', paymentHash: hash, sats: 2_100 }
  const found = await on.wallet.lookUp(invoice, patiently()).catch((error: unknown) => error)
  expect(found).toMatchObject(expected)
})

it
  .skipIf(!HAS_SHARED)
  .each([
    'create: bad key',
    'create: no key',
    'create: amount 0',
    'create: amount missing',
    'create: memo 640 chars',
    'create: out omitted (defaults to TRUE)',
  ])('of "%s" makes no invoice', async (label) => {
  await using on = await replaying([label])
  const order = { id: '42', sats: 1, memo: 'x', expirySeconds: 600, hintUrl: null }
  await expect(on.wallet.createInvoice(order, patiently())).rejects.toThrow(/LNbits/)
})

it.skipIf(!HAS_SHARED)('gives no invoice of 1 sat for one of 1.5 sats', async () => {
  await using on = await replaying(['create: amount 1.5 sat'])
  const order = { id: '42', sats: 2, memo: 'x', expirySeconds: 600, hintUrl: null }
  const made = await on.wallet.createInvoice(order, patiently())
  const ask = { sats: 2, network: 'mainnet' as const, expirySeconds: 600 }
  expect(checkInvoice(made.bolt11, made.paymentHash, ask, Date.parse('2026-11-20T10:12:10Z'))).toBe(
    'The wallet sent an invoice of another amount.',
  )
})
