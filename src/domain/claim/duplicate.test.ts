import { expect, it } from 'vitest'
import { target, top } from '#tests/support/builders.ts'
import { isDuplicate, type StatementKey } from './duplicate.ts'

const SAID: StatementKey = {
  expertName: 'Expert A',
  handle: 'expert_a',
  asset: 'btc',
  claim: target(150_000),
  by: 20_000,
}
const from = (...urls: string[]) => ({ sources: urls.map((url) => ({ url })) })
/** Due a day later, from this page and another one. */
const later = (url: string) => ({ by: 20_001, ...from('https://example.org/other', url) })
const SAID_AT = 'https://www.example.com/said'
const POST = 'https://x.com/expert_a/status/1234567890'
const COPY = 'https://web.archive.org/web/2024/https://twitter.com/expert_a/status/1234567890'
it.each<[string, Partial<StatementKey>, Partial<StatementKey>, boolean]>([
  ['the same', {}, {}, true],
  ['a level within two per cent', {}, { claim: target(152_000) }, true],
  ['a level two per cent away', {}, { claim: target(153_000) }, true],
  ['a level farther away', {}, { claim: target(153_200) }, false],
  ['another type', {}, { claim: top(150_000) }, false],
  ['the name in another spelling', {}, { expertName: 'EXPERT  A', handle: null }, true],
  ['another name with the same handle', {}, { expertName: 'E. Xpert', handle: '@Expert_A' }, true],
  ['another person', {}, { expertName: 'Expert B', handle: null }, false],
  ['another asset', {}, { asset: 'mstr' }, false],
  ['another deadline', {}, { by: 20_001 }, false],
  // From the same page, an archived copy of the same post, and another page.
  ['another deadline', from(`${SAID_AT}?utm_source=x`), later('http://example.com/said/'), true],
  ['another deadline', from(POST), later(COPY), true],
  ['another deadline', from(SAID_AT), later(`${SAID_AT}-again`), false],
  ['another level', from(SAID_AT), { claim: target(200_000), ...from(SAID_AT) }, false],
])('%s', (_, a, b, isSame) => {
  expect(isDuplicate({ ...SAID, ...a }, { ...SAID, ...b })).toBe(isSame)
  expect(isDuplicate({ ...SAID, ...b }, { ...SAID, ...a })).toBe(isSame)
})
