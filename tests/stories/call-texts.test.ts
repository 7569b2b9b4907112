import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { NEWS, QUESTIONS } from '#server/following/followers.store.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { NOTICES } from '#server/submissions/notices.rows.ts'
import { entry } from '#tests/support/builders.ts'
import { fullSite } from '#tests/support/full-site.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { look } from '#tests/support/payment-world.ts'
import { jsonLines, plain } from '#tests/support/readable.ts'
import { sharedMailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { patiently } from '#tests/support/waiting.ts'

/**
 * Its lines with `>` are the calls, in their order: `:name` is the value of that name in the latest answer or link. Other
 * lines are what they answer and mail.
 */
const FILE = resolve('tests/texts/answers.txt')
const DAY_MS = 86_400_000

const sink = sharedMailSink()
const site = onceForFile(() => {
  const mailer = smtpMailer({ url: sink.url, from: 'Proof of Price <news@site.org>' })
  const privateKey = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
  return fullSite(null, { settings: { nostr: { privateKey } }, ports: { mailer } })
})

const known = new Map<string, string>()
const names = new Map<string, string>()

function remember(text: string): void {
  for (const [, name = '', value = ''] of text.matchAll(
    /(\w+)(?:": ?"|\/)((?!npub|naddr)[\w-]{20,})/g,
  )) {
    known.set(name, value)
    names.set(value, `<${name}>`)
  }
}

/** What happens between calls. */
const STEPS: Readonly<Record<string, (words: string) => unknown>> = {
  pay: () => {
    site().ledger.pay(known.get('payment_request') ?? '')
    site().clock.ms += 2_000
  },
  publish: (words) => site().publish({ ...entry('news'), ...(JSON.parse(words) as object) }),
  'wait-days': async (days) => {
    site().clock.ms += Number(days) * DAY_MS
    await look(site())
  },
  'approve-latest': async () => {
    const [row] = await site().sql('select id from submissions order by created_at desc limit 1')
    const url = `/api/admin/prediction_submissions/${row?.['id']}/approve`
    return jsonLines((await site().admin.call('POST', url, {})).body)
  },
  sign: () => site().nostr.record.sign(),
}

async function answer(method: string, url: string, payload: string): Promise<string> {
  const headers = payload === '' ? {} : { 'content-type': 'application/json' }
  const remoteAddress = `10.8.0.${String(names.size % 250)}`
  site().clock.ms += 1_000
  const call = { method: method as 'GET', url, headers, remoteAddress, payload }
  const { statusCode, body } = await site().app.inject(call)
  remember(body)
  return `${String(statusCode)} ${jsonLines(JSON.parse(body))}`
}

it('calls have their stored answers and mails', async () => {
  const { following, payments, outbox } = site()
  const texts = []
  for (const line of readFileSync(FILE, 'utf8').match(/^> .*/gm) ?? []) {
    const made = line.replaceAll(/:([a-z_]+)\b/g, (name, key: string) => known.get(key) ?? name)
    const [, method = '', to = '', body = ''] = /^> (\S+) ?(\S*) ?(.*)$/.exec(made) ?? []
    const step = STEPS[method]
    const answered = step ? await step(to) : await answer(method, to, body)
    texts.push(line, ...(typeof answered === 'string' ? [answered] : []))
    await following.write(patiently())
    await payments.notices.write()
    for (const kind of [QUESTIONS, NEWS, NOTICES]) await outbox.deliver(kind)
    for (const { to: by, subject = '', text = '' } of await sink.mails()) {
      remember(text)
      texts.push(`Mail to ${String(by?.[0]?.address)}: ${subject}\n${text}`)
    }
    sink.clear()
  }
  const text = plain(texts.join('\n'))
    .replaceAll(/\d{10}-[\da-f]{32}-[\w-]{32}/g, '<challenge>')
    .replaceAll(/[\w-]{20,}/g, (word) => names.get(word) ?? word)
  await expect(`${text}\n`).toMatchFileSnapshot(FILE)
})

it('jobs have their stored times, in seconds', async () => {
  const { jobs, sql } = site()
  // Two take long, and one is no job.
  const names = `select name from jobs.queue where name not in ('scores', 'snapshots', 'failed')`
  await jobs.drain(...(await sql(names)).map(({ name }) => String(name)))
  const rows = await sql(`
    select queue.name, queue.retry_limit, queue.retry_delay, queue.retry_delay_max, queue.expire_seconds,
      round(extract(epoch from max(job.start_after - job.created_on))) as repeated_after
    from jobs.queue left join jobs.job on job.name = queue.name and job.state = 'created'
    group by queue.name order by queue.name`)
  await expect(`${jsonLines(rows)}\n`).toMatchFileSnapshot(resolve('tests/texts/jobs.txt'))
})
