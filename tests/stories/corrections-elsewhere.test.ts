import { createInvoice } from '#contracts/payments.ts'
import { AdminPrediction } from '#contracts/corrections.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { order, receipt, world } from '#tests/support/payment-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { describe, expect, it } from 'vitest'

describe('a withdrawal', () => {
  it('a withdrawal shows on the receipt of the one who paid for it, which still leads to its page', async () => {
    await using site = await world()
    const admin = await signedIn(site)
    await site.imports.prices('btc', closesFile('2024-01-01', [100, 101]), 'test')
    await site.imports.predictions(JSON.stringify([entry('a')]))
    await site.refresh()
    const made = createInvoice.reply.parse(await order(site))
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    await site.app.inject(`/api/payments/check-payment/${made.invoice.checking_id}`)
    await site.database.pool.query(
      `update submissions set status = 'approved', prediction_id = 'a', decided_at = now()`,
    )
    expect(await receipt(site, made)).toMatchObject({
      state: 'The submission has been approved and is live.',
      prediction: { path: '/predictions/a' },
    })
    const url = '/api/v1/admin/predictions/a'
    const { version } = AdminPrediction.parse((await admin.call('GET', url)).body)
    await admin.call('POST', `${url}/withdraw`, { version, reason: 'A parody' })
    await site.refresh()
    expect(await receipt(site, made)).toMatchObject({
      state:
        'The submission was approved, and the prediction has been withdrawn since; its page says why.',
      prediction: { path: '/predictions/a' },
    })
  })
})
