import { setTimeout as pause } from 'node:timers/promises'
import { pushCourier } from '#server/following/push-courier.ts'
import { openSite } from '#server/site.ts'
import { smtpMailer } from '#server/submissions/mail-smtp.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * A process that writes down and sends news, for being killed: `node follow-kill-owner.ts <database> <mail server>`. Says a
 * line once it works.
 */
const [, , databaseUrl = '', mailUrl = ''] = process.argv
const kit = testKit(databaseUrl, { clock: { now: () => Date.now() } })
const ports = testPorts(kit, {
  mailer: smtpMailer({ url: mailUrl, from: 'Proof of Price <news@site.org>' }),
  pushCourier: pushCourier({ isAllowed: () => true }),
})
const { following, record } = await openSite(kit, ports, { following: { settledMs: 0 } })

ready('working')
for (;;) {
  await record.refresh()
  await following.round()
  await pause(5)
}
