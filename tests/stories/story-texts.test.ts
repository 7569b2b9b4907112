import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Email } from 'postal-mime'
import { expect, it } from 'vitest'
import { TOTAL_HEADER } from '#contracts/review.ts'
import { NEWS, QUESTIONS } from '#server/following/followers.store.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { correctedOn } from '#tests/support/corrected.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { jsonLines, linesOf, plain } from '#tests/support/readable.ts'
import { handIn, movingClock, NOON } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { sharedMailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { plainPages, testApp } from '#tests/support/test-app.ts'
import { patiently } from '#tests/support/waiting.ts'

/**
 * Stories as calls with their stored answers. `# title` begins one on an empty site at noon on 20/11/2026. A line with `>` is one of `STEPS`,
 * or a call by Admin A, by `Admin B: `, `reviewer R: ` or a `visitor: `, perhaps with the fields that matter after `⇒`;
 * `<id1>` is the first id that was answered, `{x*9}` nine x. Other lines are the answers, see `brief`.
 */
const FILES = globSync('tests/texts/stories/*.txt')

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
const browsers = new Map<string, SignedInBrowser>()
const ids = new Map<string, string>()
const ID = /(?<![\w-])[\w-]{32,}/g
const TIME = /\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+00)?|\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g
const MS = { hours: 3_600_000, days: 86_400_000 }

async function browserOf(who: string): Promise<SignedInBrowser> {
  const name = who.replace('reviewer ', '')
  const role = name === who ? 'administrator' : 'reviewer'
  const browser = browsers.get(name) ?? (await signedIn(site(), name, role))
  browsers.set(name, browser)
  return browser
}

const STEPS: Readonly<Record<string, (words: string) => unknown>> = {
  'hand-in': async (input) => {
    // Their order is by time.
    clock.pass(1)
    const { to, ...given } = JSON.parse(input || '{}') as { to?: string }
    return handIn(await browserOf('Admin A'), given, to)
  },
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
  'two-predictions': async () => void (await correctedOn(site())),
  prices: async (words) => {
    const [asset, from = '', ...closes] = words.split(' ')
    const file = closesFile(from, closes.map(Number))
    await site().imports.prices(asset === 'mstr' ? asset : 'btc', file, 'test')
    await site().refresh()
  },
  publish: async (input) => {
    const entries = JSON.parse(input) as { id: string }[]
    const file = JSON.stringify(entries.map(({ id, ...more }) => entry(id, more)))
    const imported = await site().imports.predictions(file)
    await site().refresh()
    return imported.ok && imported.bad.length === 0 ? undefined : imported
  },
  'sign-in': () => browsers.clear(),
  pass: (words) => {
    const [count, unit] = words.split(' ')
    clock.pass(Number(count) * (unit === 'hours' || unit === 'days' ? MS[unit] : 1))
  },
  set: (time) => clock.set(time),
  refresh: () => site().refresh(),
  judge: () => site().imports.judge(),
  sql: async (text) => {
    const rows = await site().sql(text)
    return text.startsWith('select') ? rows : undefined
  },
}

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

async function call(who: string, method: string, url: string, payload: string) {
  const visitor = {
    headers: { 'sec-fetch-site': 'same-origin' },
    remoteAddress: `10.7.0.${String(ids.size % 250)}`,
  }
  const { headers, remoteAddress } = who === 'visitor' ? visitor : await browserOf(who)
  const {
    statusCode,
    headers: got,
    body,
  } = await site().app.inject({
    method: method as 'GET',
    url,
    payload,
    remoteAddress,
    headers: { ...headers, ...(payload !== '' && { 'content-type': 'application/json' }) },
  })
  const isJson = String(got['content-type']).startsWith('application/json')
  const total = got[TOTAL_HEADER]
  const status = total === undefined ? statusCode : `${String(statusCode)} of ${String(total)}`
  if (got.location !== undefined) return { status, body: { location: got.location } }
  return { status, body: isJson ? (JSON.parse(body) as unknown) : body }
}

/** The values at a path, such as `rows.id`, of one or all rows. */
function at(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path
  if (first === undefined || value === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((one) => at(one, path))
  return at((value as Row)[first], rest)
}

type Row = Readonly<Record<string, unknown>>
const seen = new Map<unknown, Row>()
const isEmpty = (one: unknown) => /^(?:null|false|""|\[\]|\{\})$/.test(JSON.stringify(one))

/** Without empty fields, the same message twice, and what a row with an id said before. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief)
  if (typeof value !== 'object' || value === null) return value
  const { error, ...row } = value as Row
  const named = typeof row['id'] === 'string' ? row['id'] : row
  const before = seen.get(named) ?? {}
  seen.set(named, { ...before, ...row })
  const changed = Object.entries({ ...row, ...(row['message'] === undefined && { error }) }).filter(
    ([key, one]) =>
      key === 'id' || (key in before ? !isDeepStrictEqual(one, before[key]) : !isEmpty(one)),
  )
  return Object.fromEntries(changed.map(([key, one]) => [key, brief(one)]))
}

/** With names for ids and for times of the machine's clock. */
function shown(value: unknown): string {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(brief(JSON.parse(JSON.stringify(value))))
  const named = text
    .replaceAll(ID, (id) => {
      if (!ids.has(id)) ids.set(id, `<id${String(ids.size + 1)}>`)
      return ids.get(id) ?? id
    })
    .replaceAll(TIME, (time) =>
      Math.abs(Date.parse(time) - Date.now()) < MS.hours ? '<now>' : time,
    )
  return isText ? plain(named.replaceAll(/>\s*</g, '>\n<')) : jsonLines(JSON.parse(named))
}

async function step(line: string): Promise<string> {
  const filled = line
    .replaceAll(/\{([^{}]+)\*(\d+)\}/g, (_, text: string, times) => text.repeat(Number(times)))
    .replaceAll(/<id(\d+)>/g, (_, n) => [...ids.keys()][Number(n) - 1] ?? '')
  const [made = '', fields] = filled.split(' ⇒ ')
  const [, who = 'Admin A', name = '', rest = ''] = /^(?:([\w ]+): )?(\S+) ?(.*)$/.exec(made) ?? []
  const own = STEPS[name]
  if (own) {
    const result = await own(rest)
    return result === undefined ? '' : shown(result)
  }
  const [, url = '', payload = ''] = /^(\S+) ?(.*)$/.exec(rest) ?? []
  const { status, body } = await call(who, name, url, payload)
  const chosen = fields?.split(' ').map((field) => [field, at(body, field.split('.'))])
  return `${String(status)} ${shown(chosen ? Object.fromEntries(chosen) : body)}`
}

async function replayed(text: string): Promise<string> {
  const texts = []
  for (const line of text.match(/^[#>] .*/gm) ?? []) {
    texts.push(line.replace(/^#/, '\n#'))
    if (line.startsWith('#')) {
      clock.set(NOON)
      await emptied(site())
      for (const known of [ids, browsers, seen]) known.clear()
      continue
    }
    const said = await step(line.slice(2))
    if (said !== '') texts.push(said)
  }
  return `${texts.join('\n').trim()}\n`
}

it.each(FILES)('the calls in %s have their stored answers', async (file) => {
  await expect(await replayed(readFileSync(file, 'utf8'))).toMatchFileSnapshot(resolve(file))
})
