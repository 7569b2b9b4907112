import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SITE } from '#tests/support/web-fixtures.ts'
import { BOOST, INVOICE, OPTIONS, PAID, TOKEN, inPaymentTime } from '#tests/support/web-payments.ts'
import { type SupportReceipt } from '#web/api/payments.ts'
import { SiteContext } from '#web/head/site.ts'
import { BoostPanel } from './boost-panel.tsx'

inPaymentTime()

const pass = () => act(() => vi.advanceTimersByTimeAsync(2_500))

/**
 * Pays a boost.
 *
 * @param receipt the server's receipt; null for no reply
 */
async function paid(receipt: SupportReceipt | null): Promise<string> {
  const answers: Readonly<Record<string, unknown>> = {
    '/payments/options': { ...OPTIONS, default_sats: 21 },
    '/predictions/a/boost': { ...INVOICE, sats: 21 },
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

it.each([
  [BOOST, /^21 sats received\. They now count in the score\.$/],
  [
    { ...BOOST, credited_sats: 0 },
    /^21 sats received\. The prediction was withdrawn before they came, so they count nowhere\./,
  ],
  // No answer.
  [null, /^21 sats received\.$/],
])('shows the effect of a boost with receipt %j', async (receipt, words) => {
  expect(await paid(receipt)).toMatch(words)
})
