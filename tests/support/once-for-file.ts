import { type Pool } from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { testApp, type TestApp } from './test-app.ts'

/**
 * One object for all tests of a file, such as a site: opening one for each test costs more than most tests. Without
 * `reset` tests share its record, so each uses its own names.
 */
export function onceForFile<T extends AsyncDisposable>(
  open: () => Promise<T>,
  reset: (opened: T) => Promise<void> = async () => {},
): () => T {
  let opened: T | undefined
  const get = (): T => {
    if (opened === undefined) throw new Error('It is open only while the tests of its file run.')
    return opened
  }
  beforeAll(async () => {
    opened = await open()
  })
  beforeEach(() => reset(get()))
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })
  return get
}

/** A proxy of the present object. */
export function standingFor<T extends object>(get: () => T): T {
  return new Proxy({} as T, { get: (_, key) => Reflect.get(get(), key) as unknown })
}

/** A proxy of the open object. */
export function sharedByFile<T extends object & AsyncDisposable>(
  open: () => Promise<T>,
  reset?: (opened: T) => Promise<void>,
): T {
  return standingFor(onceForFile(open, reset))
}

/** The same, with a site whose initial rows are restored before each test. @param begin runs before the restore */
export function shareByFile<T extends object & AsyncDisposable>(
  open: () => Promise<T>,
  siteOf: (opened: T) => Pick<TestApp, 'database' | 'refresh'>,
  begin: (opened: T) => void = () => {},
): T {
  let putBack = async (): Promise<void> => {}
  const openShared = async (): Promise<T> => {
    const opened = await open()
    putBack = await snapshotRows(siteOf(opened).database.pool)
    return opened
  }
  const beginAgain = async (opened: T): Promise<void> => {
    begin(opened)
    await putBack()
    await siteOf(opened).refresh()
  }
  return sharedByFile(openShared, beginAgain)
}

/** A site for all tests of a file. */
export function appOfFile(overrides: Parameters<typeof testApp>[0] = {}): () => TestApp {
  return onceForFile(() => testApp(overrides))
}

/**
 * Empties every table as after a migration, but keeps the version of the record, and has the site read the record
 * again. Serial ids start over. Deletes without checking foreign keys: truncating as many tables takes thirty times
 * as long. Waits for refusals still being written, as their ids would be reused.
 */
export async function emptied(site: Pick<TestApp, 'database' | 'refresh'>): Promise<void> {
  await site.database.sql(`do $$
    declare one record;
    begin
      set local session_replication_role = replica;
      lock table audit_log in exclusive mode;
      for one in select oid::regclass as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ('assets', 'record_state')
          and pg_relation_size(oid) > 0
      loop execute 'delete from ' || one.name; end loop;
      perform setval(oid::regclass, 1, false) from pg_class
        where relkind = 'S' and relnamespace = 'public'::regnamespace;
      update record_state set version = version + 1, prices = version + 1;
    end $$`)
  await site.refresh()
}

type Options = NonNullable<Parameters<typeof testApp>[0]>

/** A site for all tests of a file or `describe`: each begins with the rows made by `prepare`. */
export function sharedApp(
  options: Options | (() => Options) = {},
  prepare: (site: TestApp) => Promise<unknown> = async () => {},
): TestApp {
  const open = async (): Promise<TestApp> => {
    const site = await testApp(typeof options === 'function' ? options() : options)
    await prepare(site)
    return site
  }
  return shareByFile(open, (site) => site)
}

/**
 * Stores the rows of all tables and their serial ids.
 *
 * @returns a function that restores them: for tests that share a site and each begin with the same record
 */
async function snapshotRows(pool: Pool): Promise<() => Promise<void>> {
  await pool.query(`
    create schema kept;
    do $$ declare one record;
    begin
      for one in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'record_state'
          and pg_relation_size(oid) > 0 loop
        execute format('create table kept.%I as table public.%I', one.relname, one.relname);
      end loop;
      create table kept."the sequences" as
        select sequencename, coalesce(last_value, start_value) as at, last_value is not null as called
        from pg_sequences where schemaname = 'public';
      create table kept."the columns" as
        select relname, string_agg(quote_ident(attname), ', ') as columns
        from pg_class c join pg_tables t on t.schemaname = 'kept' and t.tablename = relname
          join pg_attribute on attrelid = c.oid
        where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attgenerated = ''
        group by relname;
    end $$;
    create function kept.put_back() returns void language plpgsql as $$
    declare one record;
    begin
      perform set_config('session_replication_role', 'replica', true);
      -- A refusal that is being written has its number already.
      lock table audit_log in exclusive mode;
      for one in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'record_state'
          and pg_relation_size(oid) > 0 loop
        execute format('delete from public.%I', one.relname);
      end loop;
      for one in select * from kept."the columns" loop
        execute format('insert into public.%I (%s) overriding system value select %s from kept.%I',
          one.relname, one.columns, one.columns, one.relname);
      end loop;
      perform setval(format('public.%I', sequencename)::regclass, at, called) from kept."the sequences";
      -- Another one than every version before: what is kept under those is of another record.
      update public.record_state set version = version + 1, prices = version + 1;
    end $$`)
  return async () => {
    await pool.query('select kept.put_back()')
  }
}
