import { expect, it } from 'vitest'
import { trueDiscoveries } from './false-discoveries.ts'

it.each<[string, (number | null)[], boolean[]]>([
  ['none is small enough', [0.2, 0.06, 0.9], [false, false, false]],
  ['one is small enough for all', [0.2, 0.03, 0.9], [false, true, false]],
  // 0.06 is above 0.1 / 3, but the second smallest may be up to 0.2 / 3.
  ['a second one brings the first along', [0.06, 0.05, 0.9], [true, true, false]],
  ['some were not tested', [null, 0.09, null], [false, true, false]],
  ['no p-value', [], []],
])('keeps what is hardly chance when %s', (_, ps, kept) => {
  expect(trueDiscoveries(ps)).toEqual(kept)
})
