import { keepSessions } from './accounts.ts'
import { startBuiltSite } from './built-site.ts'
import { startDatabases } from './databases.ts'

/**
 * Starts the two sites that journeys share, on copies of one computed record: one for visitors, whose record nobody
 * changes, at `SITE_URL`, and one for administrators at `ADMIN_SITE_URL`. If `SITE_URL` is set already, that site is used.
 *
 * @returns what stops them
 */
async function startSites(): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one()
  }
  try {
    const databases = await startDatabases(async (url, isComputed) => {
      const site = await startBuiltSite({ DATABASE_URL: url })
      try {
        await Promise.all([keepSessions(site.url), isComputed()])
      } finally {
        await site.stop()
      }
    })
    stops.push(databases)
    for (const [name, env] of [
      ['SITE_URL', {}],
      ['ADMIN_SITE_URL', { LIGHTNING_WALLET: 'off' }],
    ] as const) {
      if (process.env[name] !== undefined) continue
      const site = await startBuiltSite(env)
      stops.push(site.stop)
      process.env[name] = site.url
    }
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

// oxlint-disable-next-line import/no-default-export -- Playwright asks for one
export default startSites
