import { proofPorts } from '#server/attestation/calendars.ts'
import { pushClient } from '#server/following/push.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { secretsOf, secretsKey } from '#server/kit/secrets.ts'
import { type Config } from '#server/kit/settings/config.ts'
import { type PostSettings } from '#server/kit/settings/networks.ts'
import { type Clock } from '#server/kit/time.ts'
import { walletIdentity, walletOf } from '#server/payments/configured-wallet.ts'
import { noteInvoices } from '#server/payments/wallets/lnurl-pay.ts'
import { assistantOf } from '#server/posts/assistant/read-by-model.ts'
import { type PostSource } from '#server/posts/ports.ts'
import { oembedPosts } from '#server/posts/sources/oembed.ts'
import { syndicationPosts } from '#server/posts/sources/syndication.ts'
import { xPosts } from '#server/posts/sources/x.ts'
import { priceSources } from '#server/prices/sources/price-sources.ts'
import { blueskyAccountOf } from '#server/publishing/bluesky.ts'
import { nostrRelays } from '#server/publishing/nostr/relays.ts'
import { sharpPainter } from '#server/publishing/pictures/drawn-pictures.ts'
import { sharpReader } from '#server/publishing/pictures/pictures.service.ts'
import { type NostrSigner } from '#server/publishing/ports.ts'
import { xAccountOf } from '#server/publishing/x.ts'
import { webPages } from '#server/sources/web-pages.ts'
import { smtpMailer } from '#server/submissions/mail.ts'

/** Tests replace parts of it. */
export type Ports = Readonly<ReturnType<typeof openPorts>>

/**
 * Everything outside the process except the database: adapters chosen by the settings, not connected yet, null where
 * nothing is configured.
 * @throws ConfigError if the wallet's certificate cannot be read
 */
export function openPorts(config: Config, clock: Clock) {
  const { payments, admin, dataDir } = config
  return {
    prices: priceSources(config.prices, clock),
    wallet: walletOf(payments, { dataDir, clock }),
    walletIdentity: walletIdentity(payments),
    mailer: payments.mail && smtpMailer(payments.mail),
    pushClient: config.webPush ? pushClient() : null,
    /** For submitters who receive notices with a payment. */
    invoices: noteInvoices(),
    posts: postSources(config.posts),
    sourcePages: webPages(),
    assistant: assistantOf(config.assistant),
    x: xAccountOf(config.publish, clock),
    bluesky: blueskyAccountOf(config.publish),
    relaysOf: (signer: NostrSigner) => nostrRelays(config.nostr.relays, { signer, clock }),
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
