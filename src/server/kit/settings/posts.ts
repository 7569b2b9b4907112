import { z } from 'zod'

/** Where posts are read; null leaves a source out. */
export type PostSettings = {
  readonly x: {
    readonly url: URL
    /** A secret; never log it. Null: X itself is not asked. */
    readonly token: string | null
  } | null
  readonly syndication: URL | null
  readonly oembed: URL | null
}

const URLS = {
  POSTS_X_URL: 'https://api.x.com',
  POSTS_SYNDICATION_URL: 'https://cdn.syndication.twimg.com',
  POSTS_OEMBED_URL: 'https://publish.x.com',
} as const

function Address(usual: string) {
  return z
    .string()
    .default(usual)
    .refine((text) => text === 'off' || isAddress(text))
    .transform((text) => (text === 'off' ? null : new URL(text)))
}

/** The part of the environment that says where posts are read. */
export const PostEnvironment = z
  .object({
    POSTS_X_URL: Address(URLS.POSTS_X_URL),
    POSTS_X_BEARER_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{1,1000}$/)
      .nullable()
      .default(null),
    POSTS_SYNDICATION_URL: Address(URLS.POSTS_SYNDICATION_URL),
    POSTS_OEMBED_URL: Address(URLS.POSTS_OEMBED_URL),
  })
  .transform((env): PostSettings => ({
    x: env.POSTS_X_URL === null ? null : { url: env.POSTS_X_URL, token: env.POSTS_X_BEARER_TOKEN },
    syndication: env.POSTS_SYNDICATION_URL,
    oembed: env.POSTS_OEMBED_URL,
  }))

/** What each of these settings must be. */
export const POST_HELP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(URLS).map(([name, usual]) => [
      name,
      `must be an address such as ${usual} (unencrypted on this machine only), or off`,
    ]),
  ),
  POSTS_X_BEARER_TOKEN: 'must be the bearer token of an app on X, on one line',
}

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  const isLoopback = url.hostname === 'localhost' || /^(127\.|\[::1\]$)/.test(url.hostname)
  return isLoopback && url.protocol === 'http:'
}
