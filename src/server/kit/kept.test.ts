import { expect, it } from 'vitest'
import { keepRecent } from './kept.ts'

it('a cache drops what was not asked for the longest', () => {
  const kept = keepRecent<string>({ most: 3, mostBytes: 100, bytesOf: (value) => value.length })
  for (const key of ['a', 'b', 'c']) kept.set(key, key)
  expect(kept.get('a')).toBe('a')
  kept.set('d', 'd')
  expect(['a', 'b', 'c', 'd'].map(kept.get)).toEqual(['a', undefined, 'c', 'd'])
})

it('a cache is bounded by weight, too; what is written again weighs once', () => {
  const kept = keepRecent<string>({ mostBytes: 10, bytesOf: (value) => value.length })
  kept.set('a', '1234')
  kept.set('a', '123456')
  kept.set('b', '1234')
  expect(['a', 'b'].map(kept.get)).toEqual(['123456', '1234'])
  kept.set('c', '12345')
  expect(['a', 'b', 'c'].map(kept.get)).toEqual([undefined, '1234', '12345'])
  kept.set('d', '12345678901')
  expect(['b', 'c', 'd'].map(kept.get)).toEqual([undefined, undefined, undefined])
})
