import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { openSite } from '#server/site.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * The site without its pages, for being killed: `node payment-kill-owner.ts <database> <LNbits> <key>`. Writes its address
 * on its first line, then what its log says of the database. It never ends by itself.
 */
const [, , databaseUrl = '', lnbits = '', key = ''] = process.argv
const plenty = 1_000_000
const kit = testKit(databaseUrl, {
  clock: { now: () => Date.now() },
  // Callers choose their address, so that no limit of calls ends a long run.
  settings: { trustProxy: ['127.0.0.1'], prices: { on: true } },
  warn: (text) => void process.stdout.write(`${text}\n`),
})
const wallet = lnbitsWallet({ url: new URL(lnbits), key, network: 'mainnet' })
const prices = { daily: [], feeds: [] }
const site = await openSite(kit, testPorts(kit, { wallet, prices }), {
  busy: { afterMs: 0, sampleMs: 5_000 },
  payments: {
    mostAnAddress: plenty,
    mostOpenAnAddress: plenty,
    mostAMinute: plenty,
    mostOpen: plenty,
  },
})
site.start()
ready(await site.app.listen({ port: 0, host: '127.0.0.1' }))
