import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { sees } from '#tests/support/on-screen.ts'
import { noteCancelled, noteTry, ownSubmissions } from '#web/api/own-submissions.ts'
import { PaymentNotes } from './payment-notes.tsx'

const TOKEN = 'a-receipt-token-of-the-test'
const UNPAID = { paid: false, status: 'pending', late: false, overpaid: false, checked: true }
let state: object = UNPAID

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  localStorage.clear()
  state = UNPAID
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() => Promise.resolve(Response.json(state))),
  )
})

async function pass(ms = 0): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(0)
  })
}

async function show(path = '/btc'): Promise<void> {
  noteTry({
    asset: 'btc',
    content: '{}',
    what: 'Ada Quant: $150,000',
    invoice: {
      bolt11: 'lnbc1',
      checkingId: 'a-checking-id-of-the-test',
      sats: 21,
      endsAt: Date.now() + 600_000,
      demonstration: false,
      token: TOKEN,
    },
  })
  render(<PaymentNotes path={path} />)
  await pass()
}

it('a note links back to an unpaid invoice, also after a reload, until it expires', async () => {
  await show()
  const link = screen.getByRole('link', { name: 'Back to the invoice' })
  expect(link.getAttribute('href')).toBe(`/receipt/${TOKEN}`)
  cleanup()
  render(<PaymentNotes path="/" />)
  await pass()
  sees(/21 sats to pay for/)
  await pass(600_000)
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('a note can be dismissed permanently, and is hidden on its own receipt', async () => {
  await show(`/receipt/${TOKEN}`)
  expect(screen.queryByRole('complementary')).toBeNull()
  cleanup()
  await show()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('complementary')).toBeNull()
  cleanup()
  render(<PaymentNotes path="/btc" />)
  await pass()
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('a note says that the payment arrived, and links the receipt', async () => {
  await show()
  state = { ...UNPAID, paid: true, status: 'paid' }
  await pass(10_000)
  expect(screen.getByRole('status').textContent).toContain('Payment received for Ada Quant')
  expect(screen.getByRole('link', { name: 'Open your receipt' })).toBeDefined()
  expect(ownSubmissions()).toMatchObject([{ token: TOKEN, invoice: null, content: null }])
})

it.each(['expired', 'cancelled'])('a note disappears when the server says %s', async (status) => {
  await show()
  state = { ...UNPAID, status }
  await pass(10_000)
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('a note disappears when another tab cancels the invoice', async () => {
  await show()
  act(() => noteCancelled({ token: TOKEN, checkingId: 'a-checking-id-of-the-test' }))
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('a note stays when another tab cancels an older invoice of the same submission', async () => {
  await show()
  act(() => noteCancelled({ token: TOKEN, checkingId: 'an-older-checking-id' }))
  expect(screen.getByRole('link', { name: 'Back to the invoice' })).toBeDefined()
  expect(ownSubmissions()).toMatchObject([{ invoice: { checkingId: 'a-checking-id-of-the-test' } }])
})
