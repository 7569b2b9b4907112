import { z } from 'zod'
import { LONGEST_USERNAME } from '#contracts/accounts.ts'
import { isPasswordHash } from '#server/kit/passwords.ts'
import { matching } from './fields.ts'

export type AdminSettings = z.output<typeof AdminEnvironment>

export const USERNAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u

/** The first administrator and access to the metrics. Hash, token and key are secrets: never log them. */
export const AdminEnvironment = z
  .object({
    ADMIN_USERNAME: matching(USERNAME).max(LONGEST_USERNAME).optional(),
    ADMIN_PASSWORD_HASH: z.string().refine(isPasswordHash).optional(),
    METRICS_TOKEN: matching(/^[\x21-\x7e]{16,400}$/).optional(),
    SECRETS_KEY: matching(/^[\da-f]{64}$/i).optional(),
  })
  .transform((env, context) => {
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD_HASH: passwordHash } = env
    const first = username && passwordHash ? { username, passwordHash } : null
    if (!first && (username ?? passwordHash) !== undefined) {
      const missing = username ? 'ADMIN_PASSWORD_HASH' : 'ADMIN_USERNAME'
      context.addIssue({ code: 'custom', path: [missing], message: missing })
    }
    return {
      first,
      metricsToken: env.METRICS_TOKEN ?? null,
      /** Encryption key of second factors, 64 hex digits; null for a file of the data folder. */
      secretsKey: env.SECRETS_KEY ?? null,
    }
  })

export const ADMIN_HELP: Readonly<Record<string, string>> = {
  ADMIN_USERNAME:
    'must be a user name of letters, digits and . _ @ - (at most 64), and goes together with ADMIN_PASSWORD_HASH',
  ADMIN_PASSWORD_HASH:
    'must be an argon2id hash as `npm run cli -- admin hash` prints it, and goes together with ADMIN_USERNAME',
  SECRETS_KEY: 'must be 64 hexadecimal digits, as `openssl rand -hex 32` prints them',
  METRICS_TOKEN: 'must have 16 to 400 characters without spaces',
}
