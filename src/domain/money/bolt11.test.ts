import fc from 'fast-check'
import { expect, it } from 'vitest'
import examples from '#tests/data/bolt11-examples.json' with { type: 'json' }
import { bolt11Of } from '#tests/support/stand-ins/ledger.ts'
import { readBolt11, type Network } from './bolt11.ts'
import { checkInvoice } from './invoice.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

it.each(examples.good)('the example of the specification is read: $what', ({ bolt11, says }) => {
  expect(readBolt11(bolt11)).toEqual(says)
})
// Faulty signatures and features are not detected.
it.each(examples.bad)('the example of the specification is refused: $what', ({ bolt11 }) => {
  expect(readBolt11(bolt11)).toBeNull()
})

const fields = {
  network: 'signet' as const,
  msat: 21_000,
  paymentHash: 'cd'.repeat(32),
  createdMs: NOW,
  expirySeconds: 600,
  descriptionHash: null,
}

it('an encoded invoice decodes to its content, in upper or lower case', () => {
  const arbitrary = fc.record({
    network: fc.constantFrom<Network>('mainnet', 'testnet', 'signet', 'regtest'),
    msat: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 100_000_000 })),
    paymentHash: fc.stringMatching(/^[0-9a-f]{64}$/),
    createdMs: fc.integer({ min: 1_500_000_000, max: 4_000_000_000 }).map((s) => s * 1_000),
    expirySeconds: fc.integer({ min: 0, max: 1_000_000 }),
    descriptionHash: fc.oneof(fc.constant(null), fc.stringMatching(/^[0-9a-f]{64}$/)),
  })
  fc.assert(
    fc.property(arbitrary, (want) => {
      const text = bolt11Of(want)
      expect(readBolt11(text)).toEqual(want)
      expect(readBolt11(text.toUpperCase())).toEqual(want)
    }),
  )
})

it('an invoice has the first payment hash if it names two', () => {
  const text = bolt11Of({ ...fields, laterPaymentHash: 'ab'.repeat(32) })
  expect(readBolt11(text)).toEqual(fields)
})

it('an invoice with one letter changed is refused', () => {
  const text = bolt11Of(fields)
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom('q', 'p', 'z', '8'), (at, letter) => {
      fc.pre(text[at] !== letter)
      expect(readBolt11(text.slice(0, at) + letter + text.slice(at + 1))).toBeNull()
    }),
  )
})

const ask = { sats: 21, network: 'signet' as const, expirySeconds: 600 }
it.each([
  ['fits', {}, null],
  ['is for another network', { network: 'mainnet' as const }, /network|mainnet/],
  ['is for too little', { msat: 20_999 }, /amount/],
  ['is for too much', { msat: 21_001 }, /amount/],
  ['names no amount', { msat: null }, /amount/],
  ['expires at once', { expirySeconds: 30 }, /too soon/],
  ['was made last week', { createdMs: NOW - 7 * 86_400_000 }, /another day/],
  ['is dated in the future', { createdMs: NOW + 3 * 86_400_000 }, /another day/],
  ['is valid for half the requested time', { expirySeconds: 300 }, null],
  ['is valid for less than that', { expirySeconds: 299 }, /too soon/],
  ['is valid for a second too long', { expirySeconds: 31_622_401 }, /more than a year/],
  ['never expires', { expirySeconds: 32 ** 10 - 1 }, /more than a year/],
  ['has a minute left', { createdMs: NOW - 540_000 }, null],
  ['has less than a minute left', { createdMs: NOW - 541_000 }, /expired or is about to/],
  ['has expired', { createdMs: NOW - 10_800_000 }, /expired or is about to/],
  ['is for a different payment', { paymentHash: 'ab'.repeat(32) }, /different payment/],
  ['has a description hash', { descriptionHash: 'ab'.repeat(32) }, null],
])('an invoice is compared with the request when it %s', (_, change, fault) => {
  const checked = checkInvoice(bolt11Of({ ...fields, ...change }), fields.paymentHash, ask, NOW)
  expect(typeof checked === 'string' ? checked : '').toMatch(fault ?? /^$/)
})
