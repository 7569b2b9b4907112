import { postSources, openPosts } from '#server/posts.ts'
import { PostEnvironment } from '#server/post-settings.ts'
import { catalogService } from '#server/services/catalog.ts'
import { openDatabase } from '#server/store/database.ts'
import { ready } from './support/victim.ts'

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
  jobs: { superviseSeconds: 1, retrySeconds: 1 },
})
posts.start()
ready('reading')
