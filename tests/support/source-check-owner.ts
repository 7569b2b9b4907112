import { startSourceChecks } from '#server/sources/source-checks.jobs.ts'
import { webPages } from '#server/sources/web-pages.ts'
import { reachOf } from './stand-ins/source-pages.ts'
import { testKit } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * A site that asks the addresses of sources and does nothing else, for being killed:
 * `node source-check-owner.ts <database> <port of the stand-in> <the moment it takes for now>`. Says a line once it works.
 */
const [, , databaseUrl = '', port = '', now = ''] = process.argv
const kit = testKit(databaseUrl, { clock: { now: () => Date.parse(now) } })
startSourceChecks({ ...kit, pages: webPages({ reach: reachOf(Number(port)) }) }, { roundMs: 20 })
// Nothing else keeps it running between two rounds.
setInterval(() => {}, 60_000)
ready('asking')
