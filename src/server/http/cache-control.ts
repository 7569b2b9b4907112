/**
 * How long others may keep an answer, by kind; docs/operations.md has the table. An answer that says nothing is kept by no
 * one: see `openApp`.
 */

/**
 * The record as it is now: pages, lists, pictures, files. A shared cache asks again after two seconds; it may serve what it has
 * while it asks, for three seconds, and for a day while the site fails. A browser asks each time, or shows what it has while it
 * asks. One cache and one browser add up to eight seconds: what is corrected or withdrawn is gone within ten, and nobody
 * has to purge anything.
 */
export const SHARED =
  'public, max-age=0, s-maxage=2, stale-while-revalidate=3, stale-if-error=86400'

/** The last price, for pages whose stream is not there. */
export const MOVING = 'public, max-age=0, s-maxage=1'

/** Never another one at this address: scripts and styles named by their content, files of a dated snapshot. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

/** For one person, or as of this very moment. */
export const PRIVATE = 'no-store'
