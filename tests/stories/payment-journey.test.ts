import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lnurlInvoice, lnurlOffer } from '#contracts/lightning-address.ts'
import { createInvoice } from '#contracts/payments.ts'
import { readBolt11 } from '#domain/money/bolt11.ts'
import { openDemoNodes } from '#server/payments/wallets/demo-nodes.ts'
import { demoWallet } from '#server/payments/wallets/demo.ts'
import { nwcWallet } from '#server/payments/wallets/nwc.ts'
import { entry } from '#tests/support/builders.ts'
import {
  call,
  check,
  order,
  receipt,
  submissions,
  type Ordered,
} from '#tests/support/payment-world.ts'
import { nwcService, type NwcEntry } from '#tests/support/stand-ins/nwc-service.ts'
import { testApp } from '#tests/support/test-app.ts'
import { until, patiently } from '#tests/support/waiting.ts'

const clock = { now: () => Date.now() }

it('a submission, a boost and the Lightning address are paid over two real Lightning nodes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-demo-'))
  try {
    await using site = await testApp({
      clock,
      ports: { wallet: demoWallet({ folder, clock }) },
      settings: { payments: { lightningName: 'tips' } },
    })
    const pay = (id: string) => call(site, 'POST', `/api/v1/payments/${id}/demonstration-payment`)
    const twice = async ({ invoice }: Ordered) =>
      Promise.all([pay(invoice.checking_id), pay(invoice.checking_id)])
    const made = await order(site, { amount: 2_100, data: { target_time: '2099-12-31' } })
    expect(made).toMatchObject({ demonstration: true })
    expect(made.invoice.payment_request).toMatch(/^lnbcrt21u1/)
    const paid = expect.objectContaining({ paid: true, status: 'paid' }) as object
    expect((await twice(made)).map((one) => one.body)).toEqual([paid, paid])
    expect(await submissions(site)).toEqual(['pending'])
    expect(await receipt(site, made)).toMatchObject({
      payment: { sats: 2_100, tries: [{ demonstration: true }] },
    })

    await site.imports.predictions(JSON.stringify([entry('a')]))
    const boost = await call(site, 'POST', '/api/v1/predictions/a/boost', { amount: 500 })
    await twice(createInvoice.reply.parse(boost.body))
    const rows = await site.sql('select vote_score from predictions')
    expect(rows).toEqual([{ vote_score: 500 }])
    // The node signs the hash of the offer into its invoice.
    const { metadata } = await site.read(lnurlOffer, 'tips')
    const { pr, verify } = await site.read(
      lnurlInvoice,
      '/api/v1/lnurlp/tips/callback?amount=21000',
    )
    const hash = createHash('sha256').update(metadata).digest('hex')
    expect(readBolt11(pr)).toMatchObject({ msat: 21_000, descriptionHash: hash })
    const { pathname } = new URL(verify)
    expect((await site.get(pathname)).body).toMatchObject({ settled: false })
    await pay(pathname.split('/').at(-1) ?? '')
    expect((await site.get(pathname)).body).toMatchObject({ settled: true, pr })

    // After a restart, paid invoices stay paid, others can no longer be.
    const open = await order(site, { data: { target_time: '2099-12-31' } })
    const wallet = demoWallet({ folder, clock })
    const soon = patiently()
    const ref = { bolt11: made.invoice.payment_request, sats: 2_100 }
    const paymentHash = made.invoice.payment_hash
    expect(await wallet.lookUp({ ...ref, paymentHash, ref: paymentHash }, soon)).toMatchObject({
      state: 'settled',
    })
    await expect(wallet.pay?.(open.invoice.payment_request, soon)).rejects.toThrow(/restarted/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('an outside wallet is paid over Nostr Wallet Connect, a real relay and real nodes', async () => {
  const entries = new Map<string, NwcEntry>()
  const nodes = await openDemoNodes((paymentHash) => {
    const entry = entries.get(paymentHash)
    if (entry) entries.set(paymentHash, { ...entry, settledMs: Date.now() })
  })
  await using service = await nwcService({
    make: (msat, memo, expirySeconds) => {
      const bolt11 = nodes.invoice(msat, memo, expirySeconds)
      const paymentHash = readBolt11(bolt11)?.paymentHash ?? ''
      const entry = { bolt11, paymentHash, msat, settledMs: null }
      entries.set(paymentHash, entry)
      return entry
    },
    find: (paymentHash) => entries.get(paymentHash) ?? null,
  })
  const wallet = nwcWallet(service.uri, 'regtest', false)
  await using site = await testApp({ clock, ports: { wallet } })
  site.jobs.work()
  const made = await order(site, { amount: 500, data: { target_time: '2099-12-31' } })
  expect(await check(site, made)).toMatchObject({ paid: false, checked: true })
  nodes.pay(made.invoice.payment_request)
  await until(async () => (await submissions(site))[0] === 'pending')
  expect(await receipt(site, made)).toMatchObject({ payment: { paid: true, sats: 500 } })
  // The relay goes away: nothing is known, and nothing is lost.
  const other = await order(site, { amount: 21, data: { target_time: '2099-12-31' } })
  await service.relay.close()
  expect(await check(site, other)).toMatchObject({ paid: false, status: 'pending', checked: false })
})
