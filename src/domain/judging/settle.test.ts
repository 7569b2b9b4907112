import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { bar } from '#tests/support/builders.ts'
import { disagreement, newlyRanged, rangeFault } from './settle.ts'

it.each([
  ['agrees with the close on record', '2020-03-05', '90..110>100', 104, /^$/],
  ['has a close outside of its range', '2020-03-05', '90..110>120', 118, /outside its own range/],
  ['is too far from the close on record', '2020-03-05', '90..110>100', 112, /too far .* 112\.$/],
  ['is as far, while Mt. Gox traded', '2013-10-05', '90..110>100', 117, /^$/],
  ['is further still, while Mt. Gox traded', '2013-04-11', '50..140>83', 125, /too far/],
  ['has no range', '2020-03-05', 100, 100, /no high and low/],
] as const)(
  'a bar of an earlier day that %s is accepted or refused',
  (_, date, prices, close, fault) => {
    expect(rangeFault(bar(date, prices), close) ?? '').toMatch(fault)
  },
)

it.each([
  ['one venue alone', ['90..110>100'], 0, /^$/],
  ['one venue beside a refused one', ['90..110>100'], 1, /only other venue/],
  ['two that meet', ['90..110>100', '108..115>110'], 1, /^$/],
  ['two that do not meet', ['90..100>95', '101..105>103'], 0, /test 90 to 100, test 101 to 105/],
  ['two that meet, and a third', ['90..100>95', '95..99>97', '101..105>103'], 0, /^$/],
] as const)('%s may or may not decide a day', (_, prices, refused, text) => {
  const bars = prices.map((one) => bar('2020-03-05', one))
  expect(disagreement(bars, refused) ?? '').toMatch(text)
})

it('a day gains a range if only its close was known', () => {
  const before = [bar('2020-03-05', 100), bar('2020-03-06', '90..110>100')]
  const after = ['2020-03-05', '2020-03-06', '2020-03-07'].map((date) => bar(date, '90..110>100'))
  expect([...newlyRanged(before, after)]).toEqual([day('2020-03-05')])
})
