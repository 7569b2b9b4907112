import { expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

it('a work that is asked for while it runs runs once more behind, however often it was asked for', async () => {
  const begun: (() => void)[] = []
  const ask = oneAtATime(() => new Promise((end) => begun.push(end)))
  const asked = [ask(), ask(), ask()]
  expect(begun).toHaveLength(1)
  begun[0]?.()
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.()
  await Promise.all(asked)
  expect(begun).toHaveLength(2)
})
