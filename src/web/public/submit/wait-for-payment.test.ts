import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { type PaymentState } from '#web/api/payments.ts'
import { waitForLatePayment, waitForPayment, type Trouble } from './wait-for-payment.ts'

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
const PENDING = { paid: false, status: 'pending' } as const
const UNPAID: PaymentState = { ...PENDING, late: false, overpaid: false, checked: true }

const paid = vi.fn<() => void>()
const ended = vi.fn<(how: 'expired' | 'cancelled') => void>()
const trouble = vi.fn<(trouble: Trouble | null) => void>()
let events: EventTarget & { readonly url: string; close: () => void }
let leave: (() => void) | undefined

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  vi.clearAllMocks()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  vi.stubGlobal('EventSource', function stream(url: string) {
    events = Object.assign(new EventTarget(), { url, close: vi.fn<() => void>() })
    return events
  })
  answer(UNPAID)
})

afterEach(async () => {
  leave?.()
  await Promise.resolve()
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

function refused(code: string, status: number): Response {
  return Response.json({ success: false, code, error: 'No.' }, { status })
}

function wait(): () => void {
  leave = waitForPayment(INVOICE, POLLING, { paid, ended, trouble })
  return leave
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

describe('a payment', () => {
  it('is polled every two seconds until found', async () => {
    wait()
    await pass(6_100)
    expect(fetch).toHaveBeenCalledTimes(3)
    expect(paid).not.toHaveBeenCalled()
    answer({ ...UNPAID, paid: true, status: 'paid' })
    await pass(2_000)
    expect(paid).toHaveBeenCalledOnce()
    await pass(60_000)
    expect(fetch).toHaveBeenCalledOnce()
    expect(events.url).toBe(`/api/v1/live?asset=none&receipt=${INVOICE.token}`)
    expect(events.close).toHaveBeenCalled()
  })

  it('stays unpaid while the server does not reply, and is found when it does', async () => {
    answer(null)
    wait()
    await pass(300_000)
    expect(ended).not.toHaveBeenCalled()
    answer({ ...UNPAID, paid: true, status: 'paid' })
    await pass(2_100)
    expect(paid).toHaveBeenCalledOnce()
  })

  it('is polled more slowly after 300 times, until the server reports its end', async () => {
    wait()
    await pass(600_100)
    expect(fetch).toHaveBeenCalledTimes(300)
    await pass(20_000)
    expect(fetch).toHaveBeenCalledTimes(302)
    expect(ended).not.toHaveBeenCalled()
    answer({ ...UNPAID, status: 'expired' })
    await pass(10_000)
    expect(ended).toHaveBeenCalledExactlyOnceWith('expired')
  })

  it.each([
    ['wallet', () => Promise.resolve(Response.json({ ...UNPAID, checked: false }))],
    ['network', () => Promise.reject(new Error('no network'))],
    ['limits', () => Promise.resolve(refused('too_many', 429))],
    ['server', () => Promise.resolve(refused('internal', 500))],
    ['server', () => Promise.resolve(new Response('<h1>502</h1>', { status: 502 }))],
  ] as const)(
    'a payment has not ended because nothing is known: the %s is to blame',
    async (who, reply) => {
      vi.stubGlobal('fetch', vi.fn<typeof fetch>(reply))
      wait()
      await pass(900_000)
      expect(ended).not.toHaveBeenCalled()
      expect(trouble).toHaveBeenLastCalledWith(who)
      answer(UNPAID)
      await pass(10_000)
      expect(trouble).toHaveBeenLastCalledWith(null)
    },
  )

  it('is polled more slowly when rate limited', async () => {
    const request = vi.fn<typeof fetch>(() => Promise.resolve(refused('too_many', 429)))
    vi.stubGlobal('fetch', request)
    wait()
    await pass(32_100)
    expect(request).toHaveBeenCalledTimes(4)
  })

  it('is noticed after the invoice ended', async () => {
    answer({ ...UNPAID, status: 'expired' })
    waitForLatePayment(INVOICE, paid)
    await pass(60_000)
    expect(paid).not.toHaveBeenCalled()
    answer({ ...UNPAID, paid: true, status: 'paid_late', late: true })
    await pass(10_100)
    expect(paid).toHaveBeenCalledOnce()
    expect(events.close).toHaveBeenCalled()
  })

  it.each([
    ['expired', 'expired'],
    ['failed', 'expired'],
    ['cancelled', 'cancelled'],
  ] as const)(
    'ends immediately when the server reports the invoice %s: %s',
    async (status, how) => {
      answer({ ...UNPAID, status })
      wait()
      await pass(2_100)
      expect(ended).toHaveBeenCalledExactlyOnceWith(how)
    },
  )

  it('reports nothing after leaving', async () => {
    const end = wait()
    answer({ ...UNPAID, paid: true, status: 'paid' })
    end()
    await pass(10_000)
    expect(paid).not.toHaveBeenCalled()
  })
})
