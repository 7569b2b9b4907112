import { target, top } from '#tests/support/builders.ts'
import { expect, it } from 'vitest'
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
  [
    'another deadline from the same page',
    { sources: [{ url: 'https://www.example.com/said?utm_source=x' }] },
    { by: 20_001, ...at('http://example.com/said/') },
    true,
  ],
  [
    'another deadline from an archived copy of the same post',
    { sources: [{ url: 'https://x.com/expert_a/status/1234567890' }] },
    {
      by: 20_001,
      ...at('https://web.archive.org/web/2024/https://twitter.com/expert_a/status/1234567890'),
    },
    true,
  ],
  [
    'another deadline from another page',
    { sources: [{ url: 'https://example.com/said' }] },
    { by: 20_001, ...at('https://example.com/said-again') },
    false,
  ],
  [
    'another level from the same page, as a base case and a best case',
    { sources: [{ url: 'https://example.com/said' }] },
    { claim: target(200_000), ...at('https://example.com/said') },
    false,
  ],
])('%s', (_, a, b, isSame) => {
  expect(isDuplicate({ ...SAID, ...a }, { ...SAID, ...b })).toBe(isSame)
  expect(isDuplicate({ ...SAID, ...b }, { ...SAID, ...a })).toBe(isSame)
})
