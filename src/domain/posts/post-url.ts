import { dayOfTime, type Day } from '#domain/day.ts'

/** A post on X, identified by its id. */
export type PostAddress = {
  /** Up to 19 digits. */
  readonly id: string
  /** Canonical address, including the account if it is named. */
  readonly url: string
  /** The account in the address, which may be wrong: X only uses the id. */
  readonly handle: string | null
}

/** The extractor's messages for an address it cannot use (administrator-tools.md §5). */
export const POST_URL_MESSAGES = {
  missing: 'Please enter a tweet URL',
  wrong: 'Please enter a valid Twitter/X.com URL',
} as const

/** X and mirrors that people link to for working previews. */
const HOSTS: ReadonlySet<string> = new Set([
  ...['x.com', 'twitter.com'].flatMap((host) => [
    host,
    `www.${host}`,
    `mobile.${host}`,
    `m.${host}`,
  ]),
  'fxtwitter.com',
  'vxtwitter.com',
  'fixupx.com',
  'fixvx.com',
  'nitter.net',
  'xcancel.com',
])
const ADDRESS = /^(?:https?:\/\/)?([a-z0-9.-]+)\/([^?#\s\\]*)(?:[?#][^\s\\]*)?$/i
const PATH =
  /^(?:i\/web\/status|i\/status|(\w{1,20})\/status(?:es)?)\/([1-9]\d{0,18})(?:\/(?:photo|video)\/\d{1,2}|\/(?:analytics|likes|retweets|quotes|history))?\/?$/i
const HIGHEST_ID = 9_223_372_036_854_775_807n
const LONGEST = 2_000

/**
 * Reads the address of a post in any form (protocols.md §4). Hosts are compared exactly, so `x.com.example.org` and
 * `evil-x.com` do not match.
 *
 * @returns null if it is not the address of a post
 */
export function readPostUrl(text: string): PostAddress | null {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return null
  const [, host = '', path = ''] = ADDRESS.exec(trimmed) ?? []
  if (!HOSTS.has(host.toLowerCase())) return null
  const [, handle, id = ''] = PATH.exec(path) ?? []
  if (id === '' || BigInt(id) > HIGHEST_ID) return null
  const named = handle === undefined ? null : `@${handle}`
  return { id, url: postUrl(id, named), handle: named }
}

/** Checks the address of a post; null if it is valid. */
export function postUrlFault(text: string): string | null {
  if (text.trim() === '') return POST_URL_MESSAGES.missing
  return readPostUrl(text) === null ? POST_URL_MESSAGES.wrong : null
}

/** The address of a post; X only needs the id, the handle tells readers whose post it is. */
export function postUrl(id: string, handle: string | null = null): string {
  const account = /^@\w{1,20}$/.test(handle ?? '') ? (handle ?? '').slice(1) : 'i'
  return `https://x.com/${account}/status/${id}`
}

const FIRST_TIMED_ID = 29_700_859_247n
const EPOCH_MS = 1_288_834_974_657n

/**
 * The time of a post from its id, in milliseconds since 1970.
 *
 * @returns null for posts before November 2010, whose ids contain no time
 */
export function postTime(id: string): number | null {
  if (!/^\d{1,19}$/.test(id) || BigInt(id) < FIRST_TIMED_ID) return null
  return Number((BigInt(id) >> 22n) + EPOCH_MS)
}

/** The UTC day of the post at an address; null if it is not a post, or its id contains no time. */
export function postDay(url: string): Day | null {
  const address = readPostUrl(url)
  const ms = address === null ? null : postTime(address.id)
  return ms === null ? null : dayOfTime(ms)
}

/**
 * Possible addresses in a pasted list, in order: texts with a slash, or if there are none, each line with a letter or a
 * digit.
 *
 * @param most maximum number returned
 */
export function addressesIn(text: string, most: number): readonly string[] {
  const words = text.split(/[\s,;<>"'()[\]{}|]+/).filter((word) => word.includes('/'))
  const found = words.length > 0 ? words : text.split('\n').map((line) => line.trim())
  return found.filter((one) => /[\p{L}\p{N}]/u.test(one)).slice(0, most)
}

/** The states of a link in the reading queue (administrator-tools.md §4). */
export const QUEUE_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
export type QueueStatus = (typeof QUEUE_STATUSES)[number]

/** Attempts after which a temporary error counts as permanent. */
export const MOST_TRIES = 4
/** Maximum number of links taken from a pasted list. */
export const MOST_LINKS = 500

/** The step shown for an item that has been read. */
export const READ_STEPS = { found: 'Read', none: 'Read: no prediction' } as const
