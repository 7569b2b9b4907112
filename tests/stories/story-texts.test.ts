import { type Email } from 'postal-mime'
import { day } from '#domain/day.ts'
import { NEWS, QUESTIONS } from '#server/following/followers.store.ts'
import { judgeTouched } from '#server/judging/judging.service.ts'
import { saveBars } from '#server/prices/bars.rows.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { barsFrom, closesFile, entry } from '#tests/support/builders.ts'
import { correctedOn } from '#tests/support/corrected.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { linesOf } from '#tests/support/readable.ts'
import { movingClock } from '#tests/support/review.ts'
import { sharedMailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { at, stories } from '#tests/support/story.ts'
import { plainPages, testApp } from '#tests/support/test-app.ts'
import { patiently } from '#tests/support/waiting.ts'

const clock = movingClock()
const sink = sharedMailSink()
const site = onceForFile(() =>
  testApp({
    clock,
    settings: { operator: { name: 'Jane Doe', holdings: 'Bitcoin' } },
    ports: { mailer: smtpMailer({ url: sink.url, from: 'Proof of Price <news@site.org>' }) },
    options: { pages: plainPages(), following: { settledMs: 0 } },
  }),
)
const { call, replay } = stories(site, clock)
let latest: Email[] = []

/** Writes the news and sends what is due. @returns the mails */
async function deliver(): Promise<string> {
  await site().refresh()
  await site().following.write(patiently())
  for (const kind of [QUESTIONS, NEWS]) await site().outbox.deliver(kind)
  latest = await sink.mails()
  sink.clear()
  return latest
    .map(
      ({ to, subject = '', text = '' }) =>
        `Mail to ${String(to?.[0]?.address)}: ${subject}\n${text}`,
    )
    .join('\n')
}

replay('stories', {
  'new-year': async () => {
    clock.set('2024-01-01T12:00:00Z')
    await site().imports.prices('btc', closesFile('2023-12-20', Array(12).fill(100)), 'test')
    await site().publish(entry('a'), entry('b'))
    await deliver()
  },
  follow: async (input) => {
    const asked = { kind: 'asset', subject: 'btc', email: 'reader@example.org', every: 'now' }
    const question = JSON.stringify({ ...asked, ...(JSON.parse(input) as object) })
    await call('visitor', 'POST', '/api/v1/follow', question)
    const [, token = ''] = /\/following\/([\w-]+)/.exec(await deliver()) ?? []
    const { body } = await call('visitor', 'POST', `/api/v1/following/${token}/confirm`, '')
    return at(body, ['token'])
  },
  deliver: () => deliver(),
  html: async () => linesOf(latest[0]?.html ?? ''),
  flush: () => site().admins.refusals.flush(),
  bars: (words) => {
    const [date = '', prices = ''] = words.split(' ')
    const bars = barsFrom(date, [prices]).map((one) => ({ ...one, source: 'test' }))
    const stored = bars.map((one) => ({ ...one, state: 'final' as const }))
    return site().database.db.transaction((tx) => saveBars(tx, 'btc', stored))
  },
  'judge-day': (date) => {
    const { db } = site().database
    const on = { from: day(date), to: day(date) }
    return db.transaction((tx) => judgeTouched(tx, 'btc', day('2026-11-20'), on))
  },
  'two-predictions': async () => void (await correctedOn(site())),
})
