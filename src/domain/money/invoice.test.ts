import { expect, it } from 'vitest'
import { bolt11Of } from '#tests/support/stand-ins/ledger.ts'
import {
  arrivalOf,
  checkInvoice,
  checkUntilMs,
  nextCheckMs,
  pageEndsMs,
  fitMemo,
  memoOf,
} from './invoice.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const HASH = '4b'.repeat(32)
const ASK = { sats: 21, network: 'mainnet', expirySeconds: 600 } as const

function checked(createdMs = NOON, named: string | null = HASH, descriptionHash?: string) {
  const made = { network: 'mainnet', msat: 21_000, createdMs, expirySeconds: 600 } as const
  const bolt11 = bolt11Of({ ...made, paymentHash: HASH, descriptionHash: null })
  return checkInvoice(bolt11, named, { ...ASK, descriptionHash: descriptionHash ?? null }, NOON)
}

it('an invoice check accepts an invoice as ordered, with or without its payment hash', () => {
  for (const named of [HASH, HASH.toUpperCase(), null]) {
    expect(checked(NOON, named)).toMatchObject({ paymentHash: HASH, msat: 21_000 })
  }
})

it('an invoice check rejects an invoice that is malformed or has another payment hash or description', () => {
  expect(checkInvoice('lnbc1', HASH, ASK, NOON)).toContain('cannot be read')
  expect(checked(NOON, 'ab'.repeat(32))).toContain('for a different payment')
  expect(checked(NOON, HASH, 'ab'.repeat(32))).toContain('without the hash of what it is for')
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
    const made = checked(NOON + minutes * MINUTE)
    expect(typeof made !== 'string' && pageEndsMs(made, NOON)).toBe(NOON + seconds * 1_000)
  },
)

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

const ends = { createdMs: NOON, endsMs: NOON + 10 * MINUTE }

it.each([
  ['ten minutes, as requested', 10 * MINUTE, true, 2 * DAY + 10 * MINUTE],
  ['seven days', 7 * DAY, true, 9 * DAY],
  ['ten minutes by a clock that is behind', 5 * MINUTE, true, 2 * DAY + 10 * MINUTE],
  ['an hour, at a Lightning address', 60 * MINUTE, false, 7 * DAY],
  ['a month, at a Lightning address', 30 * DAY, false, 32 * DAY],
])(
  'checks of an invoice valid for %s last until two days after its expiry',
  (_, life, isLifeChosen, until) => {
    const made = { ...ends, walletEndsMs: NOON + life, isLifeChosen }
    expect(checkUntilMs(made)).toBe(NOON + until)
  },
)

it.each([2, 9])(
  'checks of an invoice come every few seconds, then less and less often, and last after %d days',
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
    expect(pauses.length).toBeLessThan(500)
    expect(nextCheckMs(500_000, 100_000, DAY)).toBe(5_000)
    expect(nextCheckMs(599_000, 1_000, DAY)).toBe(1_250)
    expect(nextCheckMs(630_000, -30_000, DAY)).toBe(10_000)
    const before = (ms: number) => pauses.filter((_, n) => (at[n + 1] ?? 0) <= ms)
    expect(Math.max(...before(ends.endsMs))).toBe(5_000)
    expect(Math.max(...before(ends.endsMs + 2 * DAY))).toBe(30 * MINUTE)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2 * 60 * MINUTE)
  },
)

const ID = '1a2b3c4d-0000-4000-8000-000000000001'
const JANE = {
  asset: 'btc',
  expertName: 'Jane Doe',
  predictionType: 'target',
  pricePrediction: '$150,000',
  timing: 'by',
  targetTime: '2027-12-31',
} as const

it('the memo of a payment has the prediction and the beginning of our id', () => {
  expect(memoOf(JANE, ID)).toBe('Proof of Price: Jane Doe BTC $150,000 by 2027-12-31 · 1a2b3c4d')
  const top = { ...JANE, predictionType: 'top', timing: 'throughout' } as const
  expect(memoOf(top, ID)).toContain('BTC never above $150,000 until 2027-12-31')
  expect(memoOf({ ...top, timing: 'at_end' }, ID)).toContain('BTC below $150,000 on 2027-12-31')
})

it.each(['x'.repeat(500), '😀'.repeat(200), 'a\n\u0000b', 'Jane · Doe · '.repeat(20)])(
  'the memo of a payment fits every wallet, with whole characters and the id, for %j',
  (expertName) => {
    const memo = memoOf({ ...JANE, expertName }, ID)
    expect(memo.length).toBeLessThanOrEqual(128)
    expect(memo).toMatch(/ BTC \$150,000 by 2027-12-31 · 1a2b3c4d$/)
    expect(memo.isWellFormed()).toBe(true)
    expect(memo).not.toMatch(/\p{Cc}/u)
  },
)

it.each([0, 5, 11, 12, 20, 50])(
  'the memo of a payment within %d characters keeps the id as long as there is room',
  (most) => {
    const memo = fitMemo(memoOf(JANE, ID), most)
    expect(memo.length).toBeLessThanOrEqual(most)
    expect(memo.endsWith(' · 1a2b3c4d')).toBe(most >= 12)
  },
)
