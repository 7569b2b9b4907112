import { startBuiltSite } from './built-site.ts'

/**
 * Starts the site that the journeys share and tells its address in `SITE_URL`. A site that runs already is used when
 * `SITE_URL` names it.
 *
 * @returns what stops it
 */
async function startSite(): Promise<() => Promise<void>> {
  if (process.env['SITE_URL'] !== undefined) return async () => undefined
  const site = await startBuiltSite({})
  process.env['SITE_URL'] = site.url
  return site.stop
}

// oxlint-disable-next-line import/no-default-export -- Playwright asks for one
export default startSite
