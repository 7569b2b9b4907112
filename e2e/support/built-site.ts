import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#tests/support/free-port.ts'
import { copyRecord } from './databases.ts'

const PATIENCE_MS = 60_000
const ROOT = join(import.meta.dirname, '..', '..')
/** `npm test` sets the lowest Node version that the launcher accepts. */
const NODE = process.env['SITE_NODE'] ?? process.execPath

export type BuiltSite = Awaited<ReturnType<typeof startBuiltSite>>

/**
 * Starts the built site on a free port with a temporary data folder and a copy of the starter record. It makes no outside
 * connection unless `env` says so.
 *
 * @param env settings of .env.example; an empty `DATABASE_URL` makes it start with its own, empty database
 * @param isFew with the predictions of one person only, as for a site that signs them
 */
export async function startBuiltSite(
  env: Readonly<Record<string, string>>,
  isFew = env['NOSTR_PRIVATE_KEY'] !== undefined,
) {
  const record = env['DATABASE_URL'] === undefined ? await copyRecord(isFew) : null
  const dataDir = mkdtempSync(join(tmpdir(), 'proof-of-price-e2e-'))
  const port = Number(env['PORT'] ?? (await freePort()))
  const settings = {
    ...process.env,
    NODE_ENV: 'production',
    // Of all sites, only the first compiles the server.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node-compile'),
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    PRICES: 'off',
    SOURCE_CHECKS: 'off',
    ...(record ? { DATABASE_URL: record.url } : {}),
    ...env,
  }
  const printed: string[] = []
  const run = (program: string, words: readonly string[]) => {
    const child = spawn(NODE, [join(ROOT, 'dist', 'server', program), ...words], {
      cwd: ROOT,
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk) => printed.push(String(chunk)))
    child.stderr.pipe(process.stderr)
    return child
  }
  /** Runs a command of `npm run cli` on its data. */
  const cli = (...words: string[]): Promise<void> =>
    new Promise((done, fail) => {
      run('cli.mjs', words).once('exit', (status) => {
        if (status === 0) done()
        else
          fail(
            new Error(`cli ${words.join(' ')} ended with ${String(status)}: ${printed.join('')}`),
          )
      })
    })
  const server = run('main.mjs', [])
  const ended = new Promise<void>((done) => server.once('close', () => done()))
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    await ended
    await record?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${String(port)}`
  try {
    await untilReady(`${url}/readyz`, () => server.exitCode === null && server.signalCode === null)
  } catch (cause) {
    await stop()
    throw new Error(`The built server did not start: ${printed.join('')}`, { cause })
  }
  return {
    url,
    stop,
    [Symbol.asyncDispose]: stop,
    cli,
  }
}

async function untilReady(url: string, isRunning: () => boolean): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until && isRunning()) {
    const response = await fetch(url).catch(() => null)
    // Another server answers if this one could not open its port.
    if (response?.ok && isRunning()) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(isRunning() ? `It did not open ${url} in time.` : 'It ended at once.')
}
