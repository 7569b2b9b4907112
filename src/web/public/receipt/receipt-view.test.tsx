import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { sees } from '#tests/support/on-screen.ts'
import { linesOf } from '#tests/support/readable.ts'
import { SITE } from '#tests/support/web-fixtures.ts'
import { BOOST, RECEIPT, TOKEN } from '#tests/support/web-payments.ts'
import { type Receipt, type SupportReceipt } from '#web/api/payments.ts'
import { SiteContext } from '#web/head/site.ts'
import { ReceiptParts } from '#web/public/pages/receipt-parts.tsx'
import { ReceiptView } from './receipt-view.tsx'

const PAID: Receipt = {
  ...RECEIPT,
  submission: {
    ...RECEIPT.submission,
    prediction_type: 'top',
    price_target: null,
    price_max: 150_000,
    timing: 'throughout',
    source_url: 'javascript:alert(1)',
  },
  payment: { ...RECEIPT.payment, paid_at: '2026-11-20T12:01:00.000Z', sats: 21 },
}
const TRY: Receipt['payment']['tries'][number] = {
  status: 'pending',
  sats: 21,
  demonstration: false,
  created_at: PAID.created_at,
  expires_at: '2026-11-20T12:10:00.000Z',
  expires_in_ms: 60_000,
  payment_request: 'lnbc210n1test',
  checking_id: 'a-checking-id-of-the-test',
  payment_hash: 'ab'.repeat(32),
  preimage: null,
  bolt11: 'lnbc210n1test',
}

afterEach(() => {
  window.history.replaceState(null, '', '/')
})

function show(overrides: Partial<Receipt>, contacts = SITE.contacts): string {
  const { container } = render(
    <SiteContext value={{ ...SITE, contacts }}>
      <ReceiptView
        receipt={{ ...PAID, ...overrides }}
        contactOffer={<p>Leave a contact</p>}
        invoiceOffer={<p>A new invoice</p>}
      />
    </SiteContext>,
  )
  return container.textContent ?? ''
}

const unpaid = (...tries: Receipt['payment']['tries']): Partial<Receipt> => ({
  payment: { ...PAID.payment, paid: false, paid_at: null, sats: 0, tries },
  review: { ...PAID.review, status: 'unpaid' },
})

const ENDED = { ...TRY, payment_request: null, expires_in_ms: 0 }
const EARLIER = { ...TRY, checking_id: 'earlier', payment_request: 'lnbc1earlier' }
const DEMO = { ...TRY, demonstration: true }
const paidBy = (...tries: Receipt['payment']['tries']) => ({ payment: { ...PAID.payment, tries } })
const contact = (confirmed: boolean) =>
  ({ contact: { kind: 'email', shown: 'm…@example.org', confirmed } }) as const
const STATES: Readonly<Record<string, Partial<Receipt>>> = {
  paid: {},
  'with an open invoice after another': unpaid(EARLIER, TRY),
  'with an invoice of the demonstration wallet after one of real sats': unpaid(EARLIER, DEMO),
  'with an invoice of real sats after one of the demonstration wallet': unpaid(
    { ...EARLIER, demonstration: true },
    TRY,
  ),
  'paid by the demonstration wallet after an ended invoice of real sats': paidBy(
    { ...ENDED, ...DEMO, status: 'paid', payment_request: null },
    { ...ENDED, checking_id: 'earlier', status: 'expired' },
  ),
  'with an expired invoice': unpaid({ ...ENDED, status: 'expired' }),
  'with a cancelled invoice': unpaid({ ...ENDED, status: 'cancelled' }),
  'late, overpaid and rejected': {
    payment: { ...PAID.payment, late: true, overpaid_sats: 21 },
    hint: '21 sats arrived in addition.',
    review: { status: 'rejected', comment: 'No source.', decided_at: '2026-11-21T09:00:00Z' },
  },
  published: { prediction: { id: 'x', path: '/predictions/x', success_status: 'success' } },
  'with a contact to be confirmed': contact(false),
  'with a confirmed contact': contact(true),
}

it('receipts have their stored texts', async () => {
  const texts = Object.entries(STATES).map(([name, state]) => {
    show(state)
    const text = `# ${name}\n${linesOf(document.body.innerHTML)}`
    cleanup()
    return text
  })
  for (const way of [
    { email: 'hello@example.org' },
    { nostr: 'https://njump.me/npub1' },
    { social: 'https://x.com/site' },
  ]) {
    show({}, { ...SITE.contacts, ...way })
    texts.push(`# with a contact of the site\n${linesOf(document.body.innerHTML)}`)
    cleanup()
  }
  const file = '../../../../tests/texts/receipts.txt'
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(file)
})

it('shows the proof of payment and offers no further invoice', () => {
  const paid = { ...TRY, status: 'paid', payment_request: null, preimage: 'cd'.repeat(32) } as const
  const text = show({ payment: { ...PAID.payment, tries: [paid] } })
  expect(text).toContain(`Proof of payment${'cd'.repeat(32)}`)
  const copied = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve())
  vi.stubGlobal('navigator', { clipboard: { writeText: copied } })
  for (const button of screen.getAllByRole('button', { name: 'Copy' })) fireEvent.click(button)
  expect(copied).toHaveBeenCalledWith('cd'.repeat(32))
  expect(text).not.toContain('A new invoice')
})

it.each([
  ['66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925', 'it is the payment hash.'],
  ['ab'.repeat(32), 'it is not the payment hash.'],
])('computes the SHA-256 of a proof in the browser: %s', async (hash, message) => {
  const preimage = '00'.repeat(32)
  const paid = { ...TRY, status: 'paid', payment_hash: hash, preimage } as const
  show({ payment: { ...PAID.payment, tries: [paid] } })
  expect(await screen.findByText(new RegExp(message))).toBeDefined()
})

it('stops notices after a press when opened by the link in a mail', async () => {
  const fetched = vi.fn<typeof fetch>((address) =>
    Promise.resolve(
      Response.json(
        JSON.stringify(address).includes('unsubscribe') ? { unsubscribed: true } : PAID,
      ),
    ),
  )
  const requests = (): string => JSON.stringify(fetched.mock.calls.map(([address]) => address))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('EventSource', function stream() {
    return Object.assign(new EventTarget(), { close: () => undefined })
  })
  window.history.replaceState(null, '', `${PAID.path}?unsubscribe=1`)
  render(
    <SiteContext value={SITE}>
      <ReceiptParts of="submission" token={TOKEN} />
    </SiteContext>,
  )
  const stop = await screen.findByRole('button', { name: 'Stop the notices' })
  expect(requests()).not.toContain('unsubscribe')
  fireEvent.click(stop)
  await screen.findByText(/you will get no more notices/)
  expect(requests()).toContain(`/api/v1/receipts/${TOKEN}/unsubscribe`)
})

it('asks for no contact on a boost receipt, and keeps polling after a failure', async () => {
  vi.useFakeTimers()
  const waiting = { status: 'pending', open: true, state: 'Waiting for the payment.' } as const
  const open: SupportReceipt = { ...BOOST, ...waiting, paid_at: null, credited_sats: 0 }
  const paid = { ...BOOST, state: 'Received.' }
  const fetched = vi.fn<typeof fetch>()
  fetched.mockImplementationOnce(() => Promise.resolve(Response.json(open)))
  fetched.mockImplementationOnce(() => Promise.reject(new TypeError('no network')))
  fetched.mockImplementation(() => Promise.resolve(Response.json(paid)))
  vi.stubGlobal('fetch', fetched)
  const show = (of: 'payment' | null) => (
    <SiteContext value={SITE}>
      <ReceiptParts of={of} token={TOKEN} />
    </SiteContext>
  )
  const { rerender } = render(show('payment'))
  const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await after(0)
  sees('Waiting for the payment.')
  await after(3_000)
  sees('Waiting for the payment.')
  await after(3_000)
  sees('Received.')
  await after(60_000)
  const addresses = new Set(fetched.mock.calls.map(([address]) => address))
  expect([...addresses]).toEqual([`/api/v1/payments/${TOKEN}/receipt`])
  expect(fetched).toHaveBeenCalledTimes(3)
  // Without a prediction, nothing is requested.
  rerender(show(null))
  sees('No receipt at this address')
  expect(fetched).toHaveBeenCalledTimes(3)
})
