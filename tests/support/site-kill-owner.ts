import { pushClient } from '#server/following/push.ts'
import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { blueskyPublisher } from '#server/publishing/bluesky.ts'
import { nostrRelays } from '#server/publishing/nostr/relays.ts'
import { xPublisher } from '#server/publishing/x.ts'
import { openSite } from '#server/site.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { PDS_ACCOUNT } from './stand-ins/pds.ts'
import { X_KEYS } from './stand-ins/x-server.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/** Addresses for a site that will be killed. Without `outside` it only accepts payments. */
export type KillOwner = {
  readonly database: string
  readonly lnbits: string
  readonly key: string
  readonly outside?: {
    readonly relay: string
    /** Secret key on Nostr, hex. */
    readonly secret: string
    readonly smtp: string
    readonly x: string
    readonly pds: string
  }
}

/* The site without its pages, to be killed: prints its address, then log lines about the database. */
const { database, lnbits, key, outside } = JSON.parse(process.argv[2] ?? '') as KillOwner
const plenty = 1_000_000
const urls = outside ? [outside.relay] : []
const kit = testKit(database, {
  clock: { now: () => Date.now() },
  // Callers choose their address, so that rate limits do not end a long run.
  settings: {
    trustProxy: ['127.0.0.1'],
    prices: { on: true },
    payments: { lightningName: 'tips' },
    nostr: { privateKey: outside?.secret ?? null, relays: urls, publishRecord: true },
  },
  warn: (text) => void process.stdout.write(`${text}\n`),
})
const site = await openSite(
  kit,
  testPorts(kit, {
    wallet: lnbitsWallet({ url: new URL(lnbits), key, network: 'mainnet' }),
    prices: { daily: [], feeds: [] },
    // Relays named in zaps are not called here.
    relaysOf: (signer) =>
      nostrRelays(urls, { signer, clock: kit.clock }, { isAllowed: () => false }),
    ...(outside && {
      x: {
        publisher: xPublisher({ url: new URL(outside.x), keys: X_KEYS, clock: kit.clock }),
        keyHash: 'keys',
      },
      bluesky: {
        publisher: blueskyPublisher({ ...PDS_ACCOUNT, url: new URL(outside.pds) }),
        keyHash: 'bluesky',
      },
      mailer: smtpMailer({ url: outside.smtp, from: 'Proof of Price <news@site.org>' }),
      pushClient: pushClient({ isAllowed: () => true }),
    }),
  }),
  {
    busy: { afterMs: 0, sampleMs: 5_000 },
    // A job killed again and again would wait for minutes, and its posts miss their time.
    jobs: { superviseSeconds: 1, retrySeconds: 1 },
    publishing: { missedAfterMs: 3_600_000 },
    payments: {
      mostAnAddress: plenty,
      mostOpenAnAddress: plenty,
      mostAPrefix: plenty,
      mostOpenAPrefix: plenty,
      mostAMinute: plenty,
      mostOpen: plenty,
    },
  },
)
site.start()
ready(await site.app.listen({ port: 0, host: '127.0.0.1' }))
