import { LONGEST_USERNAME } from '#contracts/accounts.ts'
import { z } from 'zod'
import { isPasswordHash } from '#server/kit/passwords.ts'

/** The first administrator and access to the metrics. Hash, token and key are secrets: never log them. */
export type AdminSettings = {
  readonly first: { readonly username: string; readonly passwordHash: string } | null
  readonly metricsToken: string | null
  /** Encryption key of second factors, 64 hex digits; null for a file of the data folder. */
  readonly secretsKey: string | null
}

export const USERNAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u

export const AdminEnvironment = z
  .object({
    ADMIN_USERNAME: z.string().max(LONGEST_USERNAME).regex(USERNAME).optional(),
    ADMIN_PASSWORD_HASH: z.string().refine(isPasswordHash).optional(),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{16,400}$/)
      .optional(),
    SECRETS_KEY: z
      .string()
      .regex(/^[\da-f]{64}$/i)
      .optional(),
  })
  .refine((env) => env.ADMIN_PASSWORD_HASH === undefined || env.ADMIN_USERNAME !== undefined, {
    path: ['ADMIN_USERNAME'],
  })
  .refine((env) => env.ADMIN_USERNAME === undefined || env.ADMIN_PASSWORD_HASH !== undefined, {
    path: ['ADMIN_PASSWORD_HASH'],
  })
  .transform((env): AdminSettings => ({
    first:
      env.ADMIN_USERNAME !== undefined && env.ADMIN_PASSWORD_HASH !== undefined
        ? { username: env.ADMIN_USERNAME, passwordHash: env.ADMIN_PASSWORD_HASH }
        : null,
    metricsToken: env.METRICS_TOKEN ?? null,
    secretsKey: env.SECRETS_KEY ?? null,
  }))

export const ADMIN_HELP: Readonly<Record<string, string>> = {
  ADMIN_USERNAME:
    'must be a user name of letters, digits and . _ @ - (at most 64), and goes together with ADMIN_PASSWORD_HASH',
  ADMIN_PASSWORD_HASH:
    'must be an argon2id hash as `npm run cli -- admin hash` prints it, and goes together with ADMIN_USERNAME',
  SECRETS_KEY: 'must be 64 hexadecimal digits, as `openssl rand -hex 32` prints them',
  METRICS_TOKEN: 'must have 16 to 400 characters without spaces',
}
