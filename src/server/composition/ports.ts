import { proofPorts, type ProofPorts } from '#server/attestation/calendars.ts'
import { type PushClient, pushClient } from '#server/following/push.ts'
import { type PostAssistant } from '#server/posts/assistant/ports.ts'
import { assistantOf } from '#server/posts/assistant/read-by-model.ts'
import { postSources } from '#server/posts/configured-sources.ts'
import { type PostSource } from '#server/posts/ports.ts'
import { priceSources, type PriceSources } from '#server/prices/sources/price-sources.ts'
import { walletIdentity, walletOf } from '#server/payments/configured-wallet.ts'
import { type NoteInvoices, type Wallet } from '#server/payments/ports.ts'
import { noteInvoices } from '#server/payments/wallets/lnurl-pay.ts'
import { type SourcePages } from '#server/sources/ports.ts'
import { webPages } from '#server/sources/web-pages.ts'
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
import { type Clock } from '#server/kit/ports.ts'
import { secretsOf, type Secrets, secretsKey } from '#server/kit/secrets.ts'
import { type Config } from '#server/kit/settings/config.ts'

/** Everything that reaches outside the process, apart from the database; tests replace parts of it. */
export type Ports = {
  readonly prices: PriceSources
  /** Null where there is none: then nothing can be submitted. */
  readonly wallet: Wallet | null
  /** See `walletIdentity`. */
  readonly walletIdentity: string | null
  /** Null where no mail server is set up. */
  readonly mailer: Mailer | null
  /** Brings messages to browsers that want news; null where that is switched off. */
  readonly pushClient: PushClient | null
  /** Finds the invoices of submitters who take their notice with a payment. */
  readonly invoices: NoteInvoices
  /** Post sources, most trusted first. */
  readonly posts: readonly PostSource[]
  /** Asks the addresses of sources. */
  readonly sourcePages: SourcePages
  /** The model that reads posts beside the parser; null for none. */
  readonly assistant: PostAssistant | null
  /** The account on X; null where the settings name none. */
  readonly x: AccountParts | null
  /** The account on Bluesky; null where the settings name none. */
  readonly bluesky: AccountParts | null
  readonly relaysOf: (signer: NostrSigner) => NostrRelays
  /** Calendars that stamp the signed record. */
  readonly proofs: ProofPorts
  readonly painter: Painter
  /** Reads uploaded pictures. */
  readonly pictureReader: PictureReader
  readonly passwords: Passwords
  /** Encryption of second factors. */
  readonly secrets: Secrets
}

/**
 * The real ones, as the settings choose them. Nothing is connected yet.
 *
 * @throws ConfigError when the certificate of the wallet cannot be read
 */
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
