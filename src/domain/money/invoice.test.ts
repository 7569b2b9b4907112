import { bolt11Of } from '#tests/support/stand-ins/ledger.ts'
import { describe, expect, it } from 'vitest'
import { type Network } from './bolt11.ts'
import { arrivalOf, checkInvoice, checkUntilMs, nextCheckMs, pageEndsMs } from './invoice.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const HASH = '4b'.repeat(32)
const ASK = { sats: 21, network: 'mainnet', expirySeconds: 600 } as const

type Made = { network?: Network; msat?: number; createdMs?: number; expirySeconds?: number }

function checked(made: Made, named: string | null = HASH, descriptionHash: string | null = null) {
  const fine = { network: 'mainnet', msat: 21_000, createdMs: NOON, expirySeconds: 600 } as const
  const bolt11 = bolt11Of({ ...fine, ...made, paymentHash: HASH, descriptionHash: null })
  return checkInvoice(bolt11, named, { ...ASK, descriptionHash }, NOON)
}

describe('an invoice', () => {
  it('accepts an invoice as ordered, with or without its payment hash', () => {
    for (const named of [HASH, HASH.toUpperCase(), null]) {
      expect(checked({}, named)).toMatchObject({ paymentHash: HASH, msat: 21_000 })
    }
  })

  it.each<[string, Made]>([
    ['of another amount', { msat: 20_000 }],
    ['of another amount', { msat: 42_000 }],
    ['for regtest, not for mainnet', { network: 'regtest' }],
    ['ends too soon', { expirySeconds: 60 }],
    ['for more than a year', { expirySeconds: 31_622_401 }],
    ['for more than a year', { expirySeconds: 32 ** 10 - 1 }],
    ['of another day', { createdMs: NOON - 3 * DAY }],
    ['of another day', { createdMs: NOON + 3 * DAY }],
    ['has expired or is about to', { createdMs: NOON - 9.5 * MINUTE }],
    ['has expired or is about to', { createdMs: NOON - 180 * MINUTE }],
  ])('is refused because it is or %s', (problem, made) => {
    expect(checked(made)).toContain(problem)
  })

  it('rejects an invoice that is malformed or has another payment hash or description', () => {
    expect(checkInvoice('lnbc1', HASH, ASK, NOON)).toContain('cannot be read')
    expect(checked({}, 'ab'.repeat(32))).toContain('of another payment')
    expect(checked({}, HASH, 'ab'.repeat(32))).toContain('without the hash of what it is for')
  })

  it.each([
    [180, 600],
    [1, 600],
    [-0.2, 600],
    [-4, 360],
    [-9, 60],
  ])(
    'an invoice of a wallet whose clock is %d minutes ahead is shown for %d seconds',
    (minutes, seconds) => {
      const made = checked({ createdMs: NOON + minutes * MINUTE })
      expect(typeof made !== 'string' && pageEndsMs(made, NOON)).toBe(NOON + seconds * 1_000)
    },
  )
})

it.each([
  [null, { receivedMsat: null, missingMsat: 0, extraMsat: 0, countedSats: 21 }],
  [21_000, { receivedMsat: 21_000, missingMsat: 0, extraMsat: 0, countedSats: 21 }],
  [20_999, { receivedMsat: 20_999, missingMsat: 1, extraMsat: 0, countedSats: 20 }],
  [0, { receivedMsat: 0, missingMsat: 21_000, extraMsat: 0, countedSats: 0 }],
  [-21_000, { receivedMsat: 0, missingMsat: 21_000, extraMsat: 0, countedSats: 0 }],
  [42_000, { receivedMsat: 42_000, missingMsat: 0, extraMsat: 21_000, countedSats: 21 }],
])('of 21 sats with %j reported millisats counts no more than that', (msat, arrival) => {
  expect(arrivalOf(21, msat)).toEqual(arrival)
})

describe('checks of an invoice', () => {
  const ends = { createdMs: NOON, endsMs: NOON + 10 * MINUTE, walletEndsMs: NOON + 10 * MINUTE }

  it('continue for two days after the invoice can be paid, and for a week if we did not choose its expiry', () => {
    const isLifeChosen = true
    expect(checkUntilMs({ ...ends, isLifeChosen })).toBe(ends.endsMs + 2 * DAY)
    const long = { ...ends, walletEndsMs: NOON + 7 * DAY }
    expect(checkUntilMs({ ...long, isLifeChosen })).toBe(NOON + 9 * DAY)
    expect(checkUntilMs({ ...ends, isLifeChosen: false })).toBe(NOON + 7 * DAY)
  })

  it.each([2, 9])(
    'come every few seconds, then less and less often, and last after %d days',
    (days) => {
      const untilMs = NOON + days * DAY
      const at: number[] = [NOON]
      for (let now = NOON; ; at.push(now)) {
        const pause = nextCheckMs(now - NOON, ends.endsMs - now, untilMs - now)
        if (pause === null) break
        now += pause
      }
      const pauses = at.slice(1).map((ms, n) => ms - (at[n] ?? ms))
      const [last = 0] = at.slice(-1)
      expect(last).toBe(untilMs + 250)
      expect(pauses[0]).toBe(2_000)
      expect(nextCheckMs(599_000, 1_000, DAY)).toBe(1_250)
      const before = (ms: number) => pauses.filter((_, n) => (at[n + 1] ?? 0) <= ms)
      expect(Math.max(...before(ends.endsMs))).toBe(5_000)
      expect(Math.max(...before(ends.endsMs + 2 * DAY))).toBe(30 * MINUTE)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(2 * 60 * MINUTE)
    },
  )
})
