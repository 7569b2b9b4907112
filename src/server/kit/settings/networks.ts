import { z } from 'zod'
import { helpOf, isAddress, matching, secret, sourceAddress } from './fields.ts'

export type PublishSettings = z.output<typeof PublishEnvironment>
export type BlueskySettings = NonNullable<PublishSettings['bluesky']>

const key = matching(/^[\w-]{5,200}$/).optional()

const server = (usual: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine((url) => isAddress(url, 'http'))
    .default(usual)

const KEYS = ['X_API_KEY', 'X_API_SECRET', 'X_ACCESS_TOKEN', 'X_ACCESS_SECRET'] as const
const BLUESKY_KEYS = ['BLUESKY_HANDLE', 'BLUESKY_APP_PASSWORD'] as const
const KEY_HELP =
  'must be a key from the X developer console, on one line; all four of X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET are needed'

export const PUBLISH_HELP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KEYS.map((name) => [name, KEY_HELP])),
  X_API_URL:
    'must be an https address without user and password; http is accepted for this machine only',
  BLUESKY_HANDLE:
    'must be the name of the account on Bluesky, such as example.bsky.social; BLUESKY_APP_PASSWORD is needed with it',
  BLUESKY_APP_PASSWORD:
    'must be an app password as Bluesky makes it under Settings, Privacy and security (four times four characters), not the password of the account; BLUESKY_HANDLE is needed with it',
  BLUESKY_SERVICE:
    'must be an https address without user and password; http is accepted for this machine only',
}

/** Accounts on X and Bluesky; null if not configured. Keys are secrets: never log them. */
export const PublishEnvironment = z
  .object({
    X_API_KEY: key,
    X_API_SECRET: key,
    X_ACCESS_TOKEN: key,
    X_ACCESS_SECRET: key,
    X_API_URL: server('https://api.x.com'),
    BLUESKY_HANDLE: matching(/^@?(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*$/i)
      .max(253)
      .transform((handle) => handle.replace('@', '').toLowerCase())
      .optional(),
    BLUESKY_APP_PASSWORD: matching(/^[a-z\d]{4}(?:-[a-z\d]{4}){3}$/i).optional(),
    BLUESKY_SERVICE: server('https://bsky.social'),
  })
  .superRefine((env, context) => {
    for (const names of [KEYS, BLUESKY_KEYS]) {
      const missing = names.filter((name) => env[name] === undefined)
      if (missing.length === names.length) continue
      for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: name })
    }
  })
  .transform((env) => {
    const { X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET } = env
    const keys =
      X_API_KEY && X_API_SECRET && X_ACCESS_TOKEN && X_ACCESS_SECRET
        ? {
            key: X_API_KEY,
            secret: X_API_SECRET,
            token: X_ACCESS_TOKEN,
            tokenSecret: X_ACCESS_SECRET,
          }
        : null
    /** `password` is a revocable app password. */
    const { BLUESKY_HANDLE: handle, BLUESKY_APP_PASSWORD: password } = env
    return {
      x: keys && { url: new URL(env.X_API_URL), keys },
      bluesky: handle && password ? { url: new URL(env.BLUESKY_SERVICE), handle, password } : null,
    }
  })

const POST_URLS = {
  POSTS_X_URL: sourceAddress('https://api.x.com'),
  POSTS_SYNDICATION_URL: sourceAddress('https://cdn.syndication.twimg.com'),
  POSTS_OEMBED_URL: sourceAddress('https://publish.x.com'),
}

export type PostSettings = z.output<typeof PostEnvironment>

/** Sources of posts; null disables one. The token is a secret; null disables the X API. */
export const PostEnvironment = z
  .object({ ...POST_URLS, POSTS_X_BEARER_TOKEN: secret(1_000).nullable().default(null) })
  .transform(({ POSTS_X_URL: url, ...env }) => ({
    x: url && { url, token: env.POSTS_X_BEARER_TOKEN },
    syndication: env.POSTS_SYNDICATION_URL,
    oembed: env.POSTS_OEMBED_URL,
  }))

export const POST_HELP: Readonly<Record<string, string>> = {
  ...helpOf(POST_URLS),
  POSTS_X_BEARER_TOKEN: 'must be the bearer token of an app on X, on one line',
}
