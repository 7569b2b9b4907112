import { setTimeout as pause } from 'node:timers/promises'
import { pushClient } from '#server/following/push.ts'
import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { blueskyPublisher } from '#server/publishing/bluesky.ts'
import { nostrRelays } from '#server/publishing/nostr/relays.ts'
import { beginDue, endPosts } from '#server/publishing/send-posts.service.ts'
import { xPublisher } from '#server/publishing/x.ts'
import { openSite } from '#server/site.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { PDS_ACCOUNT } from './stand-ins/pds.ts'
import { X_KEYS } from './stand-ins/x-server.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/** Addresses for a site that will be killed. Without a relay it only accepts payments. */
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
    readonly leaseMs: number
  }
}

/* The site without its pages, to be killed: prints its address, then log lines about the database. */
const { database, lnbits, key, outside } = JSON.parse(process.argv[2] ?? '') as KillOwner
const urls = outside ? [outside.relay] : []
const plenty = 1_000_000
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
const wallet = lnbitsWallet({ url: new URL(lnbits), key, network: 'mainnet' })
const bluesky = outside ? blueskyPublisher({ ...PDS_ACCOUNT, url: new URL(outside.pds) }) : null
const x = outside && {
  publisher: xPublisher({ url: new URL(outside.x), keys: X_KEYS, clock: kit.clock }),
  keyHash: 'keys',
}
const takenForMs = outside?.leaseMs ?? 0
const site = await openSite(
  kit,
  testPorts(kit, {
    wallet,
    prices: { daily: [], feeds: [] },
    // Relays named in zaps are not called here.
    relaysOf: (signer) =>
      nostrRelays(urls, { signer, clock: kit.clock }, { isAllowed: () => false }),
    ...(outside && {
      x,
      bluesky: bluesky && { publisher: bluesky, keyHash: 'bluesky' },
      mailer: smtpMailer({ url: outside.smtp, from: 'Proof of Price <news@site.org>' }),
      pushClient: pushClient({ isAllowed: () => true }, 1_000),
    }),
  }),
  {
    busy: { afterMs: 0, sampleMs: 5_000 },
    following: { settledMs: 0 },
    ...(outside && {
      publishing: { sendWithinMs: takenForMs - 300, takenForMs, missedAfterMs: 3_600_000 },
    }),
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
// Loading the library takes longer than a lease.
await bluesky?.whoAmI(AbortSignal.timeout(30_000))
site.start()
// Zaps name the signed prediction.
await site.nostr.record.sign()
ready(await site.app.listen({ port: 0, host: '127.0.0.1' }))

/** A process of this program lives shorter than the interval of its jobs. */
async function again(work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await work()
    await pause(10)
  }
}

const { outbox: nostr, record } = site.nostr
const { kit: publishing } = site.publishing
if (nostr) {
  void again(async () => {
    await record.sign()
    await nostr.queueRecord()
    await nostr.queueZapReceipts()
    await nostr.sendDue()
  })
  void again(() => site.outbox.deliver('zap-relay'))
  void again(async () => {
    await site.payments.notices.write()
    await site.outbox.deliver('notice')
  })
  void again(() => site.following.round())
  void again(() => beginDue(publishing))
  void again(() => site.outbox.deliver('post'))
  void again(() => endPosts(publishing))
}
