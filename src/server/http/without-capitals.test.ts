import { expect, it } from 'vitest'
import { withoutCapitals } from './app.ts'

it.each([
  ['/BTC', '/btc'],
  ['/BTC/?status=Miss', '/btc?status=Miss'],
  ['/Receipt/aBc', '/receipt/aBc'],
  ['/receipt/aBc', '/receipt/abc'],
  ['/Years/2025/BTC.csv', '/years/2025/BTC.csv'],
  ['/experts/%D0%9C', '/experts/%D0%BC'],
  ['/experts/%d0%bc', null],
  ['/nothing?Name', null],
  ['/API%25zz', null],
  ['/api/v1/experts/A', null],
  ['/.well-known/lnurlp/Tips', null],
  ['//Evil.example', null],
  ['/\\/Evil.example', '/%5C/evil.example'],
  ['/', null],
])('redirects %s, which does not exist, to %s', (url, intended) => {
  expect(withoutCapitals(url)).toBe(intended)
})
