import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, isAbsolute, join } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { SOURCE_CHECKS } from '#contracts/operations.ts'
import { type Contacts, type Operator } from '#contracts/page.ts'
import { isThisMachine } from '#server/kit/reach.ts'
import { fileText } from '#server/kit/text.ts'
import { ADMIN_HELP, AdminEnvironment } from './admins.ts'
import { ASSISTANT_HELP, AssistantEnvironment } from './assistant.ts'
import { matching } from './fields.ts'
import { POST_HELP, PostEnvironment, PUBLISH_HELP, PublishEnvironment } from './networks.ts'
import { NOSTR_HELP, NostrEnvironment, PROOF_HELP, ProofEnvironment } from './nostr.ts'
import { PAYMENT_HELP, PaymentEnvironment, takesAddress, type PaymentSettings } from './payments.ts'
import { PRICE_HELP, PriceEnvironment } from './prices.ts'

const ROLES = ['web', 'worker', 'both'] as const
export type Role = (typeof ROLES)[number]

/** All settings of the server; `.env.example` describes their defaults. */
export type Config = Readonly<ReturnType<typeof readConfig>>

/** An invalid setting; the message says how to fix it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** A single line of public text. */
const line = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u)

const Environment = z.object({
  PORT: matching(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65_535)
    .default(3001),
  HOST: matching(/^[\w.:-]+$/).default('localhost'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => URL.canParse(url) && new URL(url).pathname === '/' && !/[?#]/.test(url))
    .optional(),
  SOCIAL_PROFILE_URL: z.url({ protocol: /^https?$/ }).optional(),
  NOSTR_PROFILE_URL: z.url({ protocol: /^https?$/ }).optional(),
  CONTACT_EMAIL: z.email().optional(),
  OPERATOR: line(200).optional(),
  OPERATOR_HOLDINGS: line(500).optional(),
  CODE_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUST_PROXY: z.string().default('off'),
  DATA_DIR: z.string().default('var'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_READ_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  ROLE: z.enum(ROLES).default('both'),
  STARTER_DATA: z.enum(['on', 'off']).default('on'),
  WEB_PUSH: z.enum(['on', 'off']).default('on'),
  SOURCE_CHECKS: z.enum(SOURCE_CHECKS).optional(),
  DRAIN_SECONDS: matching(/^\d{1,2}$/)
    .transform(Number)
    .refine((seconds) => seconds <= 60)
    .optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** Load balancers check every few seconds. */
const PUBLIC_DRAIN_SECONDS = 5

const PROXY_HELP =
  'must be off, the number of proxies in front of the site, such as 1, or their addresses or networks separated by commas, such as 127.0.0.1, 10.0.0.0/8'

/** With `on` any visitor could forge their own address. */
const PROXY_ON_HELP =
  'must not be on if PUBLIC_URL is set, as any visitor could then forge their address: give the number of proxies in front, such as 1, or their addresses, such as 127.0.0.1'

const HELP: Readonly<Record<string, string>> = {
  PORT: 'must be a port number from 0 to 65535, such as 3001 (0 takes any free one)',
  HOST: 'must be a host name or an address to listen on, such as localhost or 0.0.0.0',
  PUBLIC_URL: 'must be the address people type, such as https://example.org, without a path',
  SOCIAL_PROFILE_URL: 'must be a web address, such as https://x.com/example',
  NOSTR_PROFILE_URL: 'must be a web address, such as https://njump.me/npub1...',
  CONTACT_EMAIL: 'must be an email address',
  OPERATOR: 'must be one line of at most 200 characters, such as Jane Doe, Zug',
  OPERATOR_HOLDINGS:
    'must be one line of at most 500 characters, such as Bitcoin and shares of MSTR; no NAKA',
  CODE_URL: 'must be a web address, such as https://github.com/example/proof-of-price',
  TRUST_PROXY: PROXY_HELP,
  DATA_DIR: 'must name a folder',
  DATABASE_URL: 'must look like postgresql://user:password@host:5432/database',
  DATABASE_DIRECT_URL:
    'must look like postgresql://user:password@host:5432/database, and goes with DATABASE_URL: the same database without the pooler',
  DATABASE_READ_URL:
    'must look like postgresql://user:password@host:5432/database, and goes with DATABASE_URL: a streaming replica of the same database',
  ROLE: 'must be web, worker or both; web and worker go with DATABASE_URL, and each needs the other',
  STARTER_DATA: 'must be on or off',
  WEB_PUSH: 'must be on or off',
  SOURCE_CHECKS: 'must be weekly or off',
  DRAIN_SECONDS: 'must be a whole number of seconds from 0 to 60',
  LOG_LEVEL: 'must be debug, info, warn, error or silent',
  ...PRICE_HELP,
  ...ASSISTANT_HELP,
  ...PAYMENT_HELP,
  ...POST_HELP,
  ...ADMIN_HELP,
  ...PUBLISH_HELP,
  ...NOSTR_HELP,
  ...PROOF_HELP,
}

const Environments = z.object({
  site: Environment,
  prices: PriceEnvironment,
  payments: PaymentEnvironment,
  admin: AdminEnvironment,
  assistant: AssistantEnvironment,
  posts: PostEnvironment,
  publish: PublishEnvironment,
  nostr: NostrEnvironment,
  proofs: ProofEnvironment,
})

/**
 * Reads the settings from the environment; empty ones count as unset.
 * @param root the project folder, to which a relative DATA_DIR refers
 * @throws ConfigError naming each invalid setting, without repeating values that may be secret
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  root: string,
) {
  const values = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const { data, error } = Environments.safeParse(
    Object.fromEntries(Object.keys(Environments.shape).map((name) => [name, values])),
  )
  if (error) {
    const names = [...new Set(error.issues.map(({ path }) => String(path[1])))]
    throw new ConfigError(names.map((name) => `${name} ${HELP[name] ?? 'is wrong'}.`).join('\n'))
  }
  const { site: env, payments, ...rest } = data
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const) {
    if (env[name] === undefined || env.DATABASE_URL !== undefined) continue
    throw new ConfigError(`${name} ${HELP[name] ?? ''}.`)
  }
  if (env.ROLE !== 'both' && env.DATABASE_URL === undefined) {
    throw new ConfigError(`ROLE ${HELP['ROLE'] ?? ''}.`)
  }
  const origin = env.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${String(env.PORT)}`
  const isPublic = env.PUBLIC_URL !== undefined && !isThisMachine(new URL(env.PUBLIC_URL))
  const wallet = payments.wallet ?? { kind: isPublic ? ('off' as const) : ('demo' as const) }
  const paid: PaymentSettings = { ...payments, wallet }
  const contacts: Contacts = {
    social: env.SOCIAL_PROFILE_URL ?? null,
    nostr: env.NOSTR_PROFILE_URL ?? null,
    email: env.CONTACT_EMAIL ?? null,
    lightning: lightningAddress(paid, origin),
  }
  /** Operator and their holdings; null if not stated. */
  const operator: Operator = {
    name: env.OPERATOR ?? null,
    holdings: env.OPERATOR_HOLDINGS ?? null,
  }
  return {
    ...rest,
    payments: paid,
    port: env.PORT,
    host: env.HOST,
    /** Public address of the site, without a trailing slash. */
    origin,
    isPublic,
    contacts,
    operator,
    /** Address of the published source code; null if not stated. */
    codeUrl: env.CODE_URL ?? null,
    trustProxy: trustProxyOf(env.TRUST_PROXY, env.PUBLIC_URL !== undefined),
    /** Folder of the built-in database; used without `databaseUrl`. */
    dataDir: isAbsolute(env.DATA_DIR) ? env.DATA_DIR : join(root, env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    /** The same database without the pooler; null if `databaseUrl` has none. */
    directUrl: env.DATABASE_DIRECT_URL ?? null,
    /** A streaming replica of it for public reads; null without one. */
    readUrl: env.DATABASE_READ_URL ?? null,
    /** `web` serves pages and streams, `worker` runs jobs, prices and publishing, `both` does all. */
    role: env.ROLE,
    /** How long requests are still served after a stop signal. */
    drainMs: (env.DRAIN_SECONDS ?? (isPublic ? PUBLIC_DRAIN_SECONDS : 0)) * 1_000,
    starterData: env.STARTER_DATA === 'on',
    /** Whether visitors can follow in their browsers by push messages. */
    webPush: env.WEB_PUSH === 'on',
    sourceChecks: env.SOURCE_CHECKS ?? (isPublic ? 'weekly' : 'off'),
    logLevel: env.LOG_LEVEL,
  }
}

/** The site's Lightning address; null if not configured, or not supported by its wallet. */
function lightningAddress(settings: PaymentSettings, origin: string): string | null {
  const { lightningName: name } = settings
  return name !== null && takesAddress(settings) ? `${name}@${new URL(origin).host}` : null
}

/** The project folder: the nearest one above this file with a package.json, for sources and bundle. */
export function projectRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder)
    if (above === folder) throw new Error('no package.json above the server')
    folder = above
  }
  return folder
}

/** Loads `.env` of the project folder; existing environment variables take precedence. */
export function loadEnvFile(root: string): void {
  const file = join(root, '.env')
  if (!existsSync(file)) return
  const values = parseEnv(fileText(readFileSync(file)))
  Object.assign(process.env, { ...values, ...process.env })
}

/** Proxies whose X-Forwarded-For is trusted: none, a number of hops, or those at these addresses. */
type TrustProxy = false | number | string[]

const MOST_HOPS = 10

function trustProxyOf(text: string, hasPublicUrl: boolean): TrustProxy | true {
  const value = text.trim().toLowerCase()
  if (value === 'off') return false
  if (value === 'on' && hasPublicUrl) throw new ConfigError(`TRUST_PROXY ${PROXY_ON_HELP}.`)
  if (value === 'on') return true
  const hops = /^\d+$/.test(value) ? Number(value) : 0
  if (hops >= 1 && hops <= MOST_HOPS) return hops
  const parts = value.split(',').map((part) => part.trim())
  if (parts.every(isNetwork)) return parts
  throw new ConfigError(`TRUST_PROXY ${PROXY_HELP}.`)
}

/** `127.0.0.1`, `10.0.0.0/8`, `fd00::/8` */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
