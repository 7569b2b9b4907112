import { PostEnvironment } from '#server/kit/settings/posts.ts'
import { postSources } from '#server/posts/configured-sources.ts'
import { openSite } from '#server/site.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * A site that reads posts and does nothing else, for being killed: `node queue-kill-owner.ts <database> <settings as JSON>`.
 * Writes `reading` on its first line.
 */
const [, , databaseUrl = '', settings = '{}'] = process.argv
const kit = testKit(databaseUrl, { clock: { now: () => Date.now() } })
const posts = postSources(PostEnvironment.parse(JSON.parse(settings)))
const site = await openSite(kit, testPorts(kit, { posts }), {
  posts: { superviseSeconds: 1, retrySeconds: 1 },
})
site.posts.start()
ready('reading')
