import { isIP } from 'node:net'
import { z } from 'zod'
import { NETWORKS } from '#domain/money/bolt11.ts'
import { MAX_SATS, MIN_SATS } from '#domain/money/invoice.ts'
import { isPublicAddress } from '#server/kit/reach.ts'
import { matching, secret } from './fields.ts'

/** Wallets that need an address and a key, and nothing else. */
const KEYED = ['lnbits', 'lnd', 'cln', 'phoenixd'] as const
export type KeyedWallet = (typeof KEYED)[number]
const WALLETS = ['off', 'demo', ...KEYED, 'nwc', 'address', 'btcpay'] as const

type Read = z.output<typeof PaymentEnvironment>
export type PaymentSettings = Omit<Read, 'wallet'> & {
  readonly wallet: NonNullable<Read['wallet']>
}

const Environment = z.object({
  LIGHTNING_WALLET: z.enum(WALLETS).optional(),
  LIGHTNING_NETWORK: z.enum(NETWORKS).default('mainnet'),
  LIGHTNING_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url))
    .optional(),
  LIGHTNING_KEY: secret(4_000).optional(),
  LIGHTNING_CERTIFICATE: z.string().optional(),
  LIGHTNING_STORE: matching(/^[\w-]{1,100}$/).optional(),
  LIGHTNING_NWC: matching(
    /^nostr\+walletconnect:\/?\/?[0-9a-f]{64}\?.*secret=[0-9a-f]{64}/i,
  ).optional(),
  LIGHTNING_ADDRESS: matching(/^[a-z0-9._+-]+@[a-z0-9.-]+\.[a-z]{2,}$/).optional(),
  LIGHTNING_NAME: matching(/^[a-z0-9][a-z0-9._-]{0,63}$/).optional(),
  SUBMISSION_MIN_SATS: z.coerce.number().int().min(MIN_SATS).max(MAX_SATS).default(MIN_SATS),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: matching(/^[^\r\n]{3,200}$/).optional(),
  NOTICE_SATS_A_DAY: z.coerce.number().int().min(0).max(1_000_000).default(0),
})

export const PAYMENT_HELP: Readonly<Record<string, string>> = {
  LIGHTNING_WALLET: `must be one of ${WALLETS.join(', ')}`,
  LIGHTNING_NETWORK: `must be one of ${NETWORKS.join(', ')}`,
  LIGHTNING_URL: 'must be the http(s) address of the wallet, such as https://lnbits.example.org',
  LIGHTNING_KEY: 'must be the key of the wallet, on one line',
  LIGHTNING_CERTIFICATE: 'must name a certificate file that can be read',
  LIGHTNING_STORE: "must be the id of the store in BTCPay's settings",
  LIGHTNING_NWC: 'must be a connection string that starts with nostr+walletconnect://',
  LIGHTNING_ADDRESS: 'must look like name@example.org, in lower case',
  LIGHTNING_NAME:
    'must be the part of a Lightning address before the @, such as tips: lower-case letters, digits and ._-',
  SUBMISSION_MIN_SATS: `must be a whole number of sats from ${String(MIN_SATS)} to ${String(MAX_SATS)}`,
  SMTP_URL: 'must look like smtps://user:password@mail.example.org:465',
  MAIL_FROM: 'must be the sender of mails, such as Proof of Price <notices@example.org>',
  NOTICE_SATS_A_DAY: 'must be a whole number of sats, 0 to send no notices over Lightning',
}

/**
 * Which wallet receives, and how submitters are notified. Keys are secrets: never log them. A public site without a
 * wallet accepts no submissions; others use the demonstration.
 */
export const PaymentEnvironment = Environment.transform((env, context) => {
  const missing = (name: keyof typeof env): never => {
    context.addIssue({ code: 'custom', path: [name], message: name })
    return z.NEVER
  }
  const network = env.LIGHTNING_NETWORK
  const remote = () => ({
    network,
    url: env.LIGHTNING_URL ?? missing('LIGHTNING_URL'),
    key: env.LIGHTNING_KEY ?? missing('LIGHTNING_KEY'),
    /** A certificate to trust, PEM; null trusts the usual authorities. */
    certificateFile: env.LIGHTNING_CERTIFICATE ?? null,
  })
  const walletOf = (kind: NonNullable<typeof env.LIGHTNING_WALLET>) => {
    switch (kind) {
      case 'off':
      case 'demo':
        return { kind }
      case 'btcpay':
        return { kind, ...remote(), store: env.LIGHTNING_STORE ?? missing('LIGHTNING_STORE') }
      case 'nwc':
        return { kind, network, uri: env.LIGHTNING_NWC ?? missing('LIGHTNING_NWC') }
      case 'address':
        return { kind, network, address: env.LIGHTNING_ADDRESS ?? missing('LIGHTNING_ADDRESS') }
      case 'lnbits':
      case 'lnd':
      case 'cln':
      case 'phoenixd':
        return { kind, ...remote() }
    }
  }
  const { SMTP_URL: url } = env
  return {
    wallet: env.LIGHTNING_WALLET ? walletOf(env.LIGHTNING_WALLET) : null,
    minSats: env.SUBMISSION_MIN_SATS,
    /** smtp:// or smtps://, with user and password if required. */
    mail: url === undefined ? null : { url, from: env.MAIL_FROM ?? missing('MAIL_FROM') },
    /** Limit of Lightning notices in 24 hours, sats; 0 sends none. */
    noticeSatsADay: env.NOTICE_SATS_A_DAY,
    /** The site's own Lightning address, before the @; null for none. */
    lightningName: env.LIGHTNING_NAME ?? null,
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
