import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { handTimers, until } from '#tests/support/waiting.ts'
import { workerCalls, type WorkerCalls, type WorkerWork } from './worker-calls.ts'

const FILE = new URL('../../../tests/support/hanging-worker.ts', import.meta.url)

function workerOf(
  options: Partial<WorkerWork<string>> = {},
): WorkerCalls<string> & { time: ReturnType<typeof handTimers> } {
  const time = handTimers()
  const made = workerCalls({
    file: FILE,
    schema: z.string().max(20),
    mostWaiting: 10,
    withinMs: 100,
    idleMs: 7,
    after: time.after,
    ...options,
  })
  return { ...made, time }
}

/** Lets the current request run out of time. */
async function runLate({ time }: ReturnType<typeof workerOf>): Promise<void> {
  await until(() => time.open().includes(100))
  time.runOut(100)
}

describe('a worker', () => {
  it('answers requests in order, and ends when idle', async () => {
    const worker = workerOf()
    const texts = ['a', 'fail', 'b']
    expect(await Promise.all(texts.map((text) => worker.ask({ text })))).toEqual([
      { ok: true, answer: 'a' },
      { ok: false, why: 'failed', message: 'refused' },
      { ok: true, answer: 'b' },
    ])
    expect(worker.time.open()).toEqual([7])
    worker.time.runOut(7)
    expect(await worker.ask({ text: 'c' })).toEqual({ ok: true, answer: 'c' })
    await worker.close()
    expect(worker.time.open()).toEqual([])
  })

  it('kills only requests that time out', async () => {
    const worker = workerOf()
    const hung = worker.ask({ text: 'hang' })
    const others = ['a', 'hang', 'b'].map((text) => worker.ask({ text }))
    await runLate(worker)
    expect(await hung).toMatchObject({ ok: false, why: 'late' })
    expect(await others[0]).toEqual({ ok: true, answer: 'a' })
    await runLate(worker)
    expect(await others[1]).toMatchObject({ ok: false, why: 'late' })
    expect(await others[2]).toEqual({ ok: true, answer: 'b' })
    await worker.close()
  })

  it.each(['end', 'throw', 'garble', 'an answer longer than any that is read'])(
    'continues with another process after one ends: %s',
    async (text) => {
      const worker = workerOf()
      const [ended, next] = [worker.ask({ text }), worker.ask({ text: 'a' })]
      expect(await ended).toMatchObject({ ok: false, why: 'failed' })
      expect(await next).toEqual({ ok: true, answer: 'a' })
      await worker.close()
    },
  )

  it('refuses requests beyond the queue limit, and ends queued ones when closed', async () => {
    const worker = workerOf({ mostWaiting: 1 })
    const [hung, waits, refused] = ['hang', 'a', 'b'].map((text) => worker.ask({ text }))
    expect(await refused).toMatchObject({ ok: false, why: 'busy' })
    await worker.close()
    expect(await hung).toMatchObject({ ok: false, why: 'failed' })
    expect(await waits).toMatchObject({ ok: false, why: 'failed' })
  })

  it('answers under `node --watch`, whose children report what they import', async () => {
    const worker = workerOf({ env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' } })
    expect(await worker.ask({ text: 'a' })).toEqual({ ok: true, answer: 'a' })
    await worker.close()
  })

  it('fails requests if it cannot be started', async () => {
    const worker = workerOf({ file: new URL('./there-is-no-such-worker.ts', import.meta.url) })
    expect(await worker.ask({ text: 'a' })).toMatchObject({ ok: false, why: 'failed' })
    await worker.close()
  })

  async function pidOf(worker: WorkerCalls<string>): Promise<number> {
    const answer = await worker.ask({ text: 'pid' })
    if (!answer.ok) throw new Error(answer.message)
    return Number(answer.answer)
  }

  function runs(pid: number): boolean {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  it('ends when it hangs, is idle or is closed', async () => {
    const worker = workerOf()
    const first = await pidOf(worker)
    expect(first).not.toBe(process.pid)
    const hung = worker.ask({ text: 'hang' })
    await runLate(worker)
    expect(await hung).toMatchObject({ why: 'late' })
    await until(() => !runs(first))
    const second = await pidOf(worker)
    worker.time.runOut(7)
    await until(() => !runs(second))
    const third = await pidOf(worker)
    await worker.close()
    expect(runs(third)).toBe(false)
  })

  it('fails the request of a killed process, and starts another for the rest', async () => {
    const worker = workerOf()
    const pid = await pidOf(worker)
    const [killed, next] = ['compiled', 'a'].map((text) => worker.ask({ text }))
    await setImmediate()
    process.kill(pid, 'SIGKILL')
    expect(await killed).toEqual({
      ok: false,
      why: 'failed',
      message: 'The worker ended by itself (SIGKILL).',
    })
    expect(await next).toEqual({ ok: true, answer: 'a' })
    await worker.close()
  })

  it('ignores stop signals, and has no secrets in its environment', async () => {
    vi.stubEnv('TEST_SECRET', 'hunter2')
    const worker = workerOf()
    const pid = await pidOf(worker)
    // Windows has no signals and would kill the process.
    if (process.platform !== 'win32') process.kill(pid, 'SIGTERM')
    expect(await worker.ask({ text: 'secret' })).toEqual({ ok: true, answer: 'unseen' })
    expect(await pidOf(worker)).toBe(pid)
    await worker.close()
    vi.unstubAllEnvs()
  })

  it('in native code ends when the server is killed', async () => {
    const file = fileURLToPath(new URL('../../../tests/support/worker-owner.ts', import.meta.url))
    const owner = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] })
    // The worker shares the owner's stderr, so it closes only once both have ended.
    const closed = once(owner.stderr.resume(), 'close')
    expect(String(await once(owner.stdout, 'data'))).toContain('begun')
    owner.kill('SIGKILL')
    await closed
  })
})
