import { createInvoice, paymentOptions, payReceipt } from '#contracts/payments.ts'
import { previewSubmission } from '#contracts/submissions.ts'
import {
  SUBMISSION,
  Failed,
  MINUTE,
  sharedWorld,
  world,
  call,
  order,
  check,
  receipt,
  submissions,
  payNow,
  tryOrder,
} from '#tests/support/payment-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { describe, expect, it } from 'vitest'
import { until } from '#tests/support/waiting.ts'

const site = sharedWorld()

describe('a submission', () => {
  it('a submission goes into review once it is paid, and its receipt says so', async () => {
    const made = await order(site)
    expect(made).toMatchObject({ sats: 21, expires_in_ms: 600_000, demonstration: false })
    expect(await check(site, made)).toMatchObject({ paid: false, status: 'pending', checked: true })
    expect(await submissions(site)).toEqual(['unpaid'])
    const [entry] = site.ledger.entries.values()
    expect(entry?.memo).toBe(
      `Proof of Price: Jane Doe BTC $150,000 by 2027-12-31 · ${entry?.label.slice(0, 8) ?? ''}`,
    )
    expect((await receipt(site, made)).payment.tries[0]?.payment_request).toBe(
      made.invoice.payment_request,
    )
    expect(await payNow(site, made)).toMatchObject({ paid: true, status: 'paid', late: false })
    expect(await submissions(site)).toEqual(['pending'])
    expect(await receipt(site, made)).toMatchObject({
      submission: { expert_name: 'Jane Doe', price_prediction: '$150,000', price_target: 150_000 },
      payment: { paid: true, sats: 21, late: false, tries: [{ payment_request: null }] },
      review: { status: 'pending' },
      state: 'Payment received. The submission will be reviewed before going live.',
      hint: null,
    })
  })

  it('a submission with faults is refused by field, and nothing is stored', async () => {
    const data = { expert_name: '', prediction_type: 'range' }
    const { status, body } = await tryOrder(site, { data })
    expect([status, Failed.parse(body).fields]).toEqual([
      400,
      {
        expert_name: 'Please enter the name of the person who made this prediction.',
        price_min: 'Please enter the minimum price.',
        price_max: 'Please enter the maximum price.',
      },
    ])
    expect(await submissions(site)).toEqual([])
  })

  it('a submission over an odd number of sats is refused', async () => {
    for (const amount of [0, -1, 1.5, 100_001, '1e3', 'ten', '', '12 sats']) {
      const { status, body } = await tryOrder(site, { amount })
      expect([amount, status, Object.keys(Failed.parse(body).fields ?? {})]).toEqual([
        amount,
        400,
        ['amount'],
      ])
    }
    expect(site.ledger.entries.size).toBe(0)
  })

  it('a submission never keeps a secret key, wherever it was pasted', async () => {
    const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
    for (const field of ['nostr_npub', 'notes', 'expert_name', 'source_url']) {
      const { status, body } = await tryOrder(site, { data: { [field]: `see ${nsec}` } })
      expect([status, Failed.parse(body).fields?.[field]]).toMatchObject([400, /secret key/])
      expect(JSON.stringify(body)).not.toContain('nsec1vl')
    }
    expect(await submissions(site)).toEqual([])
  })

  it('a submission sent without paying gets 402 with the way to pay', async () => {
    for (const url of ['/api/submissions', '/api/mstr/submissions', '/api/naka/predictions']) {
      const { status, body } = await call(site, 'POST', url, SUBMISSION)
      expect([url, status, Failed.parse(body)]).toMatchObject([
        url,
        402,
        { code: 'payment_required', error: /create-invoice/ },
      ])
    }
  })
})

describe('before it is paid', () => {
  async function waitingFor(data: object, receipts: readonly string[] = []) {
    const body = { submissionData: { ...SUBMISSION, ...data }, receipts }
    const answer = await call(site, 'POST', previewSubmission.path, body)
    return { text: JSON.stringify(answer.body), ...previewSubmission.reply.parse(answer.body) }
  }

  it('before it is paid, an own or waiting submission that says the same is named, and nothing of other people', async () => {
    const made = await order(site, {
      data: { notes: 'A private word.', submitter_email: 'me@x.org' },
    })
    const { token } = made.receipt
    // What is not paid waits for no review.
    expect((await waitingFor({}, [token])).waiting).toEqual({ own: [], others: false })
    await payNow(site, made)
    expect((await waitingFor({}, [token])).waiting).toEqual({
      own: [{ receipt: token, status: 'pending' }],
      others: false,
    })
    const other = await waitingFor({ price_prediction: '$151,000' })
    expect(other.waiting).toEqual({ own: [], others: true })
    expect(other.text).not.toMatch(new RegExp(`${token}|private|me@x\\.org|150,000`))
    for (const data of [
      { expert_name: 'Somebody Else', twitter_handle: '' },
      { price_prediction: '$170,000' },
      { prediction_type: 'top' },
      { target_time: '2027-12-30' },
      { asset_type: 'mstr' },
    ]) {
      expect((await waitingFor(data, [token])).waiting).toEqual({ own: [], others: false })
    }
    await site.database.pool.query(`update submissions set status = 'rejected'`)
    expect((await waitingFor({}, [token])).waiting).toEqual({
      own: [{ receipt: token, status: 'rejected' }],
      others: false,
    })
    expect((await waitingFor({})).waiting).toEqual({ own: [], others: false })
  })
})

describe('asking twice', () => {
  it('asking twice with one key makes one invoice, also at the same time', async () => {
    site.wallet.mood.slowMs = 100
    const made = await Promise.all(
      Array.from({ length: 10 }, () => order(site, { key: 'the-same-key-0001' })),
    )
    expect(new Set(made.map((one) => one.invoice.payment_hash)).size).toBe(1)
    expect(new Set(made.map((one) => one.receipt.token)).size).toBe(1)
    expect(site.ledger.entries.size).toBe(1)
    expect(await submissions(site)).toEqual(['unpaid'])
  })

  it('asking twice with one key for something else is refused', async () => {
    await order(site, { key: 'the-same-key-0001' })
    const other = { amount: 22, key: 'the-same-key-0001' }
    expect((await tryOrder(site, other)).status).toBe(409)
    expect((await tryOrder(site, { key: 'short' })).status).toBe(400)
  })
})

describe('submitting', () => {
  it('submitting is closed with a sentence where there is no wallet', async () => {
    await using site = await testApp()
    const options = paymentOptions.reply.parse((await site.get(paymentOptions.path)).body)
    expect(options).toMatchObject({ open: false, closed_because: /no wallet/, usd_per_sat: 0.001 })
    const { status, body } = await tryOrder(site)
    expect([status, Failed.parse(body).error]).toMatchObject([503, /no wallet/])
  })

  it('submitting closes while the wallet is the wrong one, and says no secret', async () => {
    await using site = await world()
    site.ledger.lies = { network: 'testnet' }
    site.payments.start()
    await until(() => site.payments.walletHealth.closedBecause() !== null)
    const options = paymentOptions.reply.parse((await site.get(paymentOptions.path)).body)
    expect(options.open).toBe(false)
    expect((await tryOrder(site)).status).toBe(503)
  })
})

describe('a receipt', () => {
  it('a receipt shows nothing without its token', async () => {
    await order(site)
    expect((await call(site, 'GET', `/api/v1/receipts/${'a'.repeat(32)}`)).status).toBe(404)
  })

  it('a receipt is pushed when it changes, also by another process', async () => {
    await using site = await world()
    const made = await order(site)
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const stop = new AbortController()
    const url = `${address}/api/v1/receipts/${made.receipt.token}/events`
    const stream = await fetch(url, { signal: stop.signal })
    const states: string[] = []
    let text = ''
    const reading = (async () => {
      for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        for (const found of chunk.matchAll(/"review":\{"status":"(\w+)"/g))
          states.push(found[1] ?? '')
      }
    })().catch(() => {})
    await until(() => Promise.resolve(states.length > 0))
    await payNow(site, made)
    await until(() => Promise.resolve(states.at(-1) === 'pending'))
    const admin = await signedIn(site)
    const [id] = (await site.database.pool.query<{ id: string }>('select id from submissions')).rows
    const decide = (body: object) =>
      admin.call('PUT', `/api/admin/prediction_submissions/${id?.id ?? ''}`, body)
    await decide({ status: 'rejected', admin_comment: 'No source.' })
    await until(() => Promise.resolve(states.at(-1) === 'rejected'))
    await decide({ status: 'pending' })
    await until(() => Promise.resolve(states.at(-1) === 'pending'))
    await decide({ status: 'approved' })
    await until(() => Promise.resolve(states.at(-1) === 'approved'))
    expect(text).toContain('"path":"/predictions/')
    // A server that stops does not wait for who is still listening.
    await site.app.close()
    stop.abort()
    await reading
    expect(states.at(-1)).toBe('approved')
  })
})

describe('a receipt that has not been paid', () => {
  const ask = (token: string, amount: unknown, key?: string) =>
    call(
      site,
      'POST',
      payReceipt.path.replace(':token', token),
      { amount },
      key === undefined ? {} : { 'idempotency-key': key },
    )

  it.each(['expired', 'cancelled', 'pending'] as const)(
    'a receipt of an invoice that is %s gives a new one for the same submission, and both may be paid',
    async (state) => {
      const first = await order(site, { data: { notes: 'As said.' } })
      if (state === 'cancelled') {
        await call(site, 'POST', `/api/v1/payments/${first.invoice.checking_id}/cancel`)
      }
      if (state === 'expired') site.clock.ms += 11 * MINUTE
      site.clock.ms += 1
      const key = 'the-same-key-0001'
      const { status, body } = await ask(first.receipt.token, '500', key)
      expect(status).toBe(200)
      const second = createInvoice.reply.parse(body)
      expect(second).toMatchObject({ sats: 500, receipt: first.receipt })
      expect((await ask(first.receipt.token, '500', key)).body).toMatchObject({
        invoice: second.invoice,
      })
      expect((await receipt(site, first)).payment.tries).toHaveLength(2)
      for (const made of [first, second]) {
        site.ledger.pay(made.invoice.payment_request)
        // Reading the receipt has begun a look of its own, which may have missed it.
        await until(async () => {
          site.clock.ms += 2_000
          return (await check(site, made)).paid
        })
        expect(await check(site, made)).toMatchObject({ paid: true, overpaid: made === second })
      }
      const proofs = [...site.ledger.entries.values()].map((entry) => entry.preimage)
      expect(await receipt(site, first)).toMatchObject({
        submission: { notes: 'As said.' },
        payment: {
          sats: 21,
          overpaid_sats: 500,
          tries: proofs.map((preimage) => ({ preimage })),
        },
      })
      expect((await ask(first.receipt.token, 21)).status).toBe(409)
    },
  )

  it('the demonstration asks for a real amount, and answers 404 for an unknown receipt', async () => {
    const { receipt: own } = await order(site)
    expect((await ask(own.token, 0)).status).toBe(400)
    expect((await ask('a'.repeat(32), 21)).status).toBe(404)
    expect(site.ledger.entries.size).toBe(1)
  })
})

it('a proof that does not belong to the payment is not kept', async () => {
  const made = await order(site)
  const lookUp = () =>
    Promise.resolve({
      state: 'settled' as const,
      receivedMsat: 21_000,
      settledMs: null,
      preimage: '00'.repeat(32),
    })
  Object.assign(site.wallet, { lookUp })
  site.clock.ms += 2_000
  expect(await check(site, made)).toMatchObject({ paid: true })
  expect((await receipt(site, made)).payment.tries).toMatchObject([
    { status: 'paid', payment_hash: made.invoice.payment_hash, preimage: null },
  ])
})
