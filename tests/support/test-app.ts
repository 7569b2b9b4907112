import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { type QueryResult, type QueryResultRow } from 'pg'
import { inject } from 'vitest'
import { type z } from 'zod'
import { type PageInput } from '#contracts/page.ts'
import { type Ports } from '#server/composition/ports.ts'
import { openDatabase, type Database } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type BuiltPages } from '#server/predictions/web-pages.routes.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { computeDay, computeRows } from '#server/scores/compute-scores.ts'
import { type ScoreRows } from '#server/scores/scores.rows.ts'
import { type ScorePace } from '#server/scores/scores.service.ts'
import { openSite, type Site, type SiteOptions } from '#server/site.ts'
import { pageAddress } from '#web/public/page-address.ts'
import { testKit, testPorts } from './test-site.ts'
import { TEMPLATE } from './throw-away-database.ts'

/** Runs a statement. @returns its rows */
type Sql = <Row extends QueryResultRow = QueryResult['rows'][number]>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>

export type TestDatabase = Database & AsyncDisposable & { readonly url: string; readonly sql: Sql }

/** A separate database, migrated and empty unless another template is named; removed at the end of the scope. */
export async function testDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = openDatabase({ connectionString: urlOf('postgres'), max: 1 }, () => {})
  await admin.pool.query(`create database ${name} template ${template} strategy file_copy`)
  const database = openDatabase({ connectionString: urlOf(name) }, () => {})
  return {
    ...database,
    url: urlOf(name),
    sql: async (text, values) => (await database.pool.query(text, values)).rows,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await admin.pool.query(`drop database ${name} with (force)`)
      await admin.close()
    },
  }
}

export function urlOf(database: string): string {
  const base = inject('databaseUrl')
  return base.replace(encodeURIComponent('{database}'), database).replace('{database}', database)
}

/** @param to the id or the query for the path of the call, or another address */
type Read = <Reply extends z.ZodType>(
  call: { readonly path: string; readonly reply: Reply },
  to?: string,
) => Promise<z.output<Reply>>

/** Makes GET calls and parses their replies. */
export function reader(get: (url: string) => Promise<{ body: unknown }>): Read {
  return async ({ path, reply }, to = '') => {
    const own = path.includes(':') ? path.replace(/:\w+/, to) : path + to
    const { body } = await get(to.startsWith('/') ? to : own)
    return reply.parse(body, { error: () => JSON.stringify(body) })
  }
}

export type TestApp = AsyncDisposable &
  Site & {
    readonly database: TestDatabase
    readonly sql: Sql
    readonly kit: Kit
    readonly ports: Ports
    readonly get: (url: string) => Promise<{ status: number; body: unknown }>
    readonly read: Read
    /** Notifies the site of any change of the record. */
    readonly refresh: () => Promise<void>
    /** Imports entries of a file, and notifies the site. */
    readonly publish: (...entries: object[]) => Promise<void>
  }

/** The whole server on its own database, without listening. */
export async function testApp(
  input: Parameters<typeof testKit>[1] & {
    readonly ports?: Partial<Ports>
    readonly options?: SiteOptions
    /** Contents of its database. */
    readonly template?: string
  } = {},
): Promise<TestApp> {
  const database = await testDatabase(input.template)
  const kit = testKit(database.url, input)
  const ports = testPorts(kit, input.ports)
  // A busy machine must not fail a test.
  const busy = { afterMs: 0, sampleMs: 5_000 }
  const scores = { worker: rememberedScores, ...input.options?.scores }
  const site = await openSite(kit, ports, { busy, ...input.options, scores })
  const get: TestApp['get'] = async (url) => {
    const response = await site.app.inject({ method: 'GET', url })
    return { status: response.statusCode, body: response.json<unknown>() }
  }
  const refresh = async (): Promise<void> => {
    await recordChanged(database.db, { prices: true })
    await site.record.refresh()
  }
  return {
    ...site,
    database,
    sql: database.sql,
    kit,
    ports,
    refresh,
    publish: async (...entries) => {
      await site.imports.predictions(JSON.stringify(entries))
      await refresh()
    },
    get,
    read: reader(get),
    [Symbol.asyncDispose]: async () => {
      await site.stop({ linger: () => Promise.resolve() })
      await kit[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Built pages, by default without any words. */
export function plainPages(
  render: BuiltPages['render'] = () => ({ head: '', body: '' }),
): BuiltPages {
  const template =
    '<html><head><!--head--></head><div id="root"><!--body--></div><!--data--></html>'
  return { template, folder: resolve('public'), render, address: pageAddress }
}

type PageData = PageInput['data']

/** The data of a page, as its scripts request it. @throws Error if it is of another page than the one expected */
export async function pageAt<Page extends PageData['page']>(
  { app }: Pick<Site, 'app'>,
  url: string,
  expected?: Page,
): Promise<Extract<PageData, { page: Page }>> {
  const path = `/api/v1/page?url=${encodeURIComponent(url)}`
  const { data } = (await app.inject(path)).json<PageInput>()
  if (expected !== undefined && data.page !== expected) throw new Error(`${url} is ${data.page}`)
  return data as Extract<PageData, { page: Page }>
}

/** Results for the sites of this test file, by the digest of their inputs. */
const known = new Map<string, ScoreRows>()

/** Computes scores once for each record: most stories begin with the same one, whose scores take a second. */
export const rememberedScores: NonNullable<ScorePace['worker']> = ({ db }) => ({
  compute: (requested) =>
    computeDay(db, requested, (request) => {
      const rows = known.get(request.digest) ?? computeRows(request)
      known.set(request.digest, rows)
      return rows
    }),
  close: () => Promise.resolve(),
})
