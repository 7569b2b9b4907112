import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { freePort } from '#tests/support/free-port.ts'
import { type ThrowAway } from '#tests/support/throw-away-postgres.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CLOCK = pathToFileURL(join(import.meta.dirname, 'fixed-clock.ts')).href

export const ORIGIN = 'https://example.org'
export const ADMIN = { username: 'golden', password: 'golden password of ours' }
const PATIENCE_MS = 180_000
const STOP_WITHIN_MS = 10_000

/** No outside connections, and generous rate limits. */
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: ORIGIN,
  CONTACT_EMAIL: 'mail@example.org',
  OPERATOR: 'Jane Doe, Zug',
  CODE_URL: 'https://example.com/code',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD_HASH:
    '$argon2id$v=19$m=65536,t=3,p=1$1IxKJOJMQCkvZlyt5BjtAw$ssvnzjw3Gkf6ssHVuSsT+WihuPnKIFJh0x+xLwO5ddI',
  SECRETS_KEY: 'ab'.repeat(32),
  NOSTR_PRIVATE_KEY: '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa',
  NOSTR_RELAYS: 'ws://127.0.0.1:1',
  LIGHTNING_WALLET: 'off',
  WEB_PUSH: 'off',
  PRICES: 'off',
  SOURCE_CHECKS: 'off',
  DRAIN_SECONDS: '0',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'warn',
}

type Request = Pick<RequestInit, 'method' | 'body'> & {
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
}

export type GoldenSite = Awaited<ReturnType<typeof goldenSite>>

/**
 * The built site and its commands on their own database, at chosen moments. Columns filled by the database use our
 * clock, too: their default calls our `now()` instead of PostgreSQL's.
 */
export async function goldenSite(
  server: ThrowAway,
  name: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const admin = new Client({ connectionString: server.connectionString('postgres') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = server.connectionString(name)
  const db = new Client({ connectionString: url })
  await db.connect()
  await db.query(`create schema golden;
    create table golden.clock (at timestamptz not null);
    insert into golden.clock values ('2000-01-01');
    create function golden.now() returns timestamptz language sql stable as 'select at from golden.clock'`)
  const dataDir = mkdtempSync(join(tmpdir(), 'proof-of-price-golden-'))
  const port = await freePort()
  let now = 0
  let site: ChildProcess | null = null
  let calls = 0

  const run = (words: readonly string[], more: Readonly<Record<string, string>>): ChildProcess => {
    const env = { PATH: process.env['PATH'], TZ: process.env['TZ'], TMPDIR: process.env['TMPDIR'] }
    const child = spawn(process.execPath, ['--import', CLOCK, ...words], {
      cwd: ROOT,
      env: {
        ...env,
        ...SETTINGS,
        DATABASE_URL: url,
        DATA_DIR: dataDir,
        PORT: String(port),
        GOLDEN_NOW: String(now),
        ...settings,
        ...more,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const end = (): unknown => child.kill('SIGKILL')
    process.once('exit', end)
    child.once('exit', () => process.off('exit', end))
    return child
  }
  const end = async (): Promise<void> => {
    if (site === null) return
    const [stopping, ended] = [site, once(site, 'exit')]
    site = null
    stopping.disconnect()
    const patience = setTimeout(() => stopping.kill('SIGKILL'), STOP_WITHIN_MS)
    await ended
    clearTimeout(patience)
  }
  /** Each call comes from another network. */
  const ask = async (path: string, init: Request = {}): Promise<Answer> => {
    for (let n = 0; ; n += 1) {
      const answer = await askOnce(path, init)
      // Nothing runs while this machine is overloaded.
      if (answer.status !== 503 || !answer.text.includes('The site is busy') || n > 100)
        return answer
      await pause(1_000)
    }
  }
  const askOnce = async (path: string, init: Request): Promise<Answer> => {
    calls += 1
    const network = [calls >> 16, calls >> 8, calls].map((part) => String(part & 255)).join('.')
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...init.headers, 'x-forwarded-for': `10.${network}` },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString('utf8') }
  }
  /** Repeats the request until the response is as expected. */
  const until = async (path: string, isThere: (text: string) => boolean): Promise<void> => {
    const limit = performance.now() + PATIENCE_MS
    for (;;) {
      const text = await ask(path).then(
        (answer) => (answer.status === 200 ? answer.text : null),
        () => null,
      )
      if (text !== null && isThere(text)) return
      if (performance.now() > limit) throw new Error(`${path} is not as it should be.`)
      await pause(200)
    }
  }
  return {
    /** Runs a command of `npm run cli` at the present moment. */
    cli: async (...words: string[]): Promise<void> => {
      const own = `${url}?options=${encodeURIComponent('-c search_path=public,golden,pg_catalog')}`
      const child = run(['dist/server/cli.mjs', ...words], { DATABASE_URL: own })
      const [status]: unknown[] = await once(child, 'exit')
      if (status !== 0) throw new Error(`${words.join(' ')} ended with ${String(status)}.`)
    },
    /** Starts or restarts the site. */
    start: async (role: 'web' | 'both'): Promise<void> => {
      await end()
      site = run(['dist/server/main.mjs'], { ROLE: role })
      await until('/readyz', () => true)
    },
    /** Moves the clock, also that of the running site. */
    at: async (moment: string | number): Promise<void> => {
      now = new Date(moment).getTime()
      await db.query('update golden.clock set at = $1', [new Date(now)])
      if (site === null) return
      const message = once(site, 'message')
      site.send(now)
      await message
    },
    now: () => now,
    ask,
    until,
    stop: async (): Promise<void> => {
      await end()
      await db.end()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
