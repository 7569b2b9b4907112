import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { type NewInvoice, type PaymentOptions, type PaymentState } from '#web/api/payments.ts'

/** What the server answers on the way to a paid invoice of 1 sat, as at the time of `inPaymentTime`. */
export const TOKEN = 'a-receipt-token-of-the-test'
export const OPTIONS: PaymentOptions = {
  open: true,
  closed_because: null,
  checking: false,
  demonstration: true,
  network: 'regtest',
  min_sats: 1,
  max_sats: 100_000,
  default_sats: 1,
  quick_picks: [1, 21],
  usd_per_sat: 0.001,
  usd_is_guess: false,
  report_deposit_sats: 0,
  poll_ms: 2_000,
  polls: 300,
  notices: { email: true, lightning: true },
}
export const INVOICE: NewInvoice = {
  invoice: {
    payment_request: 'lnbcrt10n1test',
    payment_hash: 'ab',
    checking_id: 'a-checking-id-of-the-test',
  },
  sats: 1,
  expires_at: '2026-11-20T12:10:00.000Z',
  expires_in_ms: 600_000,
  demonstration: true,
  receipt: { token: TOKEN, path: `/receipt/${TOKEN}` },
}
export const PAID: PaymentState = {
  paid: true,
  status: 'paid',
  late: false,
  overpaid: false,
  checked: true,
}

/** Each test of the file begins at the same time in an empty browser, whose event streams say nothing. */
export function inPaymentTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
    localStorage.clear()
    vi.stubGlobal('EventSource', function stream() {
      return Object.assign(new EventTarget(), { close: () => undefined })
    })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
