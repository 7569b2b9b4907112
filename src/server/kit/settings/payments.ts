import { NETWORKS, type Network } from '#domain/money/bolt11.ts'
import { MAX_SATS, MIN_SATS } from '#domain/money/invoice.ts'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isPublicAddress } from '#server/kit/reach.ts'

/** Wallets that need an address and a key, and nothing else. */
const KEYED = ['lnbits', 'lnd', 'cln', 'phoenixd'] as const
export type KeyedWallet = (typeof KEYED)[number]
const WALLETS = ['off', 'demo', ...KEYED, 'nwc', 'address', 'btcpay'] as const
type WalletKind = (typeof WALLETS)[number]

/** Which wallet receives, and how submitters are notified. Keys are secrets: never log them. */
export type PaymentSettings = {
  readonly wallet: WalletSettings
  readonly minSats: number
  readonly mail: MailSettings | null
  /** Limit of Lightning notices in 24 hours, sats; 0 sends none. */
  readonly noticeSatsADay: number
  /** The site's own Lightning address, before the @; null for none. */
  readonly lightningName: string | null
}

type WalletSettings =
  | { readonly kind: 'off' | 'demo' }
  | {
      readonly kind: KeyedWallet
      readonly network: Network
      readonly url: URL
      readonly key: string
      /** A certificate to trust, PEM; null trusts the usual authorities. */
      readonly certificateFile: string | null
    }
  | { readonly kind: 'nwc'; readonly network: Network; readonly uri: string }
  | { readonly kind: 'address'; readonly network: Network; readonly address: string }
  | {
      readonly kind: 'btcpay'
      readonly network: Network
      readonly url: URL
      readonly key: string
      readonly store: string
      readonly certificateFile: string | null
    }

type MailSettings = {
  /** smtp:// or smtps://, with user and password if required. */
  readonly url: string
  readonly from: string
}

const secret = z.string().regex(/^[\x21-\x7e]{1,4000}$/)

const Environment = z.object({
  LIGHTNING_WALLET: z.enum(WALLETS).optional(),
  LIGHTNING_NETWORK: z.enum(NETWORKS).default('mainnet'),
  LIGHTNING_URL: z.url({ protocol: /^https?$/ }).optional(),
  LIGHTNING_KEY: secret.optional(),
  LIGHTNING_CERTIFICATE: z.string().optional(),
  LIGHTNING_STORE: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional(),
  LIGHTNING_NWC: z
    .string()
    .regex(/^nostr\+walletconnect:\/?\/?[0-9a-f]{64}\?.*secret=[0-9a-f]{64}/i)
    .optional(),
  LIGHTNING_ADDRESS: z
    .string()
    .regex(/^[a-z0-9._+-]+@[a-z0-9.-]+\.[a-z]{2,}$/)
    .optional(),
  LIGHTNING_NAME: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
    .optional(),
  SUBMISSION_MIN_SATS: z.coerce.number().int().min(MIN_SATS).max(MAX_SATS).default(MIN_SATS),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]{3,200}$/)
    .optional(),
  NOTICE_SATS_A_DAY: z.coerce.number().int().min(0).max(1_000_000).default(0),
})

export const PAYMENT_HELP: Readonly<Record<string, string>> = {
  LIGHTNING_WALLET: `must be one of ${WALLETS.join(', ')}`,
  LIGHTNING_NETWORK: `must be one of ${NETWORKS.join(', ')}`,
  LIGHTNING_URL: 'must be the http(s) address of the wallet, such as https://lnbits.example.org',
  LIGHTNING_KEY: 'must be the key of the wallet, on one line',
  LIGHTNING_CERTIFICATE: 'must name a certificate file that can be read',
  LIGHTNING_STORE: "must be the id of the store in BTCPay's settings",
  LIGHTNING_NWC: 'must be a connection text that starts with nostr+walletconnect://',
  LIGHTNING_ADDRESS: 'must look like name@example.org, in lower case',
  LIGHTNING_NAME:
    'must be the part of a Lightning address before the @, such as tips: lower-case letters, digits and ._-',
  SUBMISSION_MIN_SATS: `must be a whole number of sats from ${String(MIN_SATS)} to ${String(MAX_SATS)}`,
  SMTP_URL: 'must look like smtps://user:password@mail.example.org:465',
  MAIL_FROM: 'must be the sender of mails, such as Proof of Price <notices@example.org>',
  NOTICE_SATS_A_DAY: 'must be a whole number of sats, 0 to send no notices over Lightning',
}

type Name = keyof z.infer<typeof Environment>
const NEEDED: Readonly<Record<Exclude<WalletKind, KeyedWallet>, readonly Name[]>> = {
  off: [],
  demo: [],
  nwc: ['LIGHTNING_NWC'],
  address: ['LIGHTNING_ADDRESS'],
  btcpay: ['LIGHTNING_URL', 'LIGHTNING_KEY', 'LIGHTNING_STORE'],
}

function isKeyed(kind: WalletKind): kind is KeyedWallet {
  return KEYED.some((one) => one === kind)
}

export const PaymentEnvironment = Environment.superRefine((env, context) => {
  const kind = env.LIGHTNING_WALLET ?? 'off'
  const needed = isKeyed(kind) ? (['LIGHTNING_URL', 'LIGHTNING_KEY'] as const) : NEEDED[kind]
  for (const name of needed) {
    if (env[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: name })
  }
  if (env.SMTP_URL !== undefined && env.MAIL_FROM === undefined) {
    context.addIssue({ code: 'custom', path: ['MAIL_FROM'], message: 'MAIL_FROM' })
  }
})

/**
 * Whether the wallet can make invoices for a Lightning address of this site; with an external Lightning
 * address, its service decides.
 */
export function takesAddress({ wallet }: Pick<PaymentSettings, 'wallet'>): boolean {
  return wallet.kind !== 'off' && wallet.kind !== 'address'
}

/** Names usually in the local network, and `.onion`, which is encrypted anyway. */
const OWN_NAMES = /^[^.]+$|\.(?:local|localhost|internal|lan|home\.arpa|onion)$/

/** Whether the wallet's key is sent unencrypted to another network. */
export function sendsKeyOpenly({ wallet }: Pick<PaymentSettings, 'wallet'>): boolean {
  if (!('url' in wallet) || wallet.url.protocol !== 'http:') return false
  const host = wallet.url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? !OWN_NAMES.test(host) : isPublicAddress(host)
}

/** @param isPublic a public site without a wallet accepts no submissions; others use the demonstration */
export function paymentSettings(
  env: z.infer<typeof Environment>,
  isPublic: boolean,
): PaymentSettings {
  return {
    wallet: walletSettings(env, env.LIGHTNING_WALLET ?? (isPublic ? 'off' : 'demo')),
    minSats: env.SUBMISSION_MIN_SATS,
    mail: env.SMTP_URL && env.MAIL_FROM ? { url: env.SMTP_URL, from: env.MAIL_FROM } : null,
    noticeSatsADay: env.NOTICE_SATS_A_DAY,
    lightningName: env.LIGHTNING_NAME ?? null,
  }
}

function walletSettings(env: z.infer<typeof Environment>, kind: WalletKind): WalletSettings {
  const network = env.LIGHTNING_NETWORK
  const required = (text: string | undefined): string => {
    if (text === undefined) throw new Error(`${kind} is not set up`)
    return text
  }
  const remote = () => ({
    network,
    url: new URL(required(env.LIGHTNING_URL)),
    key: required(env.LIGHTNING_KEY),
    certificateFile: env.LIGHTNING_CERTIFICATE ?? null,
  })
  if (isKeyed(kind)) return { kind, ...remote() }
  switch (kind) {
    case 'off':
    case 'demo':
      return { kind }
    case 'btcpay':
      return { kind, ...remote(), store: required(env.LIGHTNING_STORE) }
    case 'nwc':
      return { kind, network, uri: required(env.LIGHTNING_NWC) }
    case 'address':
      return { kind, network, address: required(env.LIGHTNING_ADDRESS) }
  }
}
