import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startRounds } from './rounds.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('rounds that fail pause longer each time and say so once, until one succeeds', async () => {
  const [begun, said]: [number[], string[]] = [[], []]
  const began = Date.now()
  const warn = (_: object, text: string): void => void said.push(text)
  const { stop } = startRounds({
    log: { info: warn, warn, error: warn },
    texts: { waits: 'The database is away', failed: 'It failed' },
    roundMs: 100,
    longestMs: 300,
    round: async () => {
      begun.push(Date.now() - began)
      if (begun.length !== 4) throw new Error('Broken.')
      await Promise.resolve()
    },
  })
  await vi.advanceTimersByTimeAsync(1_250)
  await stop()
  expect(begun).toEqual([100, 300, 600, 900, 1_000, 1_200])
  expect(said).toEqual(['It failed: Broken.', 'It failed: Broken.'])
})
