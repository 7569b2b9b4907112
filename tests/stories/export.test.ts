import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ExportError } from '#server/database/export-format.ts'
import { backup, exportTables } from '#server/database/export-tables.ts'
import { importTables } from '#server/database/import-tables.ts'
import { entry } from '#tests/support/builders.ts'
import { correctedSite } from '#tests/support/corrected.ts'
import { expectEqual, tablesOf, temporaryFolder } from '#tests/support/databases.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { testDatabase, type TestDatabase } from '#tests/support/test-app.ts'

/** Windows has no file modes. */
const [OWN_FOLDER, OWN_FILE] = process.platform === 'win32' ? [0o666, 0o666] : [0o700, 0o600]

const corrected = onceForFile(correctedSite)

/** Two databases, empty before each test. */
const [source, target] = [emptyDatabase(), emptyDatabase()]

function emptyDatabase(): () => TestDatabase {
  const refresh = () => Promise.resolve()
  return onceForFile(testDatabase, (database) => emptied({ database, refresh }))
}

it('an export holds every table, including chains of merged people and settled payments, and fills another database', async () => {
  const on = corrected()
  const { sql } = on.world.database
  await on.world.imports.predictions(JSON.stringify([entry('c', { expert_name: 'Expert C' })]))
  const merge = async (from: number, into: number) =>
    on.admin.call('POST', `/api/v1/admin/experts/${String(from)}/merge`, { version: 0, into })
  // The first row refers to a later one.
  expect((await merge(1, 3)).status).toBe(200)
  const renamed = await on.admin.call('PUT', '/api/v1/admin/experts/3', {
    version: 1,
    name: 'Ada Quant',
  })
  expect(renamed.status).toBe(200)
  await sql(
    `with s as (insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction, target_time, created_at, notes)
         values (gen_random_uuid(), 'admin', 'pending', 'btc', E'tab\\tand\\nline', 'target', 'by', '$1', '2027-01-01', now(), '\\N') returning id),
       p as (insert into payments (id, submission_id, checking_hash, status, sats, wallet, network, created_at)
         select gen_random_uuid(), id, 'h', 'creating', 1, 'w', 'mainnet', now() from s returning id)
       insert into payment_settlements (payment_id, at, username, note) select id, now(), 'Admin A', 'done' from p`,
  )
  // Payments of every other purpose, reports, and replies to corrections.
  await sql(
    `insert into reports (prediction_id, kind, explanation, state, reported_at, last_event, source, other_id, decided_at, decided_by)
         values ('a', 'words', E'two\nlines', 'accepted', now(), 0, 'https://example.org', null, now(), 'Admin A'),
           ('a', 'double', '\\N', 'open', now(), 0, null, 'b', null, null), ('a', 'date', 'x', 'open', now(), 0, null, null, null, null)`,
  )
  await sql(
    `insert into report_corrections (report, event) select 1, max(id) from prediction_events`,
  )
  await sql(
    `insert into payments (id, purpose, prediction_id, report_number, checking_hash, status, sats, credited_sats, description, comment, wallet, network, created_at)
         select gen_random_uuid(), purpose, prediction, report, purpose, 'creating', 21, credited, text, 'Good 👍', 'w', 'mainnet', now()
         from (values ('boost', 'a', null::bigint, 21, null), ('zap', 'a', null, null, '{"content":"tab\\t"}'),
           ('support', null, null, null, '[["text/plain","x"]]'), ('report', null, 3, null, null)) t (purpose, prediction, report, credited, text)`,
  )
  await sql(
    `insert into reports (prediction_id, kind, explanation, reported_at, last_event) values ('b', 'other', 'x', now(), 0)`,
  )
  await sql('delete from reports where number = 4')
  await using files = await temporaryFolder()
  const out = files.in('tables')
  // Even into an empty folder with open permissions.
  await mkdir(out, { mode: 0o755 })
  const rows = await exportTables(on.world.database.pool, out)
  const names = await tablesOf(on.world.database)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names)
  expect(await readdir(out)).toHaveLength(names.length + 1)
  expect(await modeOf(out)).toBe(OWN_FOLDER)
  const modes = await Promise.all((await readdir(out)).map((name) => modeOf(join(out, name))))
  expect([...new Set(modes)]).toEqual([OWN_FILE])
  const other = target()
  expect(await importTables(other.pool, out, false)).toEqual(rows)
  await expectEqual(other, on.world.database)
  // The next row gets a new number.
  await other.sql(
    `insert into audit_log (at, username, action, subject_kind) values (now(), 'x', 'x', 'x')`,
  )
  const next = await other.sql(
    `insert into reports (prediction_id, kind, explanation, reported_at, last_event) values ('b', 'other', 'x', now(), 0) returning number::int`,
  )
  // The id of a deleted report is not reused.
  expect(next).toEqual([{ number: 5 }])
  await expect(importTables(other.pool, out, false)).rejects.toThrow(ExportError)
  expect(await importTables(other.pool, out, true)).toEqual(rows)
  // A damaged file is reported, and nothing is dropped for it.
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
  const stored = await other.sql('select from predictions')
  expect(stored.length).toBe(rows.find(({ name }) => name === 'predictions')?.rows)
})

describe('a backup', () => {
  it('restores every column of every table, and the next id of each', async () => {
    await using database = await testDatabase()
    await using other = await testDatabase()
    await using files = await temporaryFolder()
    const names = await tablesOf(database)
    await freeOfRules(database)
    await freeOfRules(other)
    for (const name of names) await fillWithOneRow(database, name)
    await database.sql(`select setval(pg_get_serial_sequence('verdicts', 'id'), 70)`)
    const file = files.in('site.tar.gz')
    const { tables, bytes } = await backup(database.pool, file)
    expect(tables.filter(({ rows }) => rows === 0)).toEqual([])
    expect(await modeOf(file)).toBe(OWN_FILE)
    expect((await stat(file)).size).toBe(bytes)
    expect(await readdir(files.path), 'leaves nothing beside it').toEqual(['site.tar.gz'])
    await other.sql('delete from assets')
    expect(await importTables(other.pool, file, false)).toEqual(tables)
    await expectEqual(other, database)
    const next = await other.sql(
      `select nextval(pg_get_serial_sequence('verdicts', 'id'))::int as id`,
    )
    expect(next).toEqual([{ id: 71 }])
  })

  it('is consistent, whatever is written meanwhile', async () => {
    const database = source()
    const other = target()
    await using files = await temporaryFolder()
    const write = (id: number) =>
      database.sql(
        `with a as (insert into facts (name, value) values ($1, '1'))
         insert into removed_unpaid (day, submissions, invoices, sats) values (date '2026-01-01' + $2::int, 1, 1, 1)`,
        [`fact ${String(id)}`, id],
      )
    let [next, going] = [0, true]
    const some = async (): Promise<void> => {
      for (; next < 50; next += 1) await write(next)
    }
    await some()
    const writing = (async () => {
      for (; going; next += 1) await write(next)
    })()
    const before = next
    const file = files.in('site.tar.gz')
    await backup(database.pool, file)
    going = false
    await writing
    await importTables(other.pool, file, false)
    const rows = await other.sql(
      `select (select count(*) from facts)::int as facts, (select count(*) from removed_unpaid)::int as days`,
    )
    expect(rows[0]?.facts).toBeGreaterThanOrEqual(before)
    expect(rows[0]?.days).toBe(rows[0]?.facts)
  })

  it('a damaged or foreign backup is refused with the reason, and the database stays empty', async () => {
    const database = source()
    const other = target()
    await using files = await temporaryFolder()
    await database.sql(
      `insert into facts (name, value) select 'fact ' || i, to_jsonb(random()) from generate_series(1, 5000) i`,
    )
    const file = files.in('whole.tar.gz')
    await backup(database.pool, file)
    const whole = await readFile(file)
    const tar = gunzipSync(whole)
    const changed = Buffer.from(tar)
    const at = changed.indexOf('fact 2500')
    changed.write('fake', at)
    const old = Buffer.from(tar)
    // As old backups name their first entry.
    old.fill(0, 0, 100).write('proof-of-price-backup.json')
    // The sum counts its own eight bytes as spaces.
    const summed = Buffer.concat([
      old.subarray(0, 148),
      Buffer.alloc(8, 32),
      old.subarray(156, 512),
    ])
    const sum = summed.reduce((all, byte) => all + byte, 0)
    old.write(sum.toString(8).padStart(6, '0'), 148)
    const [CUT, FOREIGN] = [/not complete/, /not a backup of this site/]
    const OLD = /older version .* Restore it with the version that made it, then update/
    const at512 = tar.indexOf('ustar', 512) - 257
    for (const [name, bytes, says] of [
      ['cut', whole.subarray(0, whole.length >> 1), CUT],
      ['no-end', whole.subarray(0, -4), CUT],
      ['last-table-missing', gzipSync(tar.subarray(0, tar.lastIndexOf('ustar') - 257)), CUT],
      ['changed', gzipSync(changed), /facts\.copy of .* is damaged/],
      ['empty', new Uint8Array(), /not complete|not a backup/],
      ['garbage', new Uint8Array(5000).fill(7), FOREIGN],
      ['zipped-garbage', gzipSync(Buffer.alloc(5000, 7)), FOREIGN],
      ['other-tar', gzipSync(tar.subarray(at512)), FOREIGN],
      ['old', gzipSync(old), OLD],
    ] as const) {
      await writeFile(files.in(name), bytes)
      const failure = await importTables(other.pool, files.in(name), true).catch(String)
      expect({ name, failure }).toEqual({ name, failure: expect.stringMatching(says) })
    }
    await expect(importTables(other.pool, files.in('none'), false)).rejects.toThrow(/no file/)
    expect((await other.sql('select from facts')).length).toBe(0)
    expect((await other.sql('select from assets')).length).toBeGreaterThan(0)
  })

  it('is refused by a database with any row, even a single administrator', async () => {
    const database = source()
    const other = target()
    await using files = await temporaryFolder()
    const file = files.in('site.tar.gz')
    await backup(database.pool, file)
    await other.sql(
      `insert into facts (name, value) values ('secret', '"kept"');
       insert into admins (username, folded, password_hash, role, created_at) values ('A', 'a', 'x', 'administrator', now())`,
    )
    await expect(importTables(other.pool, file, false)).rejects.toThrow(
      'The database is not empty: there are rows in admins, facts.',
    )
    expect((await other.sql('select from admins')).length).toBe(1)
  })

  it('a failed backup leaves no partial file, and keeps the older one', async () => {
    const database = source()
    await using files = await temporaryFolder()
    const target = files.in('file/backup.tar.gz')
    await writeFile(files.in('file'), '')
    await expect(backup(database.pool, target)).rejects.toThrow(/Could not back up/)
    // Fails at the final rename, because the target is a folder.
    await mkdir(files.in('taken/kept'), { recursive: true })
    await expect(backup(database.pool, files.in('taken'))).rejects.toThrow(/Could not back up/)
    expect((await readdir(files.path)).toSorted()).toEqual(['file', 'taken'])
    await rename(files.in('taken'), files.in('other'))
    await backup(database.pool, files.in('taken'))
    await backup(database.pool, files.in('taken'))
    expect((await stat(files.in('taken'))).isFile()).toBe(true)
  })
})

/** Drops constraints, so that a row of arbitrary values can be written into any table. */
async function freeOfRules({ sql }: TestDatabase): Promise<void> {
  await sql(
    `do $$ declare one record; begin
       for one in select conrelid::regclass as "table", conname from pg_constraint
         where contype in ('f', 'c') and connamespace = 'public'::regnamespace
       loop execute format('alter table %s drop constraint %I', one."table", one.conname); end loop;
     end $$`,
  )
}

const VALUES: Readonly<Record<string, string>> = {
  text: String.raw`e'tab\tline\nreturn\r \\N "quoted" ₿'`,
  uuid: 'gen_random_uuid()',
  bigint: '9007199254740990',
  integer: '7',
  smallint: '-7',
  boolean: 'true',
  'double precision': '0.1::float8 + 0.2',
  numeric: '1234567890.123456789',
  date: `date '2026-02-28'`,
  'timestamp with time zone': `timestamptz '2026-02-28T23:59:59.123456Z'`,
  jsonb: String.raw`jsonb_build_object('a', e'\t\\N', 'b', null)`,
  json: `'{"b" : 1,  "a": null}'::json`,
  bytea: String.raw`'\x00ff5c0a'::bytea`,
  _text: String.raw`array[e'a,b', '', null, e'\\']`,
  _int4: 'array[7, null, -7]',
}

/** Writes a row that has a value in every column. */
async function fillWithOneRow({ sql }: TestDatabase, table: string): Promise<void> {
  const rows = await sql(
    `select column_name as name, case when is_identity = 'YES' then 'integer' when data_type = 'ARRAY' then udt_name else data_type end as type
     from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const values = rows.map(({ name, type }) => {
    const value = VALUES[type]
    if (!value) throw new Error(`no value for ${table}.${name}, a ${type}`)
    return value
  })
  const columns = rows.map(({ name }) => `"${name}"`).join(', ')
  await sql(
    `insert into "${table}" (${columns}) overriding system value values (${values.join(', ')})`,
  )
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}
