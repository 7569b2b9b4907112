import {} from '@testing-library/react'
import { beforeEach, vi } from 'vitest'
import {
  type NewInvoice,
  type PaymentOptions,
  type PaymentState,
  type Receipt,
  type SupportReceipt,
} from '#web/api/payments.ts'

/** The server's replies on the way to a paid invoice of 1 sat, as of `inPaymentTime`. */
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

export const RECEIPT: Receipt = {
  path: `/receipt/${TOKEN}`,
  created_at: '2026-11-20T12:00:00.000Z',
  submission: {
    asset_type: 'btc',
    expert_name: 'Expert A',
    twitter_handle: null,
    nostr_npub: null,
    prediction_type: 'target',
    price_prediction: '$150,000',
    price_target: 150_000,
    price_min: null,
    price_max: null,
    timing: 'by',
    direction: null,
    target_time: '2027-12-31',
    prediction_made: '2026-11-20',
    made_precision: 'day',
    source_url: null,
    notes: '',
  },
  demonstration: false,
  payment: {
    paid: true,
    paid_at: null,
    sats: 1,
    asked_sats: 21,
    received_msat: 21_000,
    late: false,
    overpaid_sats: 0,
    tries: [],
  },
  review: { status: 'pending', comment: null, decided_at: null },
  prediction: null,
  contact: null,
  state: 'Payment received.',
  hint: null,
}
export const BOOST: SupportReceipt = {
  path: `/receipt/${TOKEN}`,
  purpose: 'boost',
  status: 'paid',
  sats: 21,
  demonstration: true,
  created_at: '2026-11-20T12:00:00.000Z',
  paid_at: '2026-11-20T12:00:01.000Z',
  bolt11: 'lnbcrt10n1test',
  open: false,
  checking_id: TOKEN,
  payment_hash: 'ab',
  preimage: null,
  credited_sats: 21,
  prediction: null,
  report: null,
  state: 'Payment received.',
}

/** Each test of the file begins at the same time in an empty browser, with silent event streams. */
export function inPaymentTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
    localStorage.clear()
    vi.stubGlobal('EventSource', function stream() {
      return Object.assign(new EventTarget(), { close: () => undefined })
    })
  })
}
