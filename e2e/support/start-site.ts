import { startBuiltSite } from './built-site.ts'
import { startDatabases } from './databases.ts'

/**
 * Starts the site that the journeys share, on its built-in database, and tells its address in `SITE_URL`. A site that runs
 * already is used when `SITE_URL` names it. Journeys that change the record have sites of their own.
 *
 * @returns what stops it
 */
async function startSite(): Promise<() => Promise<void>> {
  const stopDatabases = await startDatabases()
  if (process.env['SITE_URL'] !== undefined) return stopDatabases
  try {
    const site = await startBuiltSite({ DATABASE_URL: '' })
    process.env['SITE_URL'] = site.url
    return async () => {
      await site.stop()
      await stopDatabases()
    }
  } catch (error) {
    await stopDatabases()
    throw error
  }
}

// oxlint-disable-next-line import/no-default-export -- Playwright asks for one
export default startSite
