import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { type NewInvoice, type PaymentOptions, type PaymentState } from '#web/api/payments.ts'
import { SiteContext, type Site } from '#web/site.ts'
import { SubmitDialog } from './submit-dialog.tsx'

const SITE: Site = {
  origin: 'https://example.org',
  today: day('2026-11-20'),
  priced: ['btc'],
  contacts: { social: null, nostr: null, email: null },
  openSubmit: () => undefined,
}
const DRAFT = 'submission-draft-btc'
const TOKEN = 'a-receipt-token-of-the-test'
const OPTIONS: PaymentOptions = {
  open: true,
  closed_because: null,
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
const INVOICE: NewInvoice = {
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
const PAID: PaymentState = {
  paid: true,
  status: 'paid',
  late: false,
  overpaid: false,
  checked: true,
}

type Reply = (request: RequestInit | undefined) => Response | Promise<Response>
let replies: Record<string, Reply>
const fetched = vi.fn<typeof fetch>()
const onClose = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  vi.clearAllMocks()
  localStorage.clear()
  replies = {
    '/payments/options': () => Response.json(OPTIONS),
    '/create-invoice': () => Response.json(INVOICE),
    '/demonstration-payment': () => Response.json(PAID),
  }
  fetched.mockImplementation((address, request) => {
    const reply = Object.entries(replies).find(([path]) => String(address).includes(path))?.[1]
    return reply ? Promise.resolve(reply(request)) : Promise.reject(new Error('no network'))
  })
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('EventSource', function stream() {
    return Object.assign(new EventTarget(), { close: () => undefined })
  })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function pass(ms = 0): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })
}

async function openDialog(): Promise<void> {
  render(
    <SiteContext value={SITE}>
      <SubmitDialog asset={ASSETS.btc} onClose={onClose} />
    </SiteContext>,
  )
  await pass(10)
}

async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(10)
}

function type(label: string | RegExp, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
}

function fieldOf(label: string | RegExp): string {
  return screen.getByLabelText<HTMLInputElement>(label).value
}

async function fill(): Promise<void> {
  type(/^Expert name/, 'Ada Quant')
  type(/^Price target/, '150,000')
  type(/^Target date/, '2027-12-31')
  await pass(400)
}

async function invoice(): Promise<void> {
  await press('Continue to payment')
  await press('Create invoice')
}

it('is empty again after a paid submission, and keeps nothing of it', async () => {
  await openDialog()
  await fill()
  expect(localStorage.getItem(DRAFT)).toContain('Ada Quant')
  await invoice()
  expect(localStorage.getItem(DRAFT)).toContain(TOKEN)
  await press(/^Pay with the demonstration wallet/)
  await pass(2_100)
  expect(screen.getByText('Prediction submitted')).toBeDefined()
  await press('Skip')
  cleanup()
  await pass(1_000)
  expect(localStorage.getItem(DRAFT)).toBeNull()
  await openDialog()
  expect(fieldOf(/^Expert name/)).toBe('')
})
