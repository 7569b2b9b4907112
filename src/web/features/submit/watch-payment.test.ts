import { type PaymentState } from '#web/api/payments.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchPayment, type OpenInvoice } from './watch-payment.ts'

const NOW = 1_800_000_000_000
const POLLING = { pollMs: 2_000, polls: 300 }
const INVOICE: OpenInvoice = {
  bolt11: 'lnbc1',
  checkingId: 'a-checking-id-of-the-test',
  sats: 21,
  endsAt: NOW + 600_000,
  demonstration: false,
  token: 'a-receipt-token-of-the-test',
}
const UNPAID: PaymentState = {
  paid: false,
  status: 'pending',
  late: false,
  overpaid: false,
  checked: true,
}

const paid = vi.fn<() => void>()
const ended = vi.fn<() => void>()
const known = vi.fn<(isKnown: boolean) => void>()
let events: EventTarget & { close: () => void }

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  vi.clearAllMocks()
  vi.stubGlobal('EventSource', function stream() {
    events = Object.assign(new EventTarget(), { close: vi.fn<() => void>() })
    return events
  })
  answer(UNPAID)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function answer(state: PaymentState | null): void {
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() =>
      state ? Promise.resolve(Response.json(state)) : Promise.reject(new Error('no network')),
    ),
  )
}

function watch(): () => void {
  return watchPayment(INVOICE, POLLING, { paid, ended, known })
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

describe('a payment', () => {
  it('is asked for every two seconds, and found', async () => {
    watch()
    await pass(6_100)
    expect(fetch).toHaveBeenCalledTimes(3)
    expect(paid).not.toHaveBeenCalled()
    answer({ ...UNPAID, paid: true, status: 'paid' })
    await pass(2_000)
    expect(paid).toHaveBeenCalledOnce()
    await pass(60_000)
    expect(fetch).toHaveBeenCalledOnce()
    expect(events.close).toHaveBeenCalled()
  })

  it('counts as not paid while the server does not answer, and is found when it does', async () => {
    answer(null)
    watch()
    await pass(300_000)
    expect(ended).not.toHaveBeenCalled()
    answer({ ...UNPAID, paid: true, status: 'paid' })
    await pass(2_100)
    expect(paid).toHaveBeenCalledOnce()
  })

  it('is asked for on and on, more slowly after 300 looks, until the server knows its end', async () => {
    watch()
    await pass(600_100)
    expect(fetch).toHaveBeenCalledTimes(300)
    await pass(20_000)
    expect(fetch).toHaveBeenCalledTimes(302)
    expect(ended).not.toHaveBeenCalled()
    answer({ ...UNPAID, status: 'expired' })
    await pass(10_000)
    expect(ended).toHaveBeenCalledOnce()
  })

  it.each([
    ['the wallet', { ...UNPAID, checked: false }],
    ['the server', null],
  ])('has not ended because %s cannot be asked', async (_, state) => {
    answer(state)
    watch()
    await pass(900_000)
    expect(ended).not.toHaveBeenCalled()
    expect(known).toHaveBeenLastCalledWith(false)
    answer(UNPAID)
    await pass(10_000)
    expect(known).toHaveBeenLastCalledWith(true)
  })

  it('is given up at once when the server says that the invoice has ended', async () => {
    answer({ ...UNPAID, status: 'expired' })
    watch()
    await pass(2_100)
    expect(ended).toHaveBeenCalledOnce()
  })

  it('tells nothing once it is left', async () => {
    const leave = watch()
    answer({ ...UNPAID, paid: true, status: 'paid' })
    leave()
    await pass(10_000)
    expect(paid).not.toHaveBeenCalled()
  })
})
