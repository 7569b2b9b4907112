import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { expect, it } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { programOf } from '#tests/support/programs.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'

/** Every setting of a site. */
const SETTINGS = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
  .split('\n')
  .flatMap((line) => /^#?([A-Z][A-Z\d_]+)=/.exec(line)?.[1] ?? [])

it('a site with an open port survives losing the database before the first request', async () => {
  await using database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-start-'))
  const port = await freePort()
  const requests: string[] = []
  const lines = new Set<Socket>()
  let isAway = false
  const own = new pg.Client({ connectionString: database.url })
  const { host, port: of } = own
  const place = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${String(of)}` }
    : { host, port: of }
  const away = (): void => {
    isAway = true
    for (const line of lines) line.destroy()
  }
  // Requests after the port opens find the database down.
  const between = createServer((line) => {
    if (isAway) {
      line.destroy()
      return
    }
    const server = connect(place)
    for (const one of [line, server]) {
      lines.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          line.destroy()
          server.destroy()
        })
    }
    server.pipe(line)
    let written = Promise.resolve()
    line.on('data', (bytes) => {
      written = written.then(async () => {
        if (bytes.includes('from "admins"') && (await isOpen(port))) {
          requests.push('administrators')
          away()
        } else server.write(bytes)
      })
    })
  })
  await once(between.listen(0, '127.0.0.1'), 'listening')
  const address = between.address()
  const url = new URL(`postgresql://127.0.0.1/${own.database ?? ''}`)
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0)
  url.username = own.user ?? ''
  if (typeof own.password === 'string') url.password = own.password
  const child = spawn(process.execPath, [await programOf('main')], {
    env: {
      ...process.env,
      // Not those of a file next to the project.
      ...Object.fromEntries(SETTINGS.map((name) => [name, ''])),
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      PRICES: 'off',
      STARTER_DATA: 'off',
      LIGHTNING_WALLET: 'off',
      DATABASE_URL: url.href,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const message: string[] = []
    createInterface(child.stdout).on('line', (line) => message.push(line))
    // The last line logged at startup.
    await shows(() =>
      expect([...message, ...requests].join(' ')).toMatch(/administrators|No one can sign in/),
    )
    expect(requests).toEqual([])
    away()
    expect((await fetch(`http://127.0.0.1:${String(port)}/healthz`)).status).toBe(200)
    expect(child.exitCode).toBeNull()
  } finally {
    child.kill('SIGKILL')
    await ended
    between.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function isOpen(port: number): Promise<boolean> {
  const line = connect(port, '127.0.0.1')
  return once(line, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => line.destroy())
}
