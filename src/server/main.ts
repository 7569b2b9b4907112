import { type PageAddress, type RenderPage } from '#contracts/page.ts'
import { dayOfTime } from '#domain/day.ts'
import closeWithGrace from 'close-with-grace'
import { existsSync, readFileSync } from 'node:fs'
import { type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  adminOfEnvironment,
  hasAdmins,
  openAdmin,
  prepareSecondFactors,
} from './admins/open-admins.ts'
import { assistantOf } from './posts/assistant/read-by-model.ts'
import { buildApp } from './site.ts'
import {
  ConfigError,
  loadEnvFile,
  projectRoot,
  readConfig,
  type Config,
} from './kit/settings/config.ts'
import { type AdminSite } from './http/admin-site.ts'
import { leave } from './http/leave.ts'
import { listen } from './http/listen.ts'
import { type Site } from './predictions/web-pages.routes.ts'
import {
  mailerOf,
  openPayments,
  settingWarnings,
  walletIdentity,
  walletOf,
} from './payments/open-payments.ts'
import { openNostr } from './publishing/nostr/open-nostr.ts'
import { openPosts, postSources } from './posts/open-posts.ts'
import { type Clock } from './kit/ports.ts'
import { priceSources, startPrices, type Prices } from './prices/open-prices.ts'
import { catalogService } from './predictions/catalog.service.ts'
import { importService } from './predictions/imports.service.ts'
import { livePrices } from './prices/live-prices.ts'
import { secretsOf } from './kit/secret-box.ts'
import { statusService } from './prices/status.service.ts'
import { sendNews } from './predictions/news.ts'
import { siteLog } from './kit/site-log.ts'
import { openSocial, xAccountOf } from './publishing/open-publishing.ts'
import { prepareRecord } from './predictions/starter.ts'
import { openSignals } from './kit/signals.ts'
import { openStore } from './database/open.ts'
import { secretsKey } from './kit/secrets-key.ts'
import { sentenceOf } from './kit/trouble.ts'

const root = projectRoot()
const clock: Clock = { now: () => Date.now() }
const STOP_WITHIN_MS = 15_000
/** A start waits so long for a database that is away; then it ends, and whoever started it tries again. */
const WAIT_FOR_DATABASE_MS = 60_000
const READ_AGAIN_MS = 5_000
const NEW_DAY_CHECK_MS = 60_000

function settings(): Config {
  try {
    loadEnvFile(root)
    return readConfig(process.env, root)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`The site cannot start:\n${error.message}\nSee .env.example.\n`)
    return process.exit(78)
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The built web app, or null when the server runs from its sources and Vite serves the pages. */
async function builtSite(): Promise<Site | null> {
  const [web, ssr] = [join(root, 'dist', 'web'), join(root, 'dist', 'ssr', 'entry-server.js')]
  const isBuilt = existsSync(join(web, 'index.html')) && existsSync(ssr)
  if (process.env['NODE_ENV'] === 'development' || !isBuilt) return null
  const built = (await import(pathToFileURL(ssr).href)) as {
    render: RenderPage
    address: PageAddress
  }
  return {
    template: readFileSync(join(web, 'index.html'), 'utf8'),
    folder: web,
    render: built.render,
    address: built.address,
  }
}

/** The built administrators' app; null as `builtSite`. */
function builtAdminSite(): AdminSite | null {
  const folder = join(root, 'dist', 'admin')
  const page = join(folder, 'admin.html')
  if (process.env['NODE_ENV'] === 'development' || !existsSync(page)) return null
  return { folder, page: readFileSync(page, 'utf8') }
}

async function main(): Promise<void> {
  const config = settings()
  const logger = siteLog(config.logLevel, process.stdout)
  const log = {
    info: (text: string) => say(text),
    warn: (text: string) => logger.warn(text),
    error: (text: string) => logger.error(text),
  }
  const wallet = walletOf(config.payments, { dataDir: config.dataDir, clock })
  let open = true
  let lost: ((failure: Error) => void) | null = null

  say('Opening the database …')
  const [store, site] = await Promise.all([
    openStore({
      databaseUrl: config.databaseUrl,
      directUrl: config.directUrl,
      dataDir: config.dataDir,
      migrationsFolder: join(root, 'migrations'),
      log,
      join: false,
      waitMs: WAIT_FOR_DATABASE_MS,
      onLost: (failure) => lost?.(failure),
    }),
    builtSite(),
  ])
  const { db } = store.database
  const imports = importService({ db, clock })
  const catalog = catalogService({ db, clock })
  const secrets = secretsOf(() => secretsKey(config.admin.secretsKey, config.dataDir))
  let canSignIn: boolean
  try {
    await store.whenThere(() => prepareRecord(imports, root, config.starterData, log))
    await store.whenThere(() => catalog.refresh())
    await store.whenThere(() => adminOfEnvironment(db, clock, config.admin.first))
    // Asked before the port is open: from then on a database that is away ends no process.
    canSignIn = await store.whenThere(() => hasAdmins(db))
    await store.whenThere(() => prepareSecondFactors(db, secrets, config, log))
  } catch (error) {
    await store.close()
    throw error
  }

  const live = livePrices()
  sendNews(catalog, live)
  let readAgain: NodeJS.Timeout | null = null
  const refresh = (): void => {
    catalog.refresh().catch((error: unknown) => {
      // What has changed meanwhile would otherwise stay unseen until the next change.
      readAgain ??= setTimeout(() => {
        readAgain = null
        refresh()
      }, READ_AGAIN_MS).unref()
      if (store.outages.notice(error) !== null) return
      logger.error({ err: error }, 'the record cannot be read; the last good state is served')
    })
  }
  const signals = openSignals(store.direct, (error) => {
    logger.warn(
      `Changes made elsewhere show with a delay, and live prices wait, until the database is back: ${error.message}`,
    )
  })
  signals.listen('record', refresh)
  let shownDay = dayOfTime(clock.now())
  const newDay = setInterval(() => {
    const today = dayOfTime(clock.now())
    if (today === shownDay) return
    shownDay = today
    imports.judge().catch((error: unknown) => {
      logger.error({ err: error }, 'judging at the start of a day failed')
    })
    refresh()
  }, NEW_DAY_CHECK_MS)

  const sources = priceSources(config.prices, clock)
  let prices: Prices | null = null
  const state = statusService({
    db,
    clock,
    catalog,
    live,
    ...sources,
    isLeader: () => (config.prices.on ? (prices?.isLeader() ?? false) : null),
  })
  const payments = await store.whenThere(() =>
    openPayments({
      wallet,
      identity: walletIdentity(config.payments),
      settings: settingWarnings(config.payments),
      mailer: mailerOf(config.payments),
      noticeSatsADay: config.payments.noticeSatsADay,
      origin: config.origin,
      isPublic: config.isPublic,
      limits: { minSats: config.payments.minSats },
      db,
      clock,
      log: logger,
      catalog,
      signals,
    }),
  )
  const nostr = openNostr({ settings: config.nostr, db, clock, log: logger, catalog })
  const posts = openPosts({
    sources: postSources(config.posts),
    assistant: assistantOf(config.assistant, clock),
    db,
    pool: store.database.pool,
    clock,
    log: logger,
    catalog,
    signals,
  })
  const admin = openAdmin({
    db,
    clock,
    catalog,
    origin: config.origin,
    log: logger,
    secrets,
    outages: store.outages,
    needsSecondFactor: config.admin.needsSecondFactor,
    metricsToken: config.admin.metricsToken,
  })
  const social = openSocial({
    x: xAccountOf(config.publish, clock),
    nostr: nostr.publisher,
    charts: nostr.pictures,
    review: admin.review,
    origin: config.origin,
    db,
    clock,
    log: logger,
    catalog,
  })
  const app = await buildApp({
    config,
    // Fastify tells where it listens in a line of its own; we say it in a sentence.
    logger: logger.child({}, { level: config.logLevel === 'info' ? 'warn' : config.logLevel }),
    db,
    clock,
    outages: store.outages,
    catalog,
    live,
    state,
    payments,
    admin,
    posts,
    nostr,
    social,
    site,
    adminSite: builtAdminSite(),
    isOpen: () => open,
  })
  let others: Server[] = []
  const grace = closeWithGrace(
    { delay: config.drainMs + STOP_WITHIN_MS, logger: false },
    async ({ err, signal, manual }) => {
      open = false
      if (err) logger.error({ err }, 'stopping after a failure')
      else if (signal ?? manual) say('Stopping …')
      // A process that has lost its footing answers nobody better by going on.
      await leave(
        app,
        signal && config.drainMs > 0
          ? { others, drained: pause(config.drainMs) }
          : { others, kept: () => Promise.resolve() },
      )
      clearInterval(newDay)
      await prices?.stop()
      await payments.stop()
      await posts.stop()
      await social.stop()
      await nostr.stop()
      await signals.stop()
      await store.close()
    },
  )
  lost = () => grace.close()
  try {
    others = await listen(app, config)
  } catch (error) {
    grace.uninstall()
    clearInterval(newDay)
    await app.close()
    await signals.stop()
    await store.close()
    throw listenFailure(error, config)
  }
  payments.start()
  posts.start()
  social.start()
  nostr.start()
  if (config.prices.on) {
    prices = startPrices({
      sources,
      db,
      pool: store.database.pool,
      signals,
      clock,
      log: logger,
      live,
    })
  }
  say(`Proof of Price is open at ${addressOf(config, portOf(app.server.address()))}`)
  if (!canSignIn) say('Nobody can sign in at /admin yet: npm run cli -- admin create <name>')
}

function portOf(address: ReturnType<Server['address']>): number | undefined {
  return address !== null && typeof address === 'object' ? address.port : undefined
}

function addressOf(config: Config, port: number | undefined): string {
  return config.port === 0 ? `http://localhost:${String(port ?? 0)}` : config.origin
}

function listenFailure(error: unknown, { port, host }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') {
    return new Error(`Port ${String(port)} is taken by another program. Set PORT to another one.`)
  }
  if (code === 'EACCES')
    return new Error(`Port ${String(port)} may not be used by this user. Set PORT.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`HOST ${host} is no address of this machine.`)
  }
  return error
}

main().catch((error: unknown) => {
  process.stderr.write(`The site cannot start: ${sentenceOf(error)}\n`)
  if (process.env['LOG_LEVEL'] === 'debug')
    process.stderr.write(`${String(error instanceof Error ? error.stack : '')}\n`)
  // What has been begun may hold the process: connections, timers.
  process.exit(1)
})
