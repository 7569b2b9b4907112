import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SITE } from '#tests/support/web-fixtures.ts'
import { INVOICE, OPTIONS, PAID, TOKEN, inPaymentTime } from '#tests/support/web-payments.ts'
import { SiteContext } from '#web/head/site.ts'
import { type SupportReceipt } from '#web/api/payments.ts'
import { BoostPanel } from './boost-panel.tsx'

const SATS = 21
const RECEIPT: SupportReceipt = {
  path: `/receipt/${TOKEN}`,
  purpose: 'boost',
  status: 'paid',
  sats: SATS,
  demonstration: true,
  created_at: '2026-11-20T12:00:00.000Z',
  paid_at: '2026-11-20T12:00:01.000Z',
  bolt11: 'lnbcrt10n1test',
  open: false,
  checking_id: TOKEN,
  payment_hash: 'ab',
  preimage: null,
  credited_sats: SATS,
  prediction: null,
  report: null,
  state: 'Payment received.',
}

inPaymentTime()

const pass = () => act(() => vi.advanceTimersByTimeAsync(2_500))

/** Boosts, and pays. @param receipt what the server says of the payment; null for no answer */
async function paid(receipt: SupportReceipt | null): Promise<string> {
  const answers: Readonly<Record<string, unknown>> = {
    '/payments/options': { ...OPTIONS, default_sats: SATS },
    '/predictions/a/boost': { ...INVOICE, sats: SATS },
    '/demonstration-payment': PAID,
    ...(receipt && { [`/payments/${TOKEN}/receipt`]: receipt }),
  }
  vi.stubGlobal('fetch', (address: string) => {
    const found = Object.keys(answers).find((path) => address.includes(path))
    return found === undefined
      ? Promise.reject(new TypeError('no network'))
      : Promise.resolve(Response.json(answers[found]))
  })
  render(
    <SiteContext value={SITE}>
      <BoostPanel id="a" onPaid={() => undefined} onClose={() => undefined} />
    </SiteContext>,
  )
  await pass()
  fireEvent.click(screen.getByRole('button', { name: 'Create invoice' }))
  await pass()
  fireEvent.click(screen.getByRole('button', { name: /demonstration/ }))
  await pass()
  return screen.getByRole('heading', { name: 'Thank you' }).nextElementSibling?.textContent ?? ''
}

it('says that the sats of a boost are part of the score once the server says so', async () => {
  expect(await paid(RECEIPT)).toBe('21 sats received. They are part of the score now.')
})

it('says so when the prediction was withdrawn while the invoice was open', async () => {
  expect(await paid({ ...RECEIPT, credited_sats: 0 })).toMatch(
    /^21 sats received\. The prediction was withdrawn before they came, so they count nowhere\./,
  )
})

it('claims nothing of the score while the server does not answer', async () => {
  expect(await paid(null)).toBe('21 sats received.')
})
