import { z } from 'zod'
import { isEncrypted } from '#server/kit/reach.ts'
import { type OAuth1Keys } from '#server/kit/oauth1.ts'

/** Accounts on X and Bluesky; null if not configured. Keys are secrets: never log them. */
export type PublishSettings = {
  readonly x: { readonly url: URL; readonly keys: OAuth1Keys } | null
  readonly bluesky: BlueskySettings | null
}

/** @property password a revocable app password */
export type BlueskySettings = {
  readonly url: URL
  readonly handle: string
  readonly password: string
}

const key = z.string().regex(/^[\w-]{5,200}$/)

const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.canParse(url) && isEncrypted(new URL(url)))

const Environment = z.object({
  X_API_KEY: key.optional(),
  X_API_SECRET: key.optional(),
  X_ACCESS_TOKEN: key.optional(),
  X_ACCESS_SECRET: key.optional(),
  X_API_URL: address.default('https://api.x.com'),
  BLUESKY_HANDLE: z
    .string()
    .max(253)
    .regex(/^@?(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*$/i)
    .transform((handle) => handle.replace('@', '').toLowerCase())
    .optional(),
  BLUESKY_APP_PASSWORD: z
    .string()
    .regex(/^[a-z\d]{4}(?:-[a-z\d]{4}){3}$/i)
    .optional(),
  BLUESKY_SERVICE: address.default('https://bsky.social'),
})

const KEYS = ['X_API_KEY', 'X_API_SECRET', 'X_ACCESS_TOKEN', 'X_ACCESS_SECRET'] as const
const BLUESKY_KEYS = ['BLUESKY_HANDLE', 'BLUESKY_APP_PASSWORD'] as const
const KEY_HELP =
  'must be a key from the X developer console, on one line; all four of X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET are needed'

export const PUBLISH_HELP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KEYS.map((name) => [name, KEY_HELP])),
  X_API_URL: 'must be an https address; http is taken for this machine only',
  BLUESKY_HANDLE:
    'must be the name of the account on Bluesky, such as example.bsky.social; BLUESKY_APP_PASSWORD is needed with it',
  BLUESKY_APP_PASSWORD:
    'must be an app password as Bluesky makes it under Settings, Privacy and security (four times four characters), not the password of the account; BLUESKY_HANDLE is needed with it',
  BLUESKY_SERVICE: 'must be an https address; http is taken for this machine only',
}

export const PublishEnvironment = Environment.superRefine((env, context) => {
  for (const names of [KEYS, BLUESKY_KEYS]) {
    const missing = names.filter((name) => env[name] === undefined)
    if (missing.length === names.length) continue
    for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: name })
  }
})

export function publishSettings(env: z.infer<typeof Environment>): PublishSettings {
  return { x: xSettings(env), bluesky: blueskySettings(env) }
}

function blueskySettings(env: z.infer<typeof Environment>): BlueskySettings | null {
  const { BLUESKY_HANDLE: handle, BLUESKY_APP_PASSWORD: password, BLUESKY_SERVICE: url } = env
  return handle && password ? { url: new URL(url), handle, password } : null
}

function xSettings(env: z.infer<typeof Environment>): PublishSettings['x'] {
  const { X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET } = env
  if (!X_API_KEY || !X_API_SECRET || !X_ACCESS_TOKEN || !X_ACCESS_SECRET) return null
  return {
    url: new URL(env.X_API_URL),
    keys: {
      key: X_API_KEY,
      secret: X_API_SECRET,
      token: X_ACCESS_TOKEN,
      tokenSecret: X_ACCESS_SECRET,
    },
  }
}

/** Sources of posts; null disables one. */
export type PostSettings = {
  readonly x: {
    readonly url: URL
    /** Secret; never log it. Null disables the X API. */
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

/** Environment variables of sources of posts. */
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
  return url.protocol.startsWith('http') && isEncrypted(url)
}
