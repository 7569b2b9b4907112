import { ExportError, exportTables, importTables } from '#server/store/export-folder.ts'
import { entry } from '#tests/support/builders.ts'
import { desk } from '#tests/support/corrected.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

describe('an export', () => {
  it('holds every table, people merged in a row and settled payments included, and fills another database', async () => {
    const on = await desk()
    await using _ = on.world
    const { pool } = on.world.database
    await on.world.imports.predictions(JSON.stringify([entry('c', { expert_name: 'Expert C' })]))
    const merge = async (from: number, into: number) =>
      on.admin.call('POST', `/api/v1/admin/experts/${String(from)}/merge`, {
        version: 0,
        into,
      })
    // The first one points at a row behind it.
    expect((await merge(1, 3)).status).toBe(200)
    const renamed = await on.admin.call('PUT', '/api/v1/admin/experts/3', {
      version: 1,
      name: 'Ada Quant',
    })
    expect(renamed.status).toBe(200)
    await pool.query(
      `with s as (insert into submissions (id, origin, status, asset, expert_name, prediction_type, price_prediction, target_time, created_at, notes)
         values (gen_random_uuid(), 'admin', 'pending', 'btc', E'tab\\tand\\nline', 'target', '$1', '2027-01-01', now(), '\\N') returning id),
       p as (insert into payments (id, submission_id, checking_hash, status, sats, wallet, network, created_at)
         select gen_random_uuid(), id, 'h', 'creating', 1, 'w', 'mainnet', now() from s returning id)
       insert into payment_settlements (payment_id, at, username, note) select id, now(), 'Admin A', 'done' from p`,
    )
    const folder = await mkdtemp(join(tmpdir(), 'export-'))
    try {
      const out = join(folder, 'tables')
      // Even into an empty folder that anybody may read.
      await mkdir(out, { mode: 0o755 })
      const rows = await exportTables(pool, out)
      const tables = await pool.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
      )
      expect(Object.keys(rows).toSorted()).toEqual(tables.rows.map(({ name }) => name))
      expect(await readdir(out)).toHaveLength(tables.rows.length + 1)
      const modeOf = async (path: string) => (await stat(path)).mode & 0o777
      // Windows keeps no such modes.
      const [own, files] = process.platform === 'win32' ? [0o666, [0o666]] : [0o700, [0o600]]
      expect(await modeOf(out)).toBe(own)
      const modes = await Promise.all((await readdir(out)).map((name) => modeOf(join(out, name))))
      expect([...new Set(modes)]).toEqual(files)
      await using other = await testDatabase()
      expect(await importTables(other.pool, out, false)).toEqual(rows)
      for (const { name } of tables.rows) {
        const all = `select coalesce(string_agg(t::text, '|' order by t::text), '') as all from "${name}" t`
        const [here, there] = [await pool.query(all), await other.pool.query(all)]
        expect([name, there.rows]).toEqual([name, here.rows])
      }
      // What is written next gets a number of its own.
      await other.pool.query(
        `insert into audit_log (at, username, action, subject_kind) values (now(), 'x', 'x', 'x')`,
      )
      await expect(importTables(other.pool, out, false)).rejects.toThrow(ExportError)
      expect(await importTables(other.pool, out, true)).toEqual(rows)
      // A file that was damaged on its way is named, and nothing is dropped for it.
      const damaged = join(out, 'predictions.copy')
      const whole = await readFile(damaged, 'utf8')
      for (const text of [whole.slice(0, -3), whole.replace('\t', ' '), '', `${whole}x\n`]) {
        await writeFile(damaged, text)
        await expect(importTables(other.pool, out, true)).rejects.toThrow(
          /predictions\.copy is damaged: its checksum/,
        )
      }
      await rm(damaged)
      await expect(importTables(other.pool, out, true)).rejects.toThrow(
        /predictions\.copy cannot be read/,
      )
      const kept = await other.pool.query('select from predictions')
      expect(kept.rowCount).toBe(rows['predictions'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a database of another version', () => {
  it('is refused by site and commands, with the way to bring it over', async () => {
    await using database = await testDatabase()
    const run = async (script: string, words: readonly string[] = []) => {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, '../src/server', script), ...words],
        {
          env: { ...process.env, DATABASE_URL: database.url, PORT: '0', PRICES: 'off' },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      )
      const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')])
      return { said, status: Number(status) }
    }
    const journal = 'drizzle.__drizzle_migrations'
    const { rows } = await database.pool.query<{ at: string }>(
      `select max(created_at) as at from ${journal}`,
    )
    // The first and the last of the nineteen migrations that older versions made their tables with.
    await database.pool.query(`delete from ${journal}`)
    await database.pool.query(
      `insert into ${journal} (hash, created_at) values ('a', 1795173466062), ('b', 1795362612655)`,
    )
    const older = /made by an older version .* cli -- export <folder>".* cli -- import <folder>"/
    const outcomes = await Promise.all([run('main.ts'), run('cli.ts', ['judge'])])
    for (const outcome of outcomes) {
      expect(outcome).toEqual({ said: expect.stringMatching(older), status: 1 })
    }
    const untouched = await database.pool.query('select from predictions')
    expect(untouched.rowCount).toBe(0)
    await database.pool.query(`update ${journal} set created_at = $1::bigint + 1`, [rows[0]?.at])
    expect(await run('cli.ts', ['judge'])).toEqual({
      said: expect.stringContaining('last opened by a newer version'),
      status: 1,
    })
  })
})
