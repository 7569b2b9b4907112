import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { TOTAL_HEADER } from '#contracts/review.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { correctedOn } from '#tests/support/corrected.ts'
import { appOfFile, emptied } from '#tests/support/once-for-file.ts'
import { jsonLines } from '#tests/support/readable.ts'
import { handIn, movingClock, NOON } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'

/**
 * Stories told by calls. `# title` begins one on an empty site at noon on 20/11/2026. A line with `>` is one of `STEPS`,
 * or a call by Admin A, by `Admin B: `, `reviewer R: ` or a `visitor: `, perhaps with the fields that matter after `⇒`;
 * `<id1>` is the first id that was answered, `{x*9}` nine x. Other lines are the answers, see `brief`.
 */
const FILES = globSync('tests/texts/stories/*.txt')

const clock = movingClock()
const site = appOfFile({ clock, settings: { operator: { name: 'Jane Doe', holdings: 'Bitcoin' } } })
const browsers = new Map<string, SignedInBrowser>()
const ids = new Map<string, string>()
const ID = /[\da-f]{8}-[\da-f]{4}-\w{4}-[\da-f]{4}-[\da-f]{12}|\b[\w-]{43,}\b/g

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
  'two-predictions': async () => void (await correctedOn(site())),
  prices: async (words) => {
    const [asset, from = '', ...closes] = words.split(' ')
    const file = closesFile(from, closes.map(Number))
    await site().imports.prices(asset === 'mstr' ? asset : 'btc', file, 'test')
    await site().refresh()
  },
  publish: (input) => {
    const { id, ...more } = JSON.parse(input) as { id: string }
    return site().publish(entry(id, more))
  },
  'sign-in': () => browsers.clear(),
  pass: (ms) => clock.pass(Number(ms)),
  set: (time) => clock.set(time),
  refresh: () => site().refresh(),
  judge: () => site().imports.judge(),
  sql: async (text) => {
    const rows = await site().sql(text)
    return text.startsWith('select') ? rows : undefined
  },
}

async function call(who: string, method: string, url: string, payload: string) {
  const visitor = { headers: {}, remoteAddress: `10.7.0.${String(ids.size % 250)}` }
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
  if (typeof value === 'string')
    return Math.abs(Date.parse(value) - Date.now()) < 3_600_000 ? '<now>' : value
  if (typeof value !== 'object' || value === null) return value
  const { error, ...row } = value as Row
  const named = typeof row['id'] === 'string' ? row['id'] : row
  const before = seen.get(named) ?? {}
  seen.set(named, { ...before, ...row })
  const told = Object.entries({ ...row, ...(row['message'] === undefined && { error }) }).filter(
    ([key, one]) =>
      key === 'id' || (key in before ? !isDeepStrictEqual(one, before[key]) : !isEmpty(one)),
  )
  return Object.fromEntries(told.map(([key, one]) => [key, brief(one)]))
}

function shown(value: unknown): string {
  const text = JSON.stringify(brief(JSON.parse(JSON.stringify(value))))
  const named = text.replaceAll(ID, (id) => {
    if (!ids.has(id)) ids.set(id, `<id${String(ids.size + 1)}>`)
    return ids.get(id) ?? id
  })
  return jsonLines(JSON.parse(named))
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

async function told(text: string): Promise<string> {
  const texts = []
  for (const line of text.match(/^[#>] .*/gm) ?? []) {
    texts.push(line.replace('#', '\n#'))
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

it.each(FILES)('the stories of %s go as they are told', async (file) => {
  await expect(await told(readFileSync(file, 'utf8'))).toMatchFileSnapshot(resolve(file))
})
