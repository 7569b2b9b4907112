import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { fetchBy } from './fetch-by.ts'

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
}

it('still ends a call by its signal after a garbage collection', async () => {
  const leave = new AbortController()
  let isCalled = (): void => {}
  const called = new Promise<void>((resolve) => (isCalled = resolve))
  const fetch = fetchBy(({ signal }) => {
    isCalled()
    return new Promise((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    })
  })
  const answer = fetch('https://model.example/', {
    method: 'POST',
    body: '{}',
    signal: leave.signal,
  })
  await called
  // The collector keeps what this turn of the event loop has touched.
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  const stopped = new Error('stopped')
  leave.abort(stopped)
  const late = new Promise((resolve) => setTimeout(resolve, 1_000, 'still waits'))
  await expect(Promise.race([answer, late])).rejects.toBe(stopped)
})
