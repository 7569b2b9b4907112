import { proofPorts, type ProofPorts } from '#server/attestation/calendars.ts'
import { type PushClient, pushClient } from '#server/following/push.ts'
import { assistantOf } from '#server/posts/assistant/read-by-model.ts'
import { type PostSource, type PostAssistant } from '#server/posts/ports.ts'
import { type PriceSources } from '#server/prices/ports.ts'
import { priceSources } from '#server/prices/sources/price-sources.ts'
import { walletIdentity, walletOf } from '#server/payments/configured-wallet.ts'
import { type NoteInvoices, type Wallet } from '#server/payments/ports.ts'
import { noteInvoices } from '#server/payments/wallets/lnurl-pay.ts'
import { webPages, type SourcePages } from '#server/sources/web-pages.ts'
import { smtpMailer, type Mailer } from '#server/submissions/mail.ts'
import { blueskyAccountOf } from '#server/publishing/bluesky.ts'
import { nostrRelays, type NostrRelays } from '#server/publishing/nostr/relays.ts'
import { sharpReader } from '#server/publishing/pictures/pictures.service.ts'
import { sharpPainter, type Painter } from '#server/publishing/pictures/drawn-pictures.ts'
import {
  type AccountParts,
  type NostrSigner,
  type PictureReader,
} from '#server/publishing/ports.ts'
import { xAccountOf } from '#server/publishing/x.ts'
import { passwordHasher, type Passwords } from '#server/kit/passwords.ts'
import { type Clock } from '#server/kit/time.ts'
import { secretsOf, type Secrets, secretsKey } from '#server/kit/secrets.ts'
import { type Config } from '#server/kit/settings/config.ts'
import { oembedPosts } from '#server/posts/sources/oembed.ts'
import { syndicationPosts } from '#server/posts/sources/syndication.ts'
import { xPosts } from '#server/posts/sources/x.ts'
import { type PostSettings } from '#server/kit/settings/networks.ts'

/** Everything outside the process except the database; tests replace parts of it. */
export type Ports = {
  readonly prices: PriceSources
  /** Null if not configured: submitting is then disabled. */
  readonly wallet: Wallet | null
  /** See `walletIdentity`. */
  readonly walletIdentity: string | null
  /** Null if not configured. */
  readonly mailer: Mailer | null
  /** Sends push messages to browsers; null if disabled. */
  readonly pushClient: PushClient | null
  /** Requests invoices from submitters who receive notices with a payment. */
  readonly invoices: NoteInvoices
  /** Most trusted first. */
  readonly posts: readonly PostSource[]
  readonly sourcePages: SourcePages
  /** The model used beside the parser. */
  readonly assistant: PostAssistant | null
  /** The account on X; null if not configured. */
  readonly x: AccountParts | null
  /** The account on Bluesky; null if not configured. */
  readonly bluesky: AccountParts | null
  readonly relaysOf: (signer: NostrSigner) => NostrRelays
  /** Calendars that timestamp the signed record. */
  readonly proofs: ProofPorts
  readonly painter: Painter
  readonly pictureReader: PictureReader
  readonly passwords: Passwords
  readonly secrets: Secrets
}

/** Adapters chosen by the settings, not connected yet. @throws ConfigError if the wallet's certificate cannot be read */
export function openPorts(config: Config, clock: Clock): Ports {
  const { payments, admin, dataDir } = config
  return {
    prices: priceSources(config.prices, clock),
    wallet: walletOf(payments, { dataDir, clock }),
    walletIdentity: walletIdentity(payments),
    mailer: payments.mail && smtpMailer(payments.mail),
    pushClient: config.webPush ? pushClient() : null,
    invoices: noteInvoices(),
    posts: postSources(config.posts),
    sourcePages: webPages(),
    assistant: assistantOf(config.assistant, clock),
    x: xAccountOf(config.publish, clock),
    bluesky: blueskyAccountOf(config.publish),
    relaysOf: (signer) => nostrRelays(config.nostr.relays, { signer, clock }),
    proofs: proofPorts(config.proofs),
    painter: sharpPainter(),
    pictureReader: sharpReader(),
    passwords: passwordHasher(),
    secrets: secretsOf(() => secretsKey(admin.secretsKey, dataDir)),
  }
}

/** The configured sources, most trusted first. */
export function postSources({ x, syndication, oembed }: PostSettings): readonly PostSource[] {
  return [
    ...(x?.token ? [xPosts({ url: x.url, token: x.token })] : []),
    ...(syndication ? [syndicationPosts(syndication)] : []),
    ...(oembed ? [oembedPosts(oembed)] : []),
  ]
}
