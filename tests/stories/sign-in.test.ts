import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Role } from '#contracts/access.ts'
import { prepareSecondFactors } from '#server/admins/second-factor.service.ts'
import { SecretsKeyError, secretBox, secretsOf, type Secrets } from '#server/kit/secrets.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { movingClock, NOON } from '#tests/support/review.ts'
import {
  adminCommand,
  authenticatorApp,
  login,
  opens,
  PASSWORD,
  script,
  signedIn,
  withAuthenticatorApp,
  type SignedInBrowser,
} from '#tests/support/sign-in.ts'
import { authenticator, type Wrongs } from '#tests/support/stand-ins/authenticator.ts'
import { stories } from '#tests/support/story.ts'
import { testApp } from '#tests/support/test-app.ts'
import { TEST_ORIGIN } from '#tests/support/test-site.ts'
import { waitingForLocks } from '#tests/support/waiting.ts'

const clock = movingClock()
const usualKey = secretBox(randomBytes(32))
let secrets: Secrets = async () => usualKey
const outages: string[] = []
const METRICS_TOKEN = 'a-token-of-sixteen-or-more'
const COUNTERS = [
  'sign_ins_total{outcome="wrong password"}',
  'sign_ins_total{outcome="locked out"}',
  'refusals_total{why="role"}',
  'refusals_total{why="not signed in"}',
]
const counters = new Map<string, number>()
const site = onceForFile(() =>
  testApp({
    clock,
    settings: { admin: { metricsToken: METRICS_TOKEN } },
    ports: { secrets: () => secrets() },
    warn: (text) => void outages.push(text),
  }),
)

let begun = 0
/** What a story has made, by the names it gave. */
const browsers = new Map<string, SignedInBrowser>()
const headers = new Map<string, Readonly<Record<string, string>>>()
const devices = new Map<string, ReturnType<typeof authenticator>>()
const challenges = new Map<string, string>()
let recovery: readonly string[] = []
let codeNow = (): string => ''

async function begin(): Promise<void> {
  await site().admins.refusals.flush()
  await emptied(site())
  begun += 1
  secrets = async () => usualKey
  for (const made of [browsers, headers, devices, challenges, counters]) made.clear()
}

const { call, replay } = stories(site, clock, begin)

/** With the password, the code of the authenticator app now, the first recovery codes and tokens of browsers. */
function filled(text: string): string {
  return text
    .replaceAll('<password>', PASSWORD)
    .replaceAll('<code>', codeNow())
    .replaceAll(/<recovery(\d)>/g, (_, n) => recovery[Number(n) - 1] ?? '')
    .replaceAll('<recovery1 typed>', recovery[0]?.toLowerCase().replaceAll('-', ' ') ?? '')
    .replaceAll(/<(\w+)'s id>/g, (_, name: string) => String(browserOf(name).id))
    .replaceAll(/<(\w+)'s session>/g, (_, name) => headers.get(name)?.['cookie']?.slice(8) ?? '')
    .replaceAll(/<(\w+)'s passkey>/g, (_, name: string) => devices.get(name)?.id ?? '')
}

async function open(name: string, username = 'Admin A', role: Role = 'administrator') {
  const browser = await signedIn(site(), username, role)
  browsers.set(name, browser)
  headers.set(name, browser.headers)
}

function browserOf(name: string): SignedInBrowser {
  const browser = browsers.get(name)
  if (!browser) throw new Error(`no browser ${name}`)
  return browser
}

const jsonOf = <T>(text: string): T => JSON.parse(filled(text) || '{}') as T
const split = (text: string): [string, string] => {
  const [, first = '', rest = ''] = /^(\S*) ?(.*)$/.exec(text) ?? []
  return [first, rest]
}
type LogIn = { from?: string; headers?: Record<string, string>; with?: string }

function logIn(input: string, from = `10.8.${String(begun)}.1`) {
  const { headers: sent, with: has = '', from: address = from, ...fields } = jsonOf<LogIn>(input)
  return login(site(), fields, address, sent ?? headers.get(has))
}

/** A challenge for signing in, or for a new passkey of a browser. */
async function challengeFor(browser = ''): Promise<string> {
  const path = browser === '' ? '/api/admin/passkeys/options' : '/api/v1/admin/passkeys/options'
  const body = browser === '' ? '' : JSON.stringify({ password: PASSWORD })
  const { body: got } = await call('visitor', 'POST', path, body, {
    headers: headers.get(browser) ?? {},
  })
  const Options = z.object({ options: z.object({ challenge: z.string() }) })
  return Options.parse(got).options.challenge
}

const at = (who: string, method: string, url: string, body: string) =>
  call('visitor', method, url, filled(body), { headers: headers.get(who) ?? {} })

/** The answer to a sign-in, whose session is that of the browser `last`. */
function entered({ statusCode, cookies, json }: Awaited<ReturnType<typeof login>>) {
  const [cookie] = cookies
  const { value = '', ...about } = cookie ?? {}
  if (value !== '') headers.set('last', { cookie: `session=${value}` })
  const body = { ...json<object>(), ...(cookie && { cookie: about }) }
  return { status: String(statusCode) + (cookie ? ' with a session' : ''), body }
}

/** How often each status was answered. */
function counted(statuses: readonly number[]): string {
  const counts = Map.groupBy(statuses, String)
  const texts = [...counts].map(([status, all]) => `${status} × ${String(all.length)}`)
  return texts.toSorted().join(', ')
}

replay('accounts', {
  browser: async (words) => {
    const [name = '', username, role] = words.split(', ')
    await open(name, username, role === 'reviewer' ? role : 'administrator')
  },
  token: async (words) => {
    const [name, more] = split(words)
    const [from, input] = split(more)
    headers.set(name, await script(browserOf(from), jsonOf(input)))
  },
  everything: async () => {
    for (const name of ['here', 'there']) await open(name)
    await open('bystander', 'Person C')
    headers.set('script', await script(browserOf('here')))
    await site().sql(
      `insert into passkeys (id, admin_id, name, public_key, counter, transports, created_at)
         values ('a-passkey', $1, 'Laptop', '', 0, '{}', now())`,
      [browserOf('here').id],
    )
  },
  at: (words) => {
    const [who, more] = split(words)
    const [method, rest] = split(more)
    return at(who, method, ...split(filled(rest)))
  },
  'at-once': async (words) => {
    const [who, more] = split(words)
    const [method, rest] = split(more)
    const [url, body] = split(filled(rest))
    const both = await Promise.all([at(who, method, url, body), at(who, method, url, body)])
    return both
      .map(({ status }) => status)
      .toSorted()
      .join(', ')
  },
  open: async (names) => {
    const open = names.split(' ').map(async (name) => {
      const status = await opens(site(), headers.get(name) ?? {})
      return `${name} ${status === 200 ? 'yes' : String(status)}`
    })
    const [row] = await site().sql('select count(*) as passkeys from passkeys')
    return `${(await Promise.all(open)).join(', ')}, passkeys ${String(row?.passkeys)}`
  },
  'disable-each-other': async () => {
    await emptied(site())
    await open('here')
    await open('other', 'Person B')
    const disable = (who: string, whom: string) =>
      at(
        who,
        'POST',
        `/api/v1/admin/accounts/${String(browserOf(whom).id)}/disable`,
        `{"password":"<password>"}`,
      )
    const both = await Promise.all([disable('here', 'other'), disable('other', 'here')])
    return both
      .map(({ status }) => status)
      .toSorted()
      .join(', ')
  },
  plant: (name) =>
    void headers.set(name, {
      cookie: `session=${'a'.repeat(43)}`,
      'sec-fetch-site': 'same-origin',
    }),
  'pass-with': async (words) => {
    const [name, count] = split(words)
    for (let n = 0; n < Number(count); n += 1) {
      clock.pass(10 * 3_600_000)
      await opens(site(), headers.get(name) ?? {})
    }
  },
  repeat: async (words) => {
    const [count, more] = split(words)
    const [who, call] = split(more)
    const [method, rest] = split(call)
    const statuses: number[] = []
    for (let n = 0; n < Number(count); n += 1)
      statuses.push(Number((await at(who, method, ...split(rest))).status))
    return counted(statuses)
  },
  crowd: async (words) => {
    const [count, ...inputs] = words.split(/ (?=\{)/)
    const [strangers = '', ...others] = inputs
    const all = Array.from({ length: Number(count) }, (_, n) =>
      logIn(strangers.replaceAll('<n>', String(n))),
    )
    const known = await Promise.all(others.map((one) => logIn(one)))
    const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode)
    return `${counted(statuses)}; others ${known.map(({ statusCode }) => String(statusCode)).join(', ')}`
  },
  /** Which of these are stored in plain text. */
  stored: async (words) => {
    const [row] = await site().sql(
      `select (select string_agg(a::text, '') from admins a) || (select string_agg(s::text, '') from admin_sessions s)
        || coalesce((select string_agg(t::text, '') from admin_tokens t), '') || (select string_agg(l::text, '') from audit_log l) as all`,
    )
    const isStored = (one: string) => String(row?.all).includes(filled(one))
    return words
      .split(', ')
      .map((one) => (isStored(one) ? 'yes' : 'no'))
      .join(', ')
  },
  login: async (input) => entered(await logIn(input)),
  logins: async (words) => {
    const [count, input] = split(words)
    const numbered = (n: number) => input.replaceAll('<n>', String(n))
    const all = Array.from({ length: Number(count) }, (_, n) => logIn(numbered(n)))
    return counted((await Promise.all(all)).map(({ statusCode }) => statusCode))
  },
  'logins-in-turn': async (words) => {
    const [count, input] = split(words)
    const statuses: number[] = []
    for (let n = 0; n < Number(count); n += 1)
      statuses.push((await logIn(input.replaceAll('<n>', String(n)))).statusCode)
    return counted(statuses)
  },
  command: async (words) => {
    const [line = '', typed] = filled(words).split(' < ')
    const parts = line.match(/"[^"]*"|\S+/g)?.map((one) => one.replaceAll('"', '')) ?? []
    return adminCommand(site(), clock, parts, typed).then(
      (lines) => lines.join('\n').replaceAll(/\$argon2id\$\S+/g, '<argon2id>'),
      (error: unknown) => `refused: ${error instanceof Error ? error.message : ''}`,
    )
  },
  'start-app': async (name) => {
    const app = await authenticatorApp(browserOf(name), clock)
    codeNow = app.code
    return app.uri.replaceAll(/secret=\w+/g, 'secret=<secret>')
  },
  'confirm-app': async (name) => {
    const path = '/api/v1/admin/second-factor/confirm'
    const { status, body } = await at(name, 'POST', path, '{"code":"<code>"}')
    const { recovery_codes: codes, ...more } = body as { recovery_codes: string[] }
    recovery = codes
    return { status, body: { ...more, codes: codes.length } }
  },
  'new-codes': async (name) => {
    const path = '/api/v1/admin/second-factor/recovery-codes'
    const answer = await at(name, 'POST', path, '{"password":"<password>","code":"<code>"}')
    const { recovery_codes: codes = [] } = answer.body as { recovery_codes?: string[] }
    recovery = [...recovery.slice(0, 4), ...codes]
    return `${answer.status}: ${String(codes.length)} codes`
  },
  /** The headers of a browser, some of them replaced. */
  'plant-header': (words) => {
    const [name, more] = split(words)
    const [from, input] = split(more)
    headers.set(name, { ...headers.get(from), ...jsonOf<Record<string, string>>(input) })
  },
  /** Entries about refusals in the audit log, of which a few are written together. */
  refusals: async () => {
    await site().admins.refusals.flush()
    return site().sql(
      `select action, subject_id as subject, username as by, after from audit_log
       where action in ('sign-in failed', 'sign-in locked out', 'call refused')
       order by action, at, after::text`,
    )
  },
  /** Sums of entries about the account, and about unknown names. */
  'refusal-counts': async () => {
    await site().admins.refusals.flush()
    return site().sql(
      `select after->>'name' = 'Admin A' as own, count(*)::int between 11 and 32 as few,
         count(*) = 1 as one, sum(coalesce((after->>'times')::int, 1))::int as times
       from audit_log where action = 'sign-in failed' group by 1 order by 1`,
    )
  },
  /** Refusals counted since the first time. */
  metrics: async () => {
    const { body } = await site().app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    const isFirst = counters.size === 0
    const counted = COUNTERS.map((name) => {
      const now = Number(body.split(`\nproof_of_price_${name} `)[1]?.split('\n')[0] ?? 0)
      const since = now - (counters.get(name) ?? 0)
      counters.set(name, now)
      return `${name} ${String(since)}`
    })
    return isFirst ? undefined : counted
  },
  device: (name) => void devices.set(name, authenticator(TEST_ORIGIN)),
  challenge: async (words) => {
    const [name, browser] = split(words)
    challenges.set(name, await challengeFor(browser))
  },
  'add-passkey': async (words) => {
    const [name, more] = split(words)
    const [browser, input] = split(more)
    const { given = '', ...wrongs } = jsonOf<Wrongs & { given?: string }>(input)
    const challenge = challenges.get(given) ?? (await challengeFor(browser))
    const credential = devices.get(name)?.register(challenge, wrongs)
    const body = JSON.stringify({ name: 'Laptop', credential })
    return at(browser, 'POST', '/api/v1/admin/passkeys', body)
  },
  'use-passkey': async (words) => {
    const [name, input] = split(words)
    const { given = '', ...wrongs } = jsonOf<Wrongs & { given?: string }>(input)
    const challenge = challenges.get(given) ?? (await challengeFor())
    const payload = { credential: devices.get(name)?.signIn(challenge, wrongs) }
    const url = '/api/admin/passkeys/login'
    const sent = { 'sec-fetch-site': 'same-origin' }
    return entered(await site().app.inject({ method: 'POST', url, headers: sent, payload }))
  },
})

beforeEach(async () => {
  clock.set(NOON)
  await begin()
})

/** Blocks a change of the account in its transaction until the call has reached it, or has finished without. */
async function meanwhile<Answer>(change: readonly string[], call: () => Promise<Answer>) {
  const { pool } = site().database
  const changing = await pool.connect()
  try {
    await changing.query('begin')
    for (const statement of change) await changing.query(statement)
    let isOver = false
    const answer = call().finally(() => (isOver = true))
    const waits = async () => (await waitingForLocks(pool)) > 0
    await vi.waitUntil(async () => isOver || (await waits()), { timeout: 60_000 })
    await changing.query('commit')
    return await answer
  } finally {
    changing.release()
  }
}

it('signing in is refused while the account changes: its password, state or second factor; so is any creation by an ending session', async () => {
  const { sql } = site()
  await signedIn(site())
  const rows = await sql('select password_hash as hash from admins')
  for (const [change, answer] of [
    [`password_hash = 'another'`, 401],
    ['disabled_at = now()', 401],
    [`totp_secret = 'JBSWY3DPEHPK3PXP'`, 401],
    ['role = role', 200],
  ] as const) {
    const { statusCode } = await meanwhile([`update admins set ${change}`], () => logIn(''))
    expect([change, statusCode]).toEqual([change, answer])
    await sql('update admins set password_hash = $1, disabled_at = null, totp_secret = null', [
      rows[0]?.hash,
    ])
  }
  const locked = 'update admins set role = role'
  const ended = 'update admin_sessions set ended_at = now()'
  for (const [path, body] of [
    ['tokens', { password: PASSWORD, name: 'script' }],
    ['password', { current: PASSWORD, next: 'four lamps hum at noon' }],
  ] as const) {
    const by = await signedIn(site())
    const make = () => by.call('POST', `/api/v1/admin/${path}`, body)
    expect((await meanwhile([locked], make)).status).toBe(200)
    await sql('update admins set password_hash = $1', [rows[0]?.hash])
    expect([path, (await meanwhile([locked, ended], make)).status]).toEqual([path, 401])
  }
})

it('a session lets its owner read although its last use cannot be stored', async () => {
  const admin = await signedIn(site())
  const bearer = await script(admin)
  const full = ['admin_sessions', 'admin_tokens']
  const each = (statement: (table: string) => string) => site().sql(full.map(statement).join(';'))
  await site().sql(
    `create or replace function no_room() returns trigger language plpgsql as
       $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`,
  )
  await each((of) => `create trigger no_room before update on ${of} execute function no_room()`)
  clock.pass(61_000)
  expect([await opens(site(), admin.headers), await opens(site(), bearer)]).toEqual([200, 200])
  expect(outages).toEqual([expect.stringMatching(/database disk is full/)])
  await each((of) => `drop trigger no_room on ${of}`)
})

/** Log lines of a starting process. By default the database is built in, with its key next to it. */
async function startWith(
  own: Secrets,
  { secretsKey = null, databaseUrl = null }: Record<string, string | null> = {},
): Promise<string[]> {
  const lines: string[] = []
  const settings = { admin: { secretsKey }, databaseUrl, dataDir: '/data' }
  const log = {
    warn: (text: string) => void lines.push(`warn ${text}`),
    error: (text: string) => void lines.push(`error ${text}`),
  }
  await prepareSecondFactors(site().database.db, own, settings, log)
  return lines
}

it('an authenticator app is stored sealed; one of an earlier version is sealed at the start, and a lost key is reported', async () => {
  const { sql } = site()
  const admin = await signedIn(site())
  const { secret, code } = await withAuthenticatorApp(admin, clock)
  const opened = async () => {
    clock.pass(60_000)
    return (await logIn(JSON.stringify({ code: code() }))).statusCode
  }
  const stored = async () => (await sql('select totp_secret as totp from admins'))[0]?.totp
  const store = (text: string) => sql('update admins set totp_secret = $1', [text])
  expect(await stored()).toMatch(/^v1\.[\w-]{80,}$/)
  const all = await sql(`select string_agg(a::text, '') as all from admins a`)
  expect(JSON.stringify(all)).not.toContain(secret)

  await store(secret)
  const noKey = async () => Promise.reject(new Error('the key is asked for'))
  // A key that may be gone at the next start seals nothing; plain text still works.
  const elsewhere = { databaseUrl: 'postgres://elsewhere/site' }
  expect(await startWith(noKey, elsewhere)).toEqual([
    expect.stringMatching(/^warn .* of Admin A are not yet encrypted .* Set SECRETS_KEY/),
  ])
  expect(await stored()).toBe(secret)
  expect(await opened()).toBe(200)
  const keyed = { ...elsewhere, secretsKey: 'ab'.repeat(32) }
  for (const settings of [{}, keyed]) {
    await store(secret)
    expect(await startWith(secrets, settings)).toEqual([])
    expect(await stored()).toMatch(/^v1\./)
  }
  expect(await opened()).toBe(200)

  const other = secretsOf(async () => randomBytes(32))
  for (const [settings, lost] of [
    [{}, 'secrets.key in /data'],
    [keyed, 'SECRETS_KEY'],
  ] as const) {
    expect(await startWith(other, settings)).toEqual([
      expect.stringMatching(
        new RegExp(`^error The .* of Admin A cannot be checked.*Restore ${lost} and`),
      ),
    ])
  }
  // A secret sealed for another account is rejected.
  await store(usualKey.seal(secret, 'totp of admin 999'))
  clock.pass(60_000)
  // However often: these are not failed attempts.
  for (let n = 0; n < 6; n += 1) {
    const lost = await logIn(JSON.stringify({ code: code() }))
    expect(lost.statusCode).toBe(503)
    expect(lost.body).toMatch(/recovery code or a passkey.*the operator/)
    const body = { password: PASSWORD, code: code() }
    expect((await admin.call('POST', '/api/v1/admin/second-factor/off', body)).status).toBe(503)
  }
  await adminCommand(site(), clock, ['password', 'Admin A', '--drop-second-factor'], PASSWORD)
  expect(await opened()).toBe(200)
})

it('an authenticator app needs a key if one exists; the site says where it is needed and missing', async () => {
  secrets = async () => Promise.reject(new SecretsKeyError('no folder'))
  expect(await startWith(secrets)).toEqual([])
  const path = '/api/v1/admin/second-factor'
  expect(await (await signedIn(site())).call('POST', path, { password: PASSWORD })).toMatchObject({
    status: 503,
    body: { message: expect.stringMatching(/set SECRETS_KEY/) },
  })
})
