import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startDurableQueue } from './durable-queue.ts'

// The queue itself, which a timer begins, is not wanted here.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('trouble of a queue is said when it begins, and again after a job has run', async () => {
  const said: string[] = []
  const warn = (_: object, text: string): void => void said.push(text)
  const { run, stop } = startDurableQueue({
    pool: new Pool(),
    log: { info: warn, warn, error: warn },
    name: 'test',
    policy: 'standard',
    options: {},
    ensureEveryMs: 1_000,
    texts: { waits: 'The database is away', failed: 'It failed' },
    begin: () => Promise.resolve(),
    ensure: () => undefined,
  })
  const fails = (text: string) => run(() => Promise.reject(new Error(text))).catch(() => null)
  await fails('One.')
  await fails('Two.')
  await run(() => Promise.resolve())
  await fails('Three.')
  await stop()
  expect(said).toEqual(['It failed: One.', 'It failed: Three.'])
})
