import { z } from 'zod'
import { isEncrypted } from '#server/kit/reach.ts'
import { type OAuth1Keys } from '#server/kit/oauth1.ts'

/** The account on X; null where no keys are set up. The keys are secrets: never log them. */
export type PublishSettings = {
  readonly x: { readonly url: URL; readonly keys: OAuth1Keys } | null
}

const key = z.string().regex(/^[\w-]{5,200}$/)

const Environment = z.object({
  X_API_KEY: key.optional(),
  X_API_SECRET: key.optional(),
  X_ACCESS_TOKEN: key.optional(),
  X_ACCESS_SECRET: key.optional(),
  X_API_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => URL.canParse(url) && isEncrypted(new URL(url)))
    .default('https://api.x.com'),
})

const KEYS = ['X_API_KEY', 'X_API_SECRET', 'X_ACCESS_TOKEN', 'X_ACCESS_SECRET'] as const
const KEY_HELP =
  'must be a key from the X developer console, on one line; all four of X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN and X_ACCESS_SECRET are needed'

export const PUBLISH_HELP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KEYS.map((name) => [name, KEY_HELP])),
  X_API_URL: 'must be an https address; http is taken for this machine only',
}

export const PublishEnvironment = Environment.superRefine((env, context) => {
  const missing = KEYS.filter((name) => env[name] === undefined)
  if (missing.length === KEYS.length) return
  for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: name })
})

export function publishSettings(env: z.infer<typeof Environment>): PublishSettings {
  const { X_API_KEY, X_API_SECRET, X_ACCESS_TOKEN, X_ACCESS_SECRET } = env
  if (!X_API_KEY || !X_API_SECRET || !X_ACCESS_TOKEN || !X_ACCESS_SECRET) return { x: null }
  return {
    x: {
      url: new URL(env.X_API_URL),
      keys: {
        key: X_API_KEY,
        secret: X_API_SECRET,
        token: X_ACCESS_TOKEN,
        tokenSecret: X_ACCESS_SECRET,
      },
    },
  }
}
