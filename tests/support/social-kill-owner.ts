import { blueskyPublisher } from '#server/publishing/bluesky/publish-bluesky.ts'
import { xPublisher } from '#server/publishing/x/publish-x.ts'
import { openSite } from '#server/site.ts'
import { PDS_ACCOUNT } from './stand-ins/pds.ts'
import { X_KEYS } from './stand-ins/x-server.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * A site that sends planned posts and does nothing else, for being killed: `node social-kill-owner.ts <database> <X> <Bluesky> <lease>`.
 * Writes a line once it has begun.
 */
const [, , databaseUrl = '', x = '', pds = '', leaseMs = ''] = process.argv
const kit = testKit(databaseUrl, { clock: { now: () => Date.now() } })
const takenForMs = Number(leaseMs)
const publisher = xPublisher({ url: new URL(x), keys: X_KEYS, clock: kit.clock })
const bluesky = blueskyPublisher({ ...PDS_ACCOUNT, url: new URL(pds) })
const site = await openSite(kit, testPorts(kit, { x: { publisher, keyHash: 'keys' }, bluesky }), {
  publishing: {
    sendWithinMs: takenForMs - 300,
    takenForMs,
    missedAfterMs: 3_600_000,
    roundMs: 10,
  },
})
// Loading the library takes longer than a lease of this story.
await bluesky.whoAmI(AbortSignal.timeout(30_000))
site.publishing.start()
ready('begun')
// The jobs themselves keep no process alive.
setInterval(() => {}, 1_000)
