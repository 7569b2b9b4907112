import { dayOfTime, type Day } from '#domain/day.ts'

/** A post on X, by the number that names it. */
export type PostAddress = {
  /** Up to 19 digits. */
  readonly id: string
  /** The one address that we write it by. */
  readonly url: string
  /** The account that the address names; it may be anybody's, as X looks at the number alone. */
  readonly handle: string | null
}

/** What the extractor says of an address it cannot use (administrator-tools.md §5). */
export const POST_URL_MESSAGES = {
  missing: 'Please enter a tweet URL',
  wrong: 'Please enter a valid Twitter/X.com URL',
} as const

/** X itself, and the mirrors that people link to so that a preview works. */
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
 * Reads the address of a post in any of its forms (protocols.md §4). Hosts are compared letter by letter, so that
 * `x.com.example.org` and `evil-x.com` are none of them.
 *
 * @returns null when it is the address of no post
 */
export function readPostUrl(text: string): PostAddress | null {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return null
  const [, host = '', path = ''] = ADDRESS.exec(trimmed) ?? []
  if (!HOSTS.has(host.toLowerCase())) return null
  const [, handle, id = ''] = PATH.exec(path) ?? []
  if (id === '' || BigInt(id) > HIGHEST_ID) return null
  return { id, url: postUrl(id), handle: handle === undefined ? null : `@${handle}` }
}

/** What is wrong with the text as the address of a post; null when nothing is. */
export function postUrlFault(text: string): string | null {
  if (text.trim() === '') return POST_URL_MESSAGES.missing
  return readPostUrl(text) === null ? POST_URL_MESSAGES.wrong : null
}

/** The address of a post that needs no account's name. */
export function postUrl(id: string): string {
  return `https://x.com/i/status/${id}`
}

const FIRST_TIMED_ID = 29_700_859_247n
const EPOCH_MS = 1_288_834_974_657n

/**
 * When a post was made, as its number tells, in milliseconds since 1970.
 *
 * @returns null for the posts before November 2010, whose numbers were counted one by one
 */
export function postTime(id: string): number | null {
  if (!/^\d{1,19}$/.test(id) || BigInt(id) < FIRST_TIMED_ID) return null
  return Number((BigInt(id) >> 22n) + EPOCH_MS)
}

/** The UTC day on which the post at this address was made; null for an address of none, and where its number does not tell. */
export function postDay(url: string): Day | null {
  const address = readPostUrl(url)
  const ms = address === null ? null : postTime(address.id)
  return ms === null ? null : dayOfTime(ms)
}

/**
 * Texts that may be addresses out of a list that somebody pasted, in their order: all with a slash in them, as words
 * and numbers of a list are none. Where there is none, each line that says something.
 *
 * @param most no more than these
 */
export function addressesIn(text: string, most: number): readonly string[] {
  const words = text.split(/[\s,;<>"'()[\]{}|]+/).filter((word) => word.includes('/'))
  const found = words.length > 0 ? words : text.split('\n').map((line) => line.trim())
  return found.filter((one) => /[\p{L}\p{N}]/u.test(one)).slice(0, most)
}
