import { beforeEach, expect, it, vi } from 'vitest'
import { inPaymentTime } from '#tests/support/web-payments.ts'
import {
  closeNote,
  forget,
  noteCancelled,
  noteInvoice,
  notePaid,
  noteTry,
  openInvoiceOf,
  ownSubmissions,
  tryOf,
  unpaidOf,
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
const shown = () => openInvoiceOf(tryOf('btc', 'the same'))?.checkingId ?? null

beforeEach(() => {
  noteTry({ asset: 'btc', what: 'Ada: $1', content: 'the same', invoice: invoice('first') })
})

it('cancelling an invoice leaves the newer one that another tab has made of the same submission', () => {
  noteInvoice(invoice('second'))
  noteCancelled({ token: 'receipt', checkingId: 'first' })
  expect(shown()).toBe('second')
  noteCancelled({ token: 'receipt', checkingId: 'second' })
  expect(shown()).toBeNull()
})

it('an invoice that is about to end is not offered, nor one that has been paid', () => {
  noteInvoice(invoice('brief', 15_000))
  expect(shown()).toBeNull()
  noteInvoice(invoice('longer', 15_001))
  expect(shown()).toBe('longer')
  notePaid('receipt')
  expect(tryOf('btc', 'the same')).toBeNull()
  expect(ownSubmissions()).toMatchObject([{ token: 'receipt', content: null, invoice: null }])
})

it('submissions are kept for 90 days, the fifty newest, each once', () => {
  const day = 86_400_000
  const start = Date.now()
  for (let i = 0; i < 60; i += 1) {
    const one = { asset: 'btc', what: 'Ada: $1', content: String(i) } as const
    noteTry({ ...one, invoice: { ...invoice(String(i)), token: `receipt ${String(i)}` } })
  }
  const kept = () => ownSubmissions().map(({ token }) => token)
  expect([kept().length, kept()[0], kept().at(-1)]).toEqual([50, 'receipt 59', 'receipt 10'])
  vi.setSystemTime(start + 90 * day - 1_000)
  expect(kept()).toHaveLength(50)
  vi.setSystemTime(start + 90 * day + 60_000)
  expect(kept()).toEqual([])
})

it('what is noted of one submission leaves the others as they are, and one that is gone stays gone', () => {
  const other = { ...invoice('other'), token: 'other' }
  noteTry({ asset: 'naka', what: 'Bob: $2', content: 'else', invoice: other })
  closeNote('receipt')
  expect(ownSubmissions().map(({ isNoteClosed }) => isNoteClosed)).toEqual([false, true])
  noteInvoice(invoice('second'))
  expect(ownSubmissions().map(({ isNoteClosed }) => isNoteClosed)).toEqual([false, false])
  expect([unpaidOf('btc').length, unpaidOf('naka').length]).toEqual([1, 1])
  expect(tryOf('naka', 'the same')).toBeNull()
  forget('receipt')
  notePaid('receipt')
  expect(ownSubmissions().map(({ token }) => token)).toEqual(['other'])
})
