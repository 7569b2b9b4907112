import { xPublisher } from '#server/publishing/x/publish-x.ts'
import { openSocial } from '#server/publishing/open-publishing.ts'
import { openDatabase } from '#server/kit/db.ts'
import { X_KEYS } from './stand-ins/x-server.ts'
import { ready } from './victim.ts'

/*
 * The part of the server that sends planned posts, for being killed: `node social-kill-owner.ts <database> <X> <lease>`.
 * Says on its first line that it has begun.
 */
const [, , databaseUrl = '', x = '', leaseMs = ''] = process.argv
const clock = { now: () => Date.now() }
const { db } = openDatabase({ connectionString: databaseUrl }, () => {})
const takenForMs = Number(leaseMs)
const social = openSocial({
  x: { publisher: xPublisher({ url: new URL(x), keys: X_KEYS, clock }), keyHash: 'keys' },
  nostr: null,
  charts: null,
  review: { approveAfterPost: () => Promise.resolve({ ok: true }) },
  origin: 'http://localhost',
  limits: { sendWithinMs: takenForMs - 300, takenForMs, missedAfterMs: 3_600_000 },
  roundMs: 10,
  db,
  clock,
  log: { info() {}, warn() {}, error() {} },
  catalog: { snapshot: () => null, today: () => 0 as never },
})
social.start()
ready('begun')
// The jobs themselves keep no process alive.
setInterval(() => {}, 1_000)
