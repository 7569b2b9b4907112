import { expect, it } from 'vitest'
import { fullLine, NO_POSTS, PLAIN_POSTS } from '#tests/data/case.ts'
import { readPost } from './read-post.ts'
import { readPostDate } from './reading-fields.ts'

const LEAST_EXACT = 0.95
const read = (text: string): string =>
  fullLine(readPost(text, { posted: readPostDate('2026-03-10'), bitcoinUsd: 80_000 }))

it('reads plain posts as labelled, and finds no prediction in the others', () => {
  const labelled = PLAIN_POSTS.map(([text, line, instead = line]) => [text, instead])
  const expected = [...labelled, ...NO_POSTS.map((text) => [text, 'none'])]
  expect(expected.map(([text = '']) => [text, read(text)])).toEqual(expected)
})

it('most labels are exact, and no reading invents levels, deadlines or assets', () => {
  const exact = PLAIN_POSTS.filter(([, , instead]) => instead === undefined)
  expect(exact.length / PLAIN_POSTS.length).toBeGreaterThanOrEqual(LEAST_EXACT)
  const invented = PLAIN_POSTS.filter(([, expected, read = expected]) => {
    const [asset, , levels, by] = read.split(' ')
    const [ownAsset, , ownLevels, ownBy] = expected.split(' ')
    const isMore = asset !== ownAsset || levels !== ownLevels || (by !== '-' && by !== ownBy)
    return asset !== 'none' && isMore
  })
  expect(invented).toEqual([])
})
