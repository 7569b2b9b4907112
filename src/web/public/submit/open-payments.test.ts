import { afterEach, expect, it, vi } from 'vitest'
import { RECEIPT, TOKEN } from '#tests/support/web-payments.ts'
import { leftOpen } from './open-payments.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([
  [14_999, 'unpaid'],
  [15_000, 'open'],
])('after a reload, an invoice with %i ms left is %s', async (expires_in_ms, state) => {
  const invoice = {
    status: 'pending',
    sats: 21,
    demonstration: false,
    created_at: RECEIPT.created_at,
    expires_at: RECEIPT.created_at,
    expires_in_ms,
    payment_request: 'lnbcrt210n1test',
    checking_id: 'a-checking-id-of-the-test',
    payment_hash: 'ab',
    preimage: null,
    bolt11: 'lnbcrt210n1test',
  }
  const payment = {
    ...RECEIPT.payment,
    paid: false,
    tries: [{ ...invoice, expires_in_ms: 0 }, invoice],
  }
  const reply = vi.fn<typeof fetch>(async () => Response.json({ ...RECEIPT, payment }))
  vi.stubGlobal('fetch', reply)
  expect(await leftOpen(TOKEN, new AbortController().signal)).toMatchObject({ state })
})
