import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '#server/database/open.ts'
import { openDatabase } from '#server/kit/db.ts'
import { prepareRecord, importService } from '#server/predictions/imports.service.ts'
import { startThrowAway } from '#tests/support/throw-away-postgres.ts'
import { addAccounts } from './accounts.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** The address of that PostgreSQL; `{database}` is replaced by a name. */
const URL_SETTING = 'E2E_DATABASE_URL'
const TEMPLATE = 'site_template'
const PATIENCE_MS = 300_000
const silent = { info() {}, warn() {}, error() {} }

/**
 * Starts one PostgreSQL for all sites, with a judged record of the starter data and the accounts that each copies:
 * creating a server and judging for each site took most of its start.
 *
 * @param fill runs a site on the record until `isComputed`: scores and the snapshot of the day take ten seconds of
 *   processor time, which copies then save
 * @returns what stops it
 */
export async function startDatabases(
  fill: (url: string, isComputed: () => Promise<void>) => Promise<void>,
): Promise<() => Promise<void>> {
  const server = await startThrowAway()
  const admin = openDatabase({ connectionString: server.connectionString('postgres') }, () => {})
  await admin.pool.query(`drop database if exists ${TEMPLATE} with (force)`)
  await admin.pool.query(`create database ${TEMPLATE}`)
  await admin.close()
  const url = server.connectionString(TEMPLATE)
  const store = await openStore({
    databaseUrl: url,
    dataDir: '',
    migrationsFolder: join(ROOT, 'migrations'),
    log: silent,
    join: false,
  })
  const imports = importService({ db: store.database.db, clock: { now: () => Date.now() } })
  await prepareRecord(imports, ROOT, true, silent)
  await addAccounts(store.database.db)
  await store.close()
  await fill(url, () => untilComputed(url))
  const filled = openDatabase({ connectionString: url, max: 1 }, () => {})
  await filled.pool.query(SCORES_LATER)
  await filled.close()
  process.env[URL_SETTING] = server.connectionString('{database}')
  return () => server.stop()
}

async function untilComputed(url: string): Promise<void> {
  const { pool, close } = openDatabase({ connectionString: url, max: 1 }, () => {})
  // Two days in two modes each.
  const text =
    'select (select count(*) from scores) = 4 and exists (select from snapshots) as is_there'
  const until = Date.now() + PATIENCE_MS
  try {
    while (!(await pool.query<{ is_there: boolean }>(text)).rows[0]?.is_there) {
      if (Date.now() > until) throw new Error('The scores and the snapshot were not made.')
      await pause(100)
    }
  } finally {
    await close()
  }
}

/** Computing scores after each decision took half the CPU time of the administrators' site, and no journey reads them. */
const SCORES_LATER = `
  create function scores_later() returns trigger language plpgsql as $$
    begin new.start_after := now() + interval '1 day'; return new; end $$;
  create trigger scores_later before insert or update on jobs.job
    for each row when (new.name = 'scores') execute function scores_later();
  update jobs.job set name = name where name = 'scores'`

const KEEP_FEW = `do $$
  declare one regclass;
  begin
    set local session_replication_role = replica;
    for one in select attrelid from pg_attribute join pg_class on oid = attrelid
      where attname = 'prediction_id' and relkind = 'r' and relnamespace = 'public'::regnamespace
    loop execute format('delete from %s where prediction_id not like ''tom%%lee-%%''', one); end loop;
    delete from predictions where id not like 'tom%lee-%';
    update record_state set version = version + 1;
  end $$`

/**
 * Makes a copy of that record.
 *
 * @returns its address, and a function that drops it
 * @param isFew only a few predictions, for a site that signs them: all of them would take ten seconds
 */
export async function copyRecord(
  isFew = false,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const base = process.env[URL_SETTING] ?? ''
  const urlOf = (database: string): string =>
    base.replace(encodeURIComponent('{database}'), database).replace('{database}', database)
  const name = `site_${randomUUID().replaceAll('-', '')}`
  const query = async (text: string, database = 'postgres'): Promise<void> => {
    const admin = openDatabase({ connectionString: urlOf(database), max: 1 }, () => {})
    await admin.pool.query(text)
    await admin.close()
  }
  await query(`create database ${name} template ${TEMPLATE} strategy wal_log`)
  if (isFew) await query(KEEP_FEW, name)
  return { url: urlOf(name), drop: () => query(`drop database ${name} with (force)`) }
}
