import { otsCalendar } from '#server/attestation/calendars.ts'
import { openProofs } from '#server/attestation/open-proofs.ts'
import { testKit } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * A site that stamps its record and does nothing else, for being killed:
 * `node proof-owner.ts <database> <address of a calendar> <the moment it takes for now>`. Says a line once it works.
 */
const [, , databaseUrl = '', calendar = '', now = ''] = process.argv
const kit = testKit(databaseUrl, { clock: { now: () => Date.parse(now) } })
const proofs = { calendars: [otsCalendar(calendar)], headers: null }
openProofs(kit, { proofs }, { roundMs: 20 }).start()
// Nothing else keeps it running between two rounds.
setInterval(() => {}, 60_000)
ready('stamping')
