import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { hrefOf, sees, seesNot } from '#tests/support/on-screen.ts'
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

function show(overrides: Partial<Receipt>): string {
  const { container } = render(
    <SiteContext value={SITE}>
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

it('shows what was paid and submitted, without linking text entered by visitors', () => {
  const text = show({})
  expect(text).toContain('21 sats received on 20/11/2026 12:01 UTC.')
  expect(text).toContain('Pending review.')
  expect(text).toContain('Top$150,000')
  expect(document.querySelector('a[href^="javascript"]')).toBeNull()
  seesNot('Pay it here')
})

it('offers payment while the invoice is open', () => {
  const earlier = { ...TRY, payment_request: 'lnbc1earlier', checking_id: 'earlier' }
  const text = show(unpaid(earlier, TRY))
  expect(text).toContain('Waiting for payment...')
  expect(hrefOf('Open in a wallet')).toBe('lightning:lnbc210n1test')
  expect(screen.queryByRole('button', { name: /demonstration/ })).toBeNull()
})

it.each([
  ['an invoice of the demonstration wallet after one of real sats', true],
  ['an invoice of real sats after one of the demonstration wallet', false],
])('labels %s correctly', (_, demonstration) => {
  const ended = { status: 'expired', payment_request: null, expires_in_ms: 0 } as const
  const earlier = { ...TRY, ...ended, demonstration: !demonstration, checking_id: 'earlier' }
  show(unpaid(earlier, { ...TRY, demonstration }))
  const visible = screen.queryAllByRole('button', { name: /Pay with the demonstration wallet/ })
  expect(visible).toHaveLength(Number(demonstration))
  expect(screen.queryAllByText('Demo.')).toHaveLength(Number(demonstration))
  cleanup()
  // Once paid, only the paid invoice counts.
  const paid = { ...TRY, status: 'paid', payment_request: null, demonstration } as const
  show({ payment: { ...PAID.payment, tries: [paid, { ...earlier, status: 'expired' }] } })
  expect(screen.queryAllByText('Demo.')).toHaveLength(Number(demonstration))
})

it.each(['expired', 'cancelled'] as const)(
  'offers a new invoice when the old one is %s',
  (status) => {
    const text = show(unpaid({ ...TRY, status, payment_request: null, expires_in_ms: 0 }))
    expect(text).toContain('A new invoice')
    expect(text).toContain('ab'.repeat(32))
    expect(text).not.toContain('Proof of payment')
  },
)

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

it.each([
  [{ email: 'hello@example.org' }, /^mailto:hello@example\.org\?subject=A%20receipt&body=https/],
  [{ nostr: 'https://njump.me/npub1' }, /^https:\/\/njump\.me/],
  [{ social: 'https://x.com/site' }, /^https:\/\/x\.com\/site/],
])('offers a contact: %j', (input, address) => {
  const contacts = { ...SITE.contacts, ...input }
  render(
    <SiteContext value={{ ...SITE, contacts }}>
      <ReceiptView receipt={PAID} contactOffer={null} invoiceOffer={null} />
    </SiteContext>,
  )
  const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  expect(links).toContainEqual(expect.stringMatching(address))
})

it('shows special cases: late, overpaid, refused', () => {
  const text = show({
    payment: { ...PAID.payment, late: true, overpaid_sats: 21 },
    hint: '21 sats arrived in addition.',
    review: { status: 'rejected', comment: 'No source.', decided_at: '2026-11-21T09:00:00Z' },
  })
  expect(text).toContain('after the invoice had expired')
  expect(text).toContain('21 sats arrived in addition.')
  expect(text).toContain('Not published on 21/11/2026 09:00 UTC.')
  expect(text).toContain('No source.')
})

it('links the prediction once it is published', () => {
  show({ prediction: { id: 'x', path: '/predictions/x', success_status: 'success' } })
  const link = screen.getByRole('link', { name: 'Open the prediction' })
  expect(link.getAttribute('href')).toBe('/predictions/x')
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

it.each([
  [{}, true],
  [{ contact: { kind: 'email', shown: 'm…@example.org', confirmed: false } }, true],
  [{ contact: { kind: 'email', shown: 'm…@example.org', confirmed: true } }, false],
  [{ review: { status: 'rejected', comment: null, decided_at: null } }, false],
  [{ prediction: { id: 'a', path: '/predictions/a', success_status: 'miss' } }, false],
] as const)('offers notices while news is pending: %j', (input, isOffered) => {
  const text = show(input)
  expect(text.includes('Leave a contact')).toBe(isOffered)
  expect(text.includes('waiting for you to confirm')).toBe(
    'contact' in input && !input.contact.confirmed,
  )
})
