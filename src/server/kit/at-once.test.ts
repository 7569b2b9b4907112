import { expect, it } from 'vitest'
import { atOnce } from './at-once.ts'

/** Work that ends when it is asked to. */
function work(): {
  run: () => Promise<string>
  begun: () => boolean
  end: () => void
  fail: () => void
} {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let begun = false
  return {
    run: () => {
      begun = true
      return promise
    },
    begun: () => begun,
    end: () => resolve('done'),
    fail: () => reject(new Error('broken')),
  }
}

it('so many calls run at once, so many wait, and no more are taken', async () => {
  const inTurn = atOnce({ most: 2, mostWaiting: 2 })
  const works = Array.from({ length: 6 }, work)
  const ends = works.map(({ run }) => inTurn(run))
  expect(works.map(({ begun }) => begun())).toEqual([true, true, false, false, false, false])
  expect(await Promise.all(ends.slice(4))).toEqual([null, null])
  works[1]?.end()
  expect(await ends[1]).toBe('done')
  await Promise.resolve()
  expect(works.map(({ begun }) => begun())).toEqual([true, true, true, false, false, false])
  works[0]?.fail()
  await expect(ends[0]).rejects.toThrow('broken')
  for (const { end } of works) end()
  expect(await Promise.all([ends[2], ends[3]])).toEqual(['done', 'done'])
  const last = work()
  const end = inTurn(last.run)
  expect(last.begun()).toBe(true)
  last.end()
  expect(await end).toBe('done')
})
