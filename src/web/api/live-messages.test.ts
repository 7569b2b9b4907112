import { expect, it } from 'vitest'
import { jsonOf, readChange, readPrice, readVerdict } from './live-messages.ts'

const PRICE = { usd: 5, at: null, source: null, now: null }

it.each([
  [{ price: 5 }, PRICE],
  [
    { price: 5, at: 7, source: 'kraken', now: 9 },
    { usd: 5, at: 7, source: 'kraken', now: 9 },
  ],
  [
    { price: 5, at: '1970-01-01T00:00:01Z', source: '', now: NaN },
    { ...PRICE, at: 1_000 },
  ],
  [{ price: 5, at: 'soon' }, PRICE],
  [{ price: 0 }, null],
  [{ price: -1 }, null],
  [{ price: '5' }, null],
  [{ price: Infinity }, null],
  ['5', null],
  [null, null],
])('%j is read as a price', (value, read) => expect(readPrice(value)).toEqual(read))

it('a verdict and a change need all that they are about', () => {
  const verdict = { id: 'a', asset: 'btc', mode: 'touch', outcome: 'hit' }
  expect(readVerdict({ ...verdict, more: 1 })).toEqual(verdict)
  const odd = [{ id: 1 }, { asset: 'eth' }, { mode: 'open' }, { outcome: 'won' }]
  expect(odd.map((one) => readVerdict({ ...verdict, ...one }))).toEqual(odd.map(() => null))
  expect(readChange({ id: 'a', expert: 'b', more: 1 })).toEqual({ id: 'a', expert: 'b' })
  expect([readChange({ id: 'a' }), readChange({ expert: 'b' }), readChange(null)]).toEqual([
    null,
    null,
    null,
  ])
  expect([jsonOf('{"a":1}'), jsonOf('{'), jsonOf(7)]).toEqual([{ a: 1 }, null, null])
})
