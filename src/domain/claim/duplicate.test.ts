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
const at = (url: string): Partial<StatementKey> => ({
  sources: [{ url: 'https://example.org/other' }, { url }],
})

const from = (url: string): Partial<StatementKey> => ({ sources: [{ url }] })
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
  [
    'another deadline',
    from(`${SAID_AT}?utm_source=x`),
    { by: 20_001, ...at('http://example.com/said/') },
    true,
  ],
  ['another deadline', from(POST), { by: 20_001, ...at(COPY) }, true],
  ['another deadline', from(SAID_AT), { by: 20_001, ...at(`${SAID_AT}-again`) }, false],
  [
    'another level from the same page',
    from(SAID_AT),
    { claim: target(200_000), ...at(SAID_AT) },
    false,
  ],
])('%s', (_, a, b, isSame) => {
  expect(isDuplicate({ ...SAID, ...a }, { ...SAID, ...b })).toBe(isSame)
  expect(isDuplicate({ ...SAID, ...b }, { ...SAID, ...a })).toBe(isSame)
})
