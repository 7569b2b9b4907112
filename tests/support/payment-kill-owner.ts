import { setTimeout as pause } from 'node:timers/promises'
import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { type NostrOutbox } from '#server/publishing/nostr/outbox.service.ts'
import { type NostrSigner } from '#server/publishing/nostr/ports.ts'
import { nostrRelays } from '#server/publishing/nostr/relays.ts'
import { openSite } from '#server/site.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * The site without its pages, for being killed: `node payment-kill-owner.ts <database> <LNbits> <key> [<relay> <secret Nostr key>]`.
 * Writes its address on its first line, then what its log says of the database. It never ends by itself. With a relay it takes
 * zaps and asks for a deposit for each report.
 */
const [, , databaseUrl = '', lnbits = '', key = '', relay, privateKey = null] = process.argv
const urls = relay === undefined ? [] : [relay]
const plenty = 1_000_000
const kit = testKit(databaseUrl, {
  clock: { now: () => Date.now() },
  // Callers choose their address, so that no limit of calls ends a long run.
  settings: {
    trustProxy: ['127.0.0.1'],
    prices: { on: true },
    payments: { lightningName: 'tips', reportDepositSats: relay === undefined ? 0 : 5 },
    nostr: { privateKey, relays: urls },
  },
  warn: (text) => void process.stdout.write(`${text}\n`),
})
const wallet = lnbitsWallet({ url: new URL(lnbits), key, network: 'mainnet' })
const prices = { daily: [], feeds: [] }
// Those that zaps name are called by nobody here.
const relaysOf = (signer: NostrSigner) =>
  nostrRelays(urls, { signer, clock: kit.clock }, { isAllowed: () => false })
const site = await openSite(kit, testPorts(kit, { wallet, prices, relaysOf }), {
  busy: { afterMs: 0, sampleMs: 5_000 },
  payments: {
    mostAnAddress: plenty,
    mostOpenAnAddress: plenty,
    mostAPrefix: plenty,
    mostOpenAPrefix: plenty,
    mostAMinute: plenty,
    mostOpen: plenty,
  },
})
site.start()
const { outbox, record } = site.nostr
if (outbox) {
  await record.sign()
  void queueReceipts(outbox)
}
ready(await site.app.listen({ port: 0, host: '127.0.0.1' }))

/** Receipts and what is sent, again and again: a process of this story lives for less than a round of theirs. */
async function queueReceipts(outbox: NostrOutbox): Promise<never> {
  for (;;) {
    await outbox.queueZapReceipts()
    await outbox.sendDue()
    await outbox.sendToStrangers()
    await pause(10)
  }
}
