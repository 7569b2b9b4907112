import { randomBytes } from 'node:crypto'
import { openPorts, type Ports } from '#server/composition/ports.ts'
import { watchOutages } from '#server/database/outages.ts'
import { openDatabase } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Log } from '#server/kit/log.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { secretsOf } from '#server/kit/secrets.ts'
import { readConfig, type Config } from '#server/kit/settings/config.ts'
import { openSignals } from '#server/kit/signals.ts'
import { type Clock } from '#server/kit/time.ts'

/** The day of the tests, unless they bring their own clock. */
export const TEST_DAY = '2026-11-20'

export const TEST_ORIGIN = 'http://localhost:3001'
/** Passwords are hashed cheaply. */
export const CHEAP = { memoryKib: 64, passes: 1 }

export const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Settings of a site, each group only with its differences from the defaults. */
export type TestSettings = {
  readonly [Key in keyof Config]?: Config[Key] extends
    | readonly unknown[]
    | string
    | number
    | boolean
    | null
    ? Config[Key]
    : Partial<Config[Key]>
}

/** The default settings of a site, without outside connections. */
export function testSettings(overrides: TestSettings = {}): Config {
  const read = readConfig({ PRICES: 'off' }, '/')
  const nostr = { ...read.nostr, relays: [], pictureServers: [], publishRecord: false }
  const settings: Config = { ...read, nostr }
  const merged = Object.entries(overrides).map(([key, value]) => {
    const before: unknown = settings[key as keyof Config]
    const areGroups = isGroup(before) && isGroup(value)
    return [key, areGroups ? { ...before, ...value } : value]
  })
  return { ...settings, ...(Object.fromEntries(merged) as Partial<Config>) }
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Outside connections by the settings, with cheap password hashes and a temporary key. */
export function testPorts({ config, clock }: Kit, overrides: Partial<Ports> = {}): Ports {
  return {
    ...openPorts(config, clock),
    passwords: passwordHasher(CHEAP),
    secrets: secretsOf(async () => randomBytes(32)),
    // Tests call no outside server.
    posts: [],
    wallet: null,
    walletIdentity: overrides.wallet?.name ?? null,
    ...overrides,
  }
}

/** Shared parts of a site on this database, disposed of at the end of the scope. */
export function testKit(
  url: string,
  input: {
    readonly clock?: Clock
    readonly log?: Log
    readonly settings?: TestSettings
    /** The database behind a pooler, if `url` leads through one. */
    readonly direct?: string
    /** Receives outages of the database. */
    readonly warn?: (text: string) => void
  } = {},
): Kit & AsyncDisposable {
  const connection = { connectionString: url }
  const direct = { connectionString: input.direct ?? url }
  const signals = openSignals(direct, (error) => {
    input.log?.warn({}, `Live prices wait for the database: ${error.message}`)
  })
  const { close, ...database } = openDatabase(connection, (error) => void outages.notice(error))
  const outages = watchOutages({
    ping: () => database.pool.query('select 1'),
    log: { warn: input.warn ?? (() => {}) },
  })
  return {
    ...database,
    readDb: database.db,
    catchUp: () => {},
    replica: () => null,
    config: testSettings(input.settings),
    clock: input.clock ?? { now: () => Date.parse(`${TEST_DAY}T12:00:00Z`) },
    log: input.log ?? SILENT,
    outages,
    direct,
    signals,
    [Symbol.asyncDispose]: async () => {
      await signals.stop()
      outages.stop()
      await close()
    },
  }
}
