import { openAdmin, type AdminDesk } from '#server/admins/open-admins.ts'
import { buildApp } from '#server/site.ts'
import { type Site } from '#server/predictions/web-pages.routes.ts'
import { type Config } from '#server/kit/settings/config.ts'
import { openNostr, type NostrDesk } from '#server/publishing/nostr/open-nostr.ts'
import { type NostrSettings } from '#server/kit/settings/nostr.ts'
import { openPayments, type PaymentDesk } from '#server/payments/open-payments.ts'
import { openPosts, type PostDesk } from '#server/posts/open-posts.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type Wallet } from '#server/payments/ports.ts'
import { openSocial, type SocialOffice } from '#server/publishing/open-publishing.ts'
import { type PriceSources } from '#server/prices/open-prices.ts'
import { catalogService, type Catalog } from '#server/predictions/catalog.service.ts'
import { type PaymentLimits } from '#server/payments/payments.service.ts'
import { importService, type Imports } from '#server/predictions/imports.service.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { secretsOf, type Secrets } from '#server/kit/secret-box.ts'
import { livePrices, type LivePrices } from '#server/prices/live-prices.ts'
import { statusService } from '#server/prices/status.service.ts'
import { openDatabase, type Database } from '#server/kit/db.ts'
import { openSignals, type Signals } from '#server/kit/signals.ts'
import { watchOutages } from '#server/database/outages.ts'
import { type FastifyInstance } from 'fastify'
import { randomBytes, randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { TEMPLATE } from './throw-away-database.ts'

export type TestDatabase = Database & AsyncDisposable & { readonly url: string }

/** An empty database of its own, migrated; gone when it leaves scope. */
export async function testDatabase(): Promise<TestDatabase> {
  const base = inject('databaseUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const urlOf = (database: string): string =>
    base.replace(encodeURIComponent('{database}'), database).replace('{database}', database)
  const admin = openDatabase({ connectionString: urlOf('postgres'), max: 1 }, () => {})
  await admin.pool.query(`create database ${name} template ${TEMPLATE} strategy wal_log`)
  const database = openDatabase({ connectionString: urlOf(name) }, () => {})
  return {
    ...database,
    url: urlOf(name),
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await admin.pool.query(`drop database ${name} with (force)`)
      await admin.close()
    },
  }
}

export type TestApp = AsyncDisposable & {
  readonly app: FastifyInstance
  readonly database: TestDatabase
  readonly imports: Imports
  readonly catalog: Catalog
  readonly payments: PaymentDesk
  readonly posts: PostDesk
  readonly nostr: NostrDesk
  readonly social: SocialOffice
  readonly admins: AdminDesk
  readonly live: LivePrices
  readonly signals: Signals
  /** GET as JSON. */
  readonly get: (url: string) => Promise<{ status: number; body: unknown }>
  /** Reads the record anew, as the running site does when it hears of a change. */
  readonly refresh: () => Promise<void>
}

/** The day of the tests, unless they bring their own clock. */
const TEST_DAY = '2026-11-20'

export const TEST_ORIGIN = 'http://localhost:3001'
/** Passwords are hashed at a price that tests can pay. */
export const CHEAP = { memoryKib: 64, passes: 1 }

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** The whole server on a database of its own, without listening. */
export async function testApp(
  given: {
    clock?: Clock
    site?: Site
    isOpen?: () => boolean
    /** From which delay of its event loop on it turns calls away, looked at so often; without it never. */
    readonly busy?: { readonly afterMs: number; readonly sampleMs: number }
    trustProxy?: Config['trustProxy']
    sources?: PriceSources
    isLeader?: () => boolean | null
    metricsToken?: string
    needsSecondFactor?: boolean
    secrets?: Secrets
    /** Hears of outages of the database. */
    warn?: (text: string) => void
    wallet?: Wallet
    posts?: Partial<Parameters<typeof openPosts>[0]>
    nostr?: Partial<NostrSettings> & Partial<Pick<Parameters<typeof openNostr>[0], 'relaysOf'>>
    social?: Partial<Parameters<typeof openSocial>[0]>
    limits?: Partial<PaymentLimits>
    notices?: Partial<
      Pick<Parameters<typeof openPayments>[0], 'mailer' | 'invoices' | 'noticeSatsADay'>
    >
  } = {},
): Promise<TestApp> {
  const database = await testDatabase()
  const clock = given.clock ?? { now: () => Date.parse(`${TEST_DAY}T12:00:00Z`) }
  const { db } = database
  const catalog = catalogService({ db, clock })
  const imports = importService({ db, clock })
  const live = livePrices()
  const signals = openSignals({ connectionString: database.url }, () => {})
  const outages = watchOutages({
    ping: () => db.execute('select 1'),
    log: { warn: given.warn ?? (() => {}) },
  })
  const sources = given.sources ?? { daily: [], feeds: [] }
  await catalog.refresh()
  const payments = await openPayments({
    wallet: given.wallet ?? null,
    origin: 'http://localhost:3001',
    isPublic: false,
    ...(given.limits ? { limits: given.limits } : {}),
    ...given.notices,
    db,
    clock,
    log: SILENT,
    catalog,
    signals,
  })
  const nostr = openNostr({
    settings: {
      privateKey: null,
      relays: [],
      pictureServers: [],
      publishRecord: false,
      ...given.nostr,
    },
    ...(given.nostr?.relaysOf ? { relaysOf: given.nostr.relaysOf } : {}),
    db,
    clock,
    log: SILENT,
    catalog,
  })
  const posts = openPosts({
    sources: [],
    assistant: null,
    db,
    pool: database.pool,
    clock,
    log: SILENT,
    catalog,
    signals,
    ...given.posts,
  })
  const admin = openAdmin({
    db,
    clock,
    catalog,
    origin: TEST_ORIGIN,
    log: SILENT,
    secrets: given.secrets ?? secretsOf(async () => randomBytes(32)),
    outages,
    passwords: passwordHasher(CHEAP),
    needsSecondFactor: given.needsSecondFactor ?? false,
    metricsToken: given.metricsToken ?? null,
  })
  const social = openSocial({
    x: null,
    nostr: nostr.publisher,
    charts: nostr.pictures,
    review: admin.review,
    origin: TEST_ORIGIN,
    db,
    clock,
    log: SILENT,
    catalog,
    ...given.social,
  })
  const app = await buildApp({
    config: {
      origin: 'http://localhost:3001',
      contacts: { social: null, nostr: null, email: null },
      trustProxy: given.trustProxy ?? false,
    },
    logger: false,
    db,
    clock,
    outages,
    catalog,
    live,
    state: statusService({
      db,
      clock,
      catalog,
      live,
      ...sources,
      isLeader: given.isLeader ?? (() => null),
    }),
    payments,
    admin,
    posts,
    nostr,
    social,
    site: given.site ?? null,
    isOpen: given.isOpen ?? (() => true),
    // A machine under load is no fault of what is tested.
    busyAfterMs: given.busy?.afterMs ?? 0,
    ...(given.busy && { busySampleMs: given.busy.sampleMs }),
  })
  return {
    app,
    database,
    imports,
    catalog,
    live,
    signals,
    payments,
    posts,
    nostr,
    social,
    admins: admin,
    refresh: catalog.refresh,
    get: async (url) => {
      const response = await app.inject({ method: 'GET', url })
      return { status: response.statusCode, body: response.json<unknown>() }
    },
    [Symbol.asyncDispose]: async () => {
      await payments.stop()
      await posts.stop()
      await social.stop()
      await nostr.stop()
      await app.close()
      await signals.stop()
      outages.stop()
      await database[Symbol.asyncDispose]()
    },
  }
}
