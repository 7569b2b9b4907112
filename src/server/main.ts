import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { type PageAddress, type RenderPage } from '#contracts/page.ts'
import { checkStored } from '#server/composition/check-stored.ts'
import { openPorts } from '#server/composition/ports.ts'
import { openStore } from '#server/database/open.ts'
import { listenFailure } from '#server/http/listen.ts'
import { type AdminSite } from '#server/http/static-files.ts'
import { type Kit } from '#server/kit/kit.ts'
import { siteLog } from '#server/kit/log.ts'
import {
  ConfigError,
  loadEnvFile,
  projectRoot,
  readConfig,
  type Config,
} from '#server/kit/settings/config.ts'
import { openSignals } from '#server/kit/signals.ts'
import { sentenceOf } from '#server/kit/trouble.ts'
import { importService, prepareRecord } from '#server/predictions/imports.service.ts'
import { type BuiltPages } from '#server/predictions/web-pages.routes.ts'
import {
  adminOfEnvironment,
  hasAdmins,
  prepareSecondFactors,
} from './admins/second-factor.service.ts'
import { openSite } from './site.ts'

const root = projectRoot()
/** systemd's exit code for a configuration error: it does not restart the service. */
const BAD_SETTING = 78
const STOP_WITHIN_MS = 15_000
/** How long to wait for the database at the start; then the process exits, to be restarted by its supervisor. */
const WAIT_FOR_DATABASE_MS = 60_000

function settings(): Config {
  try {
    loadEnvFile(root)
    return readConfig(process.env, root)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`The site cannot start:\n${error.message}\nSee .env.example.\n`)
    return process.exit(BAD_SETTING)
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function main(): Promise<void> {
  const config = settings()
  const logger = siteLog(config.logLevel, process.stdout)
  const log = {
    info: say,
    warn: (text: string) => logger.warn(text),
    error: (text: string) => logger.error(text),
  }
  const clock = { now: () => Date.now() }
  const ports = openPorts(config, clock)
  let lost: ((failure: Error) => void) | null = null

  say('Opening the database …')
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    directUrl: config.directUrl,
    readUrl: config.readUrl,
    dataDir: config.dataDir,
    migrationsFolder: join(root, 'migrations'),
    checkStored,
    log,
    join: false,
    waitMs: WAIT_FOR_DATABASE_MS,
    onLost: (failure) => lost?.(failure),
  })
  const { database, replica, outages, whenThere } = store
  const signals = openSignals(store.direct, (error) => {
    logger.warn(
      `Changes made elsewhere show with a delay, and live prices wait, until the database is back: ${error.message}`,
    )
  })
  const close = async () => {
    await signals.stop()
    await store.close()
  }
  const read = {
    readDb: replica?.db ?? database.db,
    catchUp: replica?.catchUp ?? (() => {}),
    replica: replica?.state ?? (() => null),
  }
  const { direct } = store
  const kit: Kit = { ...database, ...read, config, clock, log: logger, outages, direct, signals }
  // Everything that needs the database before the port opens: later outages do not end the process.
  const prepare = async () => {
    const imports = importService(kit)
    await whenThere(() => prepareRecord(imports, root, config.starterData, log))
    await whenThere(() => adminOfEnvironment(kit.db, clock, config.admin.first))
    await whenThere(() => prepareSecondFactors(kit.db, ports.secrets, config, log))
    const canSignIn = await whenThere(() => hasAdmins(kit.db))
    // Replaces Fastify's log line about its addresses by a sentence.
    const level = config.logLevel === 'info' ? 'warn' : config.logLevel
    const options = {
      logger: logger.child({}, { level }),
      pages: () => builtPages(root),
      adminPages: builtAdminPages(root),
    }
    return { canSignIn, site: await whenThere(() => openSite(kit, ports, options)) }
  }
  const { canSignIn, site } = await prepare().catch(async (error: unknown) => {
    await close()
    throw error
  })
  const grace = closeWithGrace(
    { delay: config.drainMs + STOP_WITHIN_MS, logger: false },
    async ({ err, signal, manual }) => {
      if (err) logger.error({ err }, 'stopping after a failure')
      else if (signal ?? manual) say('Stopping …')
      // After a failure the state cannot be trusted, so requests are no longer served.
      const drained = signal && config.drainMs > 0 ? pause(config.drainMs) : null
      await site.stop(drained ? { drained } : { linger: () => Promise.resolve() })
      await close()
    },
  )
  lost = () => grace.close()
  try {
    await site.app.listen({ port: config.port, host: config.host })
  } catch (error) {
    grace.uninstall()
    await site.stop()
    await close()
    throw listenFailure(error, config)
  }
  site.start()
  const address = site.app.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  say(`Proof of Price is open at ${addressOf(config, port)}`)
  if (!canSignIn) say('No one can sign in at /admin yet: npm run cli -- admin create <name>')
}

function addressOf(config: Config, port: number | undefined): string {
  return config.port === 0 ? `http://localhost:${String(port ?? 0)}` : config.origin
}

main().catch((error: unknown) => {
  process.stderr.write(`The site cannot start: ${sentenceOf(error)}\n`)
  if (process.env['LOG_LEVEL'] === 'debug')
    process.stderr.write(`${String(error instanceof Error ? error.stack : '')}\n`)
  // Open connections and timers may keep the process alive.
  process.exit(error instanceof ConfigError ? BAD_SETTING : 1)
})

/** The built web app; null when the server runs from source and Vite serves the pages. */
export async function builtPages(root: string): Promise<BuiltPages | null> {
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

export function builtAdminPages(root: string): AdminSite | null {
  const folder = join(root, 'dist', 'admin')
  const page = join(folder, 'admin.html')
  if (process.env['NODE_ENV'] === 'development' || !existsSync(page)) return null
  return { folder, page: readFileSync(page, 'utf8') }
}
