import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { TOTAL_HEADER } from '#contracts/review.ts'
import { closesFile, entry } from './builders.ts'
import { emptied } from './once-for-file.ts'
import { jsonLines, plain } from './readable.ts'
import { handIn, movingClock, NOON } from './review.ts'
import { signedIn, type SignedInBrowser } from './sign-in.ts'
import { type TestApp } from './test-app.ts'

/** Random ids, those of X, and keys of records on Bluesky. */
const ID = /(?<![\w-])[\w-]{32,}|\b19\d{17}\b|(?<=[./]post\/)[2-7a-z]{13}\b/g
const TIME = /\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+00)?|\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g
const MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

type Answer = { readonly status: string; readonly body: unknown }
type Steps = Readonly<Record<string, (words: string) => unknown>>

/**
 * Stories as calls with their stored answers. `# title` begins one on an empty site at noon on 20/11/2026. A line with `>` is one of the
 * steps, or a call by Admin A, by `Admin B: `, `reviewer R: `, a `visitor: ` or `Admin A and Admin B: ` at once, perhaps with the
 * fields that matter after `⇒`; `<id1>` is the first id that was answered, `{x*9}` nine x. Other lines are the answers, see `brief`.
 *
 * @param begin empties the site
 */
export function stories(
  site: () => Pick<TestApp, 'app' | 'database' | 'imports' | 'refresh' | 'sql'>,
  clock = movingClock(),
  begin: () => Promise<void> = () => emptied(site()),
  beforeStep: () => Promise<void> = () => Promise.resolve(),
) {
  const browsers = new Map<string, SignedInBrowser>()
  const ids = new Map<string, string>()
  const seen = new Map<unknown, Row>()

  async function browserOf(who: string): Promise<SignedInBrowser> {
    const name = who.replace('reviewer ', '')
    const role = name === who ? 'administrator' : 'reviewer'
    const browser = browsers.get(name) ?? (await signedIn(site(), name, role))
    browsers.set(name, browser)
    return browser
  }

  const common: Steps = {
    'hand-in': async (input) => {
      // Their order is by time.
      clock.pass(1)
      const { to, ...given } = JSON.parse(input || '{}') as { to?: string }
      return handIn(await browserOf('Admin A'), given, to)
    },
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
      const [count, unit = ''] = words.split(' ')
      clock.pass(Number(count) * (unit in MS ? MS[unit as keyof typeof MS] : 1))
    },
    set: (time) => clock.set(time),
    refresh: () => site().refresh(),
    judge: () => site().imports.judge(),
    sql: async (text) => {
      const rows = await site().sql(text)
      return text.startsWith('select') ? rows : undefined
    },
  }

  async function call(
    who: string,
    method: string,
    url: string,
    payload: string,
    more: { readonly from?: string | undefined; readonly headers?: object } = {},
  ): Promise<Answer> {
    const visitor = {
      headers: { 'sec-fetch-site': 'same-origin' },
      remoteAddress: more.from ?? `10.7.${String(ids.size % 250)}.1`,
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
      headers: {
        ...headers,
        ...more.headers,
        ...(payload !== '' && { 'content-type': 'application/json' }),
      },
    })
    const isJson = String(got['content-type']).startsWith('application/json')
    const [total, pause] = [got[TOTAL_HEADER], got['retry-after']]
    const status =
      String(statusCode) +
      (total === undefined ? '' : ` of ${String(total)}`) +
      (pause === undefined ? '' : ` for ${pause} s`)
    if (got.location !== undefined) return { status, body: { location: got.location } }
    return { status, body: isJson ? (JSON.parse(body) as unknown) : body }
  }

  /** Without empty fields, the same message twice, and what a row with an id said before. */
  function brief(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(brief)
    if (typeof value !== 'object' || value === null) return value
    const { error, ...row } = value as Row
    const named = typeof row['id'] === 'string' ? row['id'] : row
    const before = seen.get(named) ?? {}
    seen.set(named, { ...before, ...row })
    const changed = Object.entries({
      ...row,
      ...(row['message'] === undefined && { error }),
    }).filter(
      ([key, one]) =>
        key === 'id' || (key in before ? !isDeepStrictEqual(one, before[key]) : !isEmpty(one)),
    )
    return Object.fromEntries(changed.map(([key, one]) => [key, brief(one)]))
  }

  /** With names for ids and for times of the machine's clock, and long repeats as in calls. */
  function shown(value: unknown): string {
    const isText = typeof value === 'string'
    const text = isText ? value : JSON.stringify(brief(JSON.parse(JSON.stringify(value))))
    const named = text
      .replaceAll(
        /(?<!\w)(.{1,11}?)\1{99,}/gu,
        (run, one: string) => `{${one}*${String(run.length / one.length)}}`,
      )
      .replaceAll(ID, (id) => {
        if (!ids.has(id)) ids.set(id, `<id${String(ids.size + 1)}>`)
        return ids.get(id) ?? id
      })
      .replaceAll(TIME, (time) =>
        Math.abs(Date.parse(time) - Date.now()) < MS.hours ? '<now>' : time,
      )
    return isText ? plain(named.replaceAll(/>\s*</g, '>\n<')) : jsonLines(JSON.parse(named))
  }

  async function step(line: string, steps: Steps): Promise<string> {
    const filled = line
      .replaceAll(/\{([^{}]+)\*(\d+)\}/g, (_, text: string, times) => text.repeat(Number(times)))
      .replaceAll(/<id(\d+)>/g, (_, n) => [...ids.keys()][Number(n) - 1] ?? '')
    const [made = '', fields] = filled.split(' ⇒ ')
    const [, who = 'Admin A', name = '', rest = ''] =
      /^(?:([\w ]+): )?(\S+) ?(.*)$/.exec(made) ?? []
    const own = name in steps ? steps[name] : common[name]
    const [, url = '', payload = ''] = /^(\S+) ?(.*)$/.exec(rest) ?? []
    const people = who.split(' and ')
    if (people.length > 1) {
      const answers = await Promise.all(people.map((one) => call(one, name, url, payload)))
      const statuses = answers.map(({ status }) => status)
      return statuses.toSorted().join(', ')
    }
    const result = own ? await own(rest) : await call(who, name, url, payload)
    if (!isAnswer(result)) return result === undefined ? '' : shown(result)
    const { status, body } = result
    const chosen = fields?.split(' ').map((field) => [field, at(body, field.split('.'))])
    return `${status} ${shown(chosen ? Object.fromEntries(chosen) : body)}`
  }

  async function replayed(text: string, steps: Steps): Promise<string> {
    const texts = []
    for (const line of text.match(/^[#>] .*/gm) ?? []) {
      texts.push(line.replace(/^#/, '\n#'))
      if (line.startsWith('#')) {
        clock.set(NOON)
        await begin()
        for (const known of [ids, browsers, seen]) known.clear()
        continue
      }
      await beforeStep()
      const said = await step(line.slice(2), steps)
      if (said !== '') texts.push(said)
    }
    return `${texts.join('\n').trim()}\n`
  }

  return {
    call,
    ids,
    /** Replays the files of `tests/texts/<folder>` with steps of their own. */
    replay: (folder: string, steps: Steps) =>
      it.each(globSync(`tests/texts/${folder}/*.txt`))(
        'the calls in %s have their stored answers',
        async (file) => {
          const text = await replayed(readFileSync(file, 'utf8'), steps)
          await expect(text).toMatchFileSnapshot(resolve(file))
        },
      ),
  }
}

/** The values at a path, such as `rows.id`, of one or all rows. */
export function at(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path
  if (first === undefined || value === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((one) => at(one, path))
  return at((value as Row)[first], rest)
}

type Row = Readonly<Record<string, unknown>>
const isEmpty = (one: unknown) => /^(?:null|false|""|\[\]|\{\})$/.test(JSON.stringify(one))

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'status' in value && 'body' in value
}
