import { lnbitsWallet } from '#server/adapters/lightning-lnbits.ts'
import { openAdmin } from '#server/admin.ts'
import { buildApp } from '#server/app.ts'
import { openPayments } from '#server/payments.ts'
import { secretsOf } from '#server/services/secret-box.ts'
import { randomBytes } from 'node:crypto'
import { startPrices } from '#server/prices.ts'
import { catalogService } from '#server/services/catalog.ts'
import { livePrices } from '#server/services/live-prices.ts'
import { statusService } from '#server/services/status.ts'
import { listenForChanges } from '#server/store/changes.ts'
import { openDatabase } from '#server/store/database.ts'
import { watchOutages } from '#server/store/outages.ts'
import { ready } from './support/victim.ts'

/*
 * The site without its pages, for being killed: `node payment-kill-owner.ts <database> <LNbits> <key>`. Tells its address
 * on its first line, then what its log says of the database. It never ends by itself.
 */
const [, , databaseUrl = '', lnbits = '', key = ''] = process.argv
const clock = { now: () => Date.now() }
const log = { info() {}, warn() {}, error() {} }
const connection = { connectionString: databaseUrl }
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const { db, pool } = openDatabase(connection, (error) => void outages.notice(error))
const outages = watchOutages({ ping: () => pool.query('select 1'), log: { warn: say } })
const catalog = catalogService({ db, clock })
await catalog.refresh()
const live = livePrices()
const plenty = 1_000_000
const payments = await openPayments({
  wallet: lnbitsWallet({ url: new URL(lnbits), key, network: 'mainnet' }),
  origin: 'http://localhost',
  isPublic: false,
  limits: {
    mostAnAddress: plenty,
    mostOpenAnAddress: plenty,
    mostAMinute: plenty,
    mostOpen: plenty,
  },
  db,
  clock,
  log,
  catalog,
})
const app = await buildApp({
  config: {
    origin: 'http://localhost',
    // Callers choose their address, so that no limit of calls ends a long run.
    trustProxy: ['127.0.0.1'],
    contacts: { social: null, nostr: null, email: null },
  },
  logger: false,
  db,
  clock,
  outages,
  catalog,
  live,
  state: statusService({ db, clock, catalog, live, daily: [], feeds: [], isLeader: () => null }),
  payments,
  admin: openAdmin({
    db,
    clock,
    catalog,
    origin: 'http://localhost',
    log,
    secrets: secretsOf(async () => randomBytes(32)),
    outages,
  }),
  site: null,
  isOpen: () => true,
  busyAfterMs: 0,
})
payments.start()
// What holds connections and jobs of its own, as the site does.
listenForChanges(connection, () => void catalog.refresh().catch(outages.notice), outages.notice)
startPrices({ sources: { daily: [], feeds: [] }, db, pool, connection, clock, log, live })
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
