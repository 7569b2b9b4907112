import { beforeEach, expect, it, vi } from 'vitest'
import { inPaymentTime } from '#tests/support/web-payments.ts'
import {
  noteCancelled,
  noteInvoice,
  notePaid,
  noteTry,
  openInvoiceOf,
  ownSubmissions,
  tryOf,
  type OpenInvoice,
} from './own-submissions.ts'

inPaymentTime()

const invoice = (checkingId: string, leftMs = 60_000): OpenInvoice => ({
  bolt11: `lnbc-${checkingId}`,
  checkingId,
  sats: 21,
  endsAt: Date.now() + leftMs,
  demonstration: false,
  token: 'receipt',
})
const openId = () => openInvoiceOf(tryOf('btc', 'the same'))?.checkingId ?? null

beforeEach(() => {
  noteTry({ asset: 'btc', what: 'Expert A: $1', content: 'the same', invoice: invoice('first') })
})

it('cancelling an invoice keeps a newer one made by another tab for the same submission', () => {
  noteInvoice(invoice('second'))
  noteCancelled({ token: 'receipt', checkingId: 'first' })
  expect(openId()).toBe('second')
  noteCancelled({ token: 'receipt', checkingId: 'second' })
  expect(openId()).toBeNull()
})

it('invoices about to expire or already paid are not offered', () => {
  noteInvoice(invoice('brief', 15_000))
  expect(openId()).toBeNull()
  noteInvoice(invoice('longer', 15_001))
  expect(openId()).toBe('longer')
  notePaid('receipt')
  expect(tryOf('btc', 'the same')).toBeNull()
  expect(ownSubmissions()).toMatchObject([{ token: 'receipt', content: null, invoice: null }])
})

it('the fifty newest submissions are stored, for 90 days', () => {
  const one = { asset: 'btc', what: 'Expert A: $1', content: '' } as const
  for (let i = 0; i < 60; i += 1)
    noteTry({ ...one, invoice: { ...invoice(String(i)), token: String(i) } })
  const tokens = () => ownSubmissions().map(({ token }) => token)
  expect([tokens().length, tokens()[0], tokens()[49]]).toEqual([50, '59', '10'])
  vi.advanceTimersByTime(90 * 86_400_000 - 1)
  expect(tokens()).toHaveLength(50)
  vi.advanceTimersByTime(1)
  expect(tokens()).toEqual([])
})
