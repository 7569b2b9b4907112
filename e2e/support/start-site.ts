import { startBuiltSite } from './built-site.ts'
import { startDatabases } from './databases.ts'

/**
 * Starts the site that the tests share, on its built-in database, and puts its address into `SITE_URL`. If `SITE_URL` is
 * set already, that site is used. Tests that change the record have separate sites.
 *
 * @returns what stops it
 */
async function startSite(): Promise<() => Promise<void>> {
  const stopDatabases = await startDatabases(async (url, isComputed) => {
    const site = await startBuiltSite({ DATABASE_URL: url })
    try {
      await isComputed()
    } finally {
      await site.stop()
    }
  })
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
