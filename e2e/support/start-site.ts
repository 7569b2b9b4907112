import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PATIENCE_MS = 60_000

/**
 * Starts the built site on a free port with a throw-away data folder and tells its address in `SITE_URL`. A site that
 * runs already is used when `SITE_URL` names it.
 *
 * @returns what stops it
 */
async function startSite(): Promise<() => Promise<void>> {
  if (process.env['SITE_URL'] !== undefined) return async () => undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'proof-of-price-e2e-'))
  const port = await freePort()
  const root = join(import.meta.dirname, '..', '..')
  const server = spawn(process.execPath, [join(root, 'dist', 'server', 'main.mjs')], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  process.env['SITE_URL'] = `http://127.0.0.1:${String(port)}`
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await untilReady(`${process.env['SITE_URL']}/readyz`, () => server.exitCode !== null)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    if (hasEnded()) throw new Error('The built server ended at once. Run "npm start" to see why.')
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`${url} did not open within ${String(PATIENCE_MS / 1_000)} s`)
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => done(port))
    })
  })
}

// oxlint-disable-next-line import/no-default-export -- Playwright asks for one
export default startSite
