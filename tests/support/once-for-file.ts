import { afterAll, beforeAll, beforeEach } from 'vitest'
import { snapshotRows } from './kept-rows.ts'
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
 * as long. Waits for a refusal that is still being written: its number would come a second time.
 */
export async function emptied(site: Pick<TestApp, 'database' | 'refresh'>): Promise<void> {
  await site.database.pool.query(`do $$
    declare one record;
    begin
      set local session_replication_role = replica;
      lock table audit_log in exclusive mode;
      for one in select oid::regclass as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ('assets', 'record_state')
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
