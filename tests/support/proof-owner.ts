import { otsCalendar } from '#server/attestation/calendars.ts'
import { closeDay, queueStamps, stampNext } from '#server/attestation/stamping.service.ts'
import { testKit } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * A site that only stamps its record, to be killed: `node proof-owner.ts <database> <address of a calendar> <its current time>`. Prints a line once it works.
 */
const [, , databaseUrl = '', calendar = '', now = ''] = process.argv
const kit = {
  ...testKit(databaseUrl, { clock: { now: () => Date.parse(now) } }),
  calendars: [otsCalendar(calendar)],
  headers: null,
}
ready('stamping')
await closeDay(kit)
await queueStamps(kit)
await stampNext(kit, new AbortController().signal)
setInterval(() => {}, 60_000)
