import { type PostAssistant, type TextParser } from './posts/assistant/ports.ts'
import { assistantOf } from './posts/assistant/read-by-model.ts'
import { postSources } from './posts/configured-sources.ts'
import { threadParser } from './posts/post-parser.ts'
import { type PostSource } from './posts/ports.ts'
import { priceSources, type PriceSources } from './prices/configured-sources.ts'
import { walletIdentity, walletOf } from './payments/configured-wallet.ts'
import { type Wallet } from './payments/ports.ts'
import { noteInvoices } from './payments/wallets/lnurl-pay.ts'
import { smtpMailer } from './submissions/mail-smtp.ts'
import { type Mailer, type NoteInvoices } from './submissions/ports.ts'
import { type NostrRelays, type NostrSigner, type Painter } from './publishing/nostr/ports.ts'
import { nostrRelays } from './publishing/nostr/relays.ts'
import { resvgPainter } from './publishing/pictures/resvg.ts'
import { type NostrPublisher } from './publishing/ports.ts'
import { xAccountOf, type XAccountParts } from './publishing/x/configured-account.ts'
import { passwordHasher, type Passwords } from './kit/passwords.ts'
import { type Clock } from './kit/ports.ts'
import { secretsOf, type Secrets } from './kit/secret-box.ts'
import { secretsKey } from './kit/secrets-key.ts'
import { type Config } from './kit/settings/config.ts'

/** Everything that reaches outside the process, apart from the database; tests replace parts of it. */
export type Ports = {
  readonly prices: PriceSources
  /** Null where there is none: then nothing can be submitted. */
  readonly wallet: Wallet | null
  /** See `walletIdentity`. */
  readonly walletIdentity: string | null
  /** Null where no mail server is set up. */
  readonly mailer: Mailer | null
  /** Finds the invoices of submitters who take their notice with a payment. */
  readonly invoices: NoteInvoices
  /** Where posts are read, in the order of trust. */
  readonly posts: readonly PostSource[]
  readonly parser: TextParser
  /** The model that reads posts beside the parser; null for none. */
  readonly assistant: PostAssistant | null
  /** The account on X; null where the settings name none. */
  readonly x: XAccountParts | null
  readonly relaysOf: (signer: NostrSigner) => NostrRelays
  /** Publishes on Nostr in place of the key and the relays of the settings. */
  readonly nostr?: NostrPublisher
  readonly painter: Painter
  readonly passwords: Passwords
  /** What second factors are sealed with. */
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
    invoices: noteInvoices(),
    posts: postSources(config.posts),
    parser: threadParser(),
    assistant: assistantOf(config.assistant, clock),
    x: xAccountOf(config.publish, clock),
    relaysOf: (signer) => nostrRelays(config.nostr.relays, { signer, clock }),
    painter: resvgPainter(),
    passwords: passwordHasher(),
    secrets: secretsOf(() => secretsKey(admin.secretsKey, dataDir)),
  }
}
