import { z } from 'zod'
import { readConfig } from '#server/kit/settings/config.ts'
import { priceSources } from '#server/prices/configured-sources.ts'
import { deepen } from '#server/prices/deeper-history.service.ts'
import { priceHistory } from '#server/prices/price-history.service.ts'
import { sourceHealth } from '#server/prices/source-health.ts'
import { testKit } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * A site that reads the highs and lows of earlier days and does nothing else, for being killed:
 * `node deeper-history-owner.ts <database> <settings of the stand-in as JSON> <the moment it takes for now> <sources>`. Says
 * a line once it works, and ends when there is no more to read.
 */
const [, , databaseUrl = '', settings = '', now = '', names = ''] = process.argv
const clock = { now: () => Date.parse(now) }
const kit = testKit(databaseUrl, { clock })
const { prices } = readConfig(z.record(z.string(), z.string()).parse(JSON.parse(settings)), '/')
const sources = priceSources(prices, clock).daily.map((one) => ({ ...one, pauseMs: 0 }))
const history = priceHistory({
  ...kit,
  health: sourceHealth(kit.log),
  sources: sources.filter(({ name }) => names.split(',').includes(name)),
  deeper: prices.deeper,
})
ready('reading')
const { signal } = new AbortController()
await Promise.all(
  names.split(',').map(async (name) => {
    const end = clock.now() + 24 * 3_600_000
    while ((await deepen(history, 'btc', name, signal)) !== end);
  }),
)
process.exit(0)
