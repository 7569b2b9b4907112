/** Cache lifetimes by kind of response; docs/operations.md has the table. The default is no caching: see `openApp`. */

/**
 * Current state of the record: pages, lists, pictures, files. A shared cache revalidates after two seconds,
 * serves stale content for three more meanwhile, and for a day while the site fails. A browser revalidates each
 * time. Together at most eight seconds, so corrections and withdrawals show within ten without purging.
 */
export const SHARED =
  'public, max-age=0, s-maxage=2, stale-while-revalidate=3, stale-if-error=86400'

/** The last price, for pages without a stream. */
export const MOVING = 'public, max-age=0, s-maxage=1'

/** Never changes: scripts and styles named by content, files of a dated snapshot. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

/** For one person, or true only at this moment. */
export const PRIVATE = 'no-store'
