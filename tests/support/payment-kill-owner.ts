import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { openAdmin } from '#server/admins/open-admins.ts'
import { buildApp } from '#server/site.ts'
import { openPayments } from '#server/payments/open-payments.ts'
import { secretsOf } from '#server/kit/secret-box.ts'
import { randomBytes } from 'node:crypto'
import { startPrices } from '#server/prices/open-prices.ts'
import { catalogService } from '#server/predictions/catalog.service.ts'
import { livePrices } from '#server/prices/live-prices.ts'
import { statusService } from '#server/prices/status.service.ts'
import { openSignals } from '#server/kit/signals.ts'
import { openDatabase } from '#server/kit/db.ts'
import { watchOutages } from '#server/database/outages.ts'
import { ready } from './victim.ts'

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
const signals = openSignals(connection, outages.notice)
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
  signals,
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
signals.listen('record', () => void catalog.refresh().catch(outages.notice))
startPrices({ sources: { daily: [], feeds: [] }, db, pool, signals, clock, log, live })
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
