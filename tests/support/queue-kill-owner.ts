import { postSources, openPosts } from '#server/posts/open-posts.ts'
import { PostEnvironment } from '#server/kit/settings/posts.ts'
import { catalogService } from '#server/predictions/catalog.service.ts'
import { openDatabase } from '#server/kit/db.ts'
import { openSignals } from '#server/kit/signals.ts'
import { ready } from './victim.ts'

/*
 * The desk that reads posts without its site, for being killed: `node queue-kill-owner.ts <database> <settings as JSON>`.
 * Says `reading` on its first line.
 */
const [, , databaseUrl = '', settings = '{}'] = process.argv
const clock = { now: () => Date.now() }
const { db, pool } = openDatabase({ connectionString: databaseUrl }, () => {})
const posts = openPosts({
  sources: postSources(PostEnvironment.parse(JSON.parse(settings))),
  assistant: null,
  db,
  pool,
  clock,
  log: { info() {}, warn() {}, error() {} },
  catalog: catalogService({ db, clock }),
  signals: openSignals({ connectionString: databaseUrl }, () => {}),
  jobs: { superviseSeconds: 1, retrySeconds: 1 },
})
posts.start()
ready('reading')
