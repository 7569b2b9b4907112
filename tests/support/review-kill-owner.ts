import { smtpMailer } from '#server/submissions/mail.ts'
import { AppError } from '#server/kit/failure.ts'
import { approve } from '#server/review/decide.service.ts'
import { NOTIFY_AFTER_MS } from '#domain/publishing/following.ts'
import { submissions } from '#server/database/schema/submissions.ts'
import { eq } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import { openSite } from '#server/site.ts'
import { testKit, testPorts } from './test-site.ts'
import { ready } from './victim.ts'

/*
 * An administrator who approves everything pending, with the following notices, to be killed: `node review-kill-owner.ts <database> <mail server> <number of the administrator>`. Prints a line once it works.
 */
const [, , databaseUrl = '', mailUrl = '', adminId = ''] = process.argv
const kit = testKit(databaseUrl, { clock: { now: () => Date.now() } })
// Notices wait until a decision can no longer be undone; here that is immediate.
const ahead = { ...kit, clock: { now: () => Date.now() + NOTIFY_AFTER_MS + 1_000 } }
const mailer = smtpMailer({ url: mailUrl, from: 'Proof of Price <notices@site.org>' })
const { payments, outbox } = await openSite(ahead, testPorts(ahead, { mailer }))
const admin = { id: Number(adminId), username: 'Admin A' }

async function approveAll(): Promise<void> {
  for (;;) {
    const waiting = await kit.db
      .select({ id: submissions.id })
      .from(submissions)
      .where(eq(submissions.status, 'pending'))
    if (waiting.length === 0) await pause(20)
    for (const { id } of waiting) {
      await approve(kit, admin, id, {}).catch((error: unknown) => {
        // Another process was first.
        if (!(error instanceof AppError && error.code === 'conflict')) throw error
      })
    }
  }
}

async function tellAll(): Promise<void> {
  for (;;) {
    await payments.notices.write()
    await outbox.deliver('notice')
    await pause(5)
  }
}

ready('working')
await Promise.all([approveAll(), tellAll()])
