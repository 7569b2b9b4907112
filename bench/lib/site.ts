import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor, withUs } from './limit.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Garbage from a start has been collected by then. */
export const SETTLED_AFTER_MS = 17_000

/** A running server of the site. */
export type Site = {
  readonly origin: string
  readonly pid: () => number
  /** Restarts it: milliseconds from the start to the first 200. */
  readonly restart: () => Promise<number>
  readonly stop: () => Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** Waits until the address answers 200. @returns milliseconds */
export async function untilOpen(url: string): Promise<number> {
  const began = performance.now()
  const opens = async (): Promise<boolean> => {
    try {
      return (await fetch(url)).status === 200
    } catch {
      // Not listening yet.
      return false
    }
  }
  await waitFor(`${url} to answer`, opens, { everyMs: 10, limitMs: 180_000 })
  return performance.now() - began
}

/**
 * Starts the built server with starter data in a temporary folder.
 *
 * @param main the program, relative to the project's folder
 */
export async function startSite(
  env: Readonly<Record<string, string>> = {},
  main = 'dist/server/main.mjs',
): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'proof-of-price-bench-'))
  const port = await freePort()
  const start = () =>
    withUs(
      spawn(process.execPath, [join(ROOT, main)], {
        cwd: ROOT,
        env: {
          NODE_ENV: 'production',
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
  const stop = (): Promise<void> =>
    new Promise((done) => {
      child.once('exit', () => done())
      child.kill('SIGTERM')
    })
  return {
    origin,
    pid: () => child.pid ?? 0,
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

/** Resident memory of a process, MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
