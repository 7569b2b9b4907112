import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withUs } from './limit.mjs'
import { SERVER_ENV, SERVER_FLAGS } from '../../bin/lib/run.mjs'

export async function freePort() {
  const server = createServer()
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return port
}

/** Waits until the address answers 200. @returns {Promise<number>} milliseconds waited */
export async function untilOpen(url, patienceMs = 60_000) {
  const began = performance.now()
  for (;;) {
    try {
      if ((await fetch(url)).status === 200) return performance.now() - began
    } catch {
      // Not listening yet.
    }
    if (performance.now() - began > patienceMs) throw new Error(`${url} does not open`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

/** Starts the built server with starter data in a throw-away folder. */
export async function startSite(env = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'proof-of-price-bench-'))
  const port = await freePort()
  const main = join(import.meta.dirname, '..', '..', 'dist', 'server', 'main.mjs')
  const start = () =>
    withUs(
      spawn(process.execPath, [...SERVER_FLAGS, main], {
        env: {
          ...SERVER_ENV,
          ...process.env,
          PORT: String(port),
          HOST: '127.0.0.1',
          DATA_DIR: dataDir,
          ...env,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    )
  let child = start()
  const origin = `http://127.0.0.1:${port}`
  await untilOpen(`${origin}/readyz`)
  const stop = () =>
    new Promise((done) => {
      child.once('exit', done)
      child.kill('SIGTERM')
    })
  return {
    origin,
    dataDir,
    pid: () => child.pid,
    /** Stops it and starts it again. @returns {Promise<number>} milliseconds from start to the first 200 */
    async restart() {
      await stop()
      child = start()
      return untilOpen(`${origin}/readyz`)
    },
    async stop() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Resident memory of a process in MB. */
export function residentMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
