import { type TestDatabase } from './test-app.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

/** The names of all tables of a database except its version, in order. */
export async function tablesOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'record_state' order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function expectEqual(one: TestDatabase, other: TestDatabase): Promise<void> {
  for (const name of await tablesOf(other)) {
    const all = `select coalesce(string_agg(t::text, '|' order by t::text), '') as all from "${name}" t`
    const [here, there] = [await one.pool.query(all), await other.pool.query(all)]
    expect([name, here.rows]).toEqual([name, there.rows])
  }
}

export function runServer(program: string, words: readonly string[], { url }: TestDatabase) {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, DATABASE_URL: url, PORT: '0', PRICES: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = Promise.all([text(child.stderr), once(child, 'exit')]).then(
    ([output, [status]]) => ({
      said: output,
      status: status === null ? null : Number(status),
    }),
  )
  return { process: child, ended }
}

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'export-'))
  return {
    path,
    in: (name: string) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}
