// Over 400 lines: every way into an account, and how each one ends.
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { PASSWORD, signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { movingClock } from '#tests/support/review.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { prepareSecondFactors } from '#server/admins/prepare-admins.service.ts'
import { SecretsKeyError, secretBox, secretsOf, type Secrets } from '#server/kit/secrets.ts'
import { addPasskey } from '#server/admins/access.store.ts'
import { adminCommand } from '#tests/support/admin-command.ts'
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'

// Over 400 lines: every way into an account and every way it ends, tried with the same sign-in.

const { site, clock } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

const START = Date.parse('2026-11-20T12:00:00Z')
const OTHER = 'four lamps hum at noon'
const DAY_MS = 86_400_000

function login(world: TestApp, payload: object, remoteAddress = '192.0.2.1') {
  const headers = { 'sec-fetch-site': 'same-origin' }
  return world.app.inject({
    method: 'POST',
    url: '/api/admin/login',
    headers,
    payload,
    remoteAddress,
  })
}

/** A token of an account, as the headers of a script. */
async function script(admin: SignedInBrowser, given: object = {}) {
  const made = await admin.call('POST', '/api/v1/admin/tokens', {
    password: PASSWORD,
    name: 'script',
    ...given,
  })
  const { token } = z.object({ token: z.string() }).parse(made.body)
  return { authorization: `Bearer ${token}` }
}

const opens = async (world: TestApp, headers: Record<string, string>) =>
  (await world.app.inject({ url: '/api/admin/test', headers })).statusCode

/** A passkey as it is kept; no test here signs with it. */
async function keepPasskey(world: TestApp, adminId: number, id = 'a-passkey'): Promise<void> {
  const at = new Date(START).toISOString()
  await addPasskey(world.database.db, {
    id,
    adminId,
    name: 'Laptop',
    publicKey: new Uint8Array(8),
    counter: 0,
    transports: [],
    createdAt: at,
  })
}

async function passkeysLeft(world: TestApp): Promise<number> {
  const { rows } = await world.database.pool.query<{ n: number }>(
    'select count(*)::int n from passkeys',
  )
  return rows[0]?.n ?? -1
}

/** Sets an authenticator app up. @returns its codes for the present, and the recovery codes */
async function setUp(admin: SignedInBrowser, clock: { now: () => number }) {
  const started = await admin.call('POST', '/api/v1/admin/second-factor', { password: PASSWORD })
  const { secret } = z.object({ secret: z.string() }).parse(started.body)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => totp.generate({ timestamp: clock.now() })
  const on = await admin.call('POST', '/api/v1/admin/second-factor/confirm', { code: code() })
  const { message, recovery_codes: recovery } = z
    .object({ message: z.string(), recovery_codes: z.array(z.string()) })
    .parse(on.body)
  return { secret, code, message, recovery }
}

/** What the start of a process says of the second factors. Without `given` its database is built in, and its key lies beside it. */
async function startWith(
  world: TestApp,
  secrets: Secrets,
  given: { databaseUrl?: string; secretsKey?: string } = {},
): Promise<string[]> {
  const said: string[] = []
  const settings = {
    admin: { secretsKey: given.secretsKey ?? null },
    databaseUrl: given.databaseUrl ?? null,
    dataDir: '/data',
  }
  const log = {
    warn: (text: string) => void said.push(`warn ${text}`),
    error: (text: string) => void said.push(`error ${text}`),
  }
  await prepareSecondFactors(world.database.db, secrets, settings, log)
  return said
}

it('someone who got into an account loses access when its password is set on the command line, and a disabled account stays disabled', async () => {
  const bearer = await script(admin)
  await keepPasskey(world, admin.id)
  expect(await adminCommand(world, clock, ['password', 'admin a'], OTHER)).toEqual([
    'The password of Admin A is set. Ended: 1 session, 1 token and 1 passkey.',
  ])
  expect(await opens(world, { ...admin.headers })).toBe(401)
  expect(await opens(world, bearer)).toBe(401)
  expect(await passkeysLeft(world)).toBe(0)

  await adminCommand(world, clock, ['disable', 'Admin A'])
  expect(await adminCommand(world, clock, ['password', 'Admin A'], PASSWORD)).toEqual([
    'The password of Admin A is set. There was no session, token or passkey to end.',
    'Admin A is still disabled. See: admin enable',
  ])
  const good = { username: 'Admin A', password: PASSWORD }
  expect((await login(world, good)).statusCode).toBe(401)
  await adminCommand(world, clock, ['enable', 'Admin A'])
  clock.pass(60_000)
  expect((await login(world, good)).statusCode).toBe(200)
  expect(await opens(world, bearer)).toBe(401)
  await expect(adminCommand(world, clock, ['enable', 'Admin A'])).rejects.toThrow(/not disabled/)
})

it('someone who got into an account loses access when it is disabled, tokens and passkeys included', async () => {
  const bearer = await script(admin)
  await keepPasskey(world, admin.id)
  // Disabled by another hand, with nothing else touched: that alone shuts both doors.
  await world.database.pool.query('update admins set disabled_at = now()')
  expect(await opens(world, { ...admin.headers })).toBe(401)
  expect(await opens(world, bearer)).toBe(401)
  await world.database.pool.query('update admins set disabled_at = null')
  expect(await opens(world, bearer)).toBe(200)
  expect(await adminCommand(world, clock, ['disable', 'Admin A'])).toEqual([
    'Admin A cannot sign in any more. Ended: 1 session, 1 token and 1 passkey.',
  ])
  await adminCommand(world, clock, ['enable', 'Admin A'])
  expect(await opens(world, { ...admin.headers })).toBe(401)
  expect(await opens(world, bearer)).toBe(401)
  expect(await passkeysLeft(world)).toBe(0)
})

it('someone who got into an account loses access when its owner changes the password: tokens end, and passkeys that are not kept', async () => {
  const here = admin
  const there = await signedIn(world)
  const bearer = await script(here)
  await keepPasskey(world, here.id)
  const change = (body: object) => here.call('POST', '/api/v1/admin/password', body)
  expect((await change({ current: 'guess', next: OTHER })).status).toBe(400)
  expect((await change({ current: PASSWORD, next: 'short' })).body).toMatchObject({
    fields: { next: 'A password needs at least 12 characters.' },
  })
  const kept = await change({ current: PASSWORD, next: OTHER, keep_passkeys: true })
  expect(kept.body).toMatchObject({
    message: 'Password changed. Ended: 1 other session and 1 token.',
  })
  expect((await login(world, { username: 'Admin A', password: PASSWORD })).statusCode).toBe(401)
  expect(await opens(world, { ...here.headers })).toBe(200)
  expect(await opens(world, { ...there.headers })).toBe(401)
  expect(await opens(world, bearer)).toBe(401)
  expect(await passkeysLeft(world)).toBe(1)
  const dropped = await change({ current: OTHER, next: PASSWORD })
  expect(dropped.body).toMatchObject({ message: 'Password changed. Ended: 1 passkey.' })
  const again = await change({ current: PASSWORD, next: OTHER, keep_passkeys: true })
  expect(again.body).toMatchObject({
    message: 'Password changed. There was no other session or token to end.',
  })
  expect(await passkeysLeft(world)).toBe(0)
})

it('someone who got into an account loses access when its owner signs out everywhere, by a token, too', async () => {
  const here = admin
  const there = await signedIn(world)
  const bystander = await signedIn(world, 'Admin B')
  const bearer = await script(here)
  const out = await here.call('DELETE', '/api/v1/admin/sessions')
  expect(out.body).toMatchObject({ message: 'Ended: 2 sessions and 1 token. Passkeys stay.' })
  expect(await opens(world, { ...here.headers })).toBe(401)
  expect(await opens(world, { ...there.headers })).toBe(401)
  expect(await opens(world, { ...bystander.headers })).toBe(200)
  expect(await opens(world, bearer)).toBe(401)
})

it('all ways into an account, or all of a kind, are ended by the command line', async () => {
  const bearer = await script(admin)
  await keepPasskey(world, admin.id)
  const revoke = (...words: string[]) => adminCommand(world, clock, ['revoke', ...words])
  await expect(revoke('Admin A')).rejects.toThrow(/name --sessions/)
  await expect(revoke('nobody', '--all')).rejects.toThrow(/no account/)
  expect(await revoke('Admin A', '--tokens')).toEqual(['Ended: 1 token.'])
  expect(await opens(world, bearer)).toBe(401)
  expect(await revoke('Admin A', '--tokens')).toEqual(['There was no token to end.'])
  expect(await opens(world, { ...admin.headers })).toBe(200)
  expect(await revoke('Admin A', '--all')).toEqual(['Ended: 1 session and 1 passkey.'])
  expect(await opens(world, { ...admin.headers })).toBe(401)
  // A password may have spaces: there is no name that it could hold.
  const hashed = await adminCommand(world, clock, ['hash'], 'k3R9 q2Lm vT7x')
  expect(hashed).toEqual([expect.stringMatching(/^\$argon2id\$/)])
})

/** Has a change of the account wait in its transaction until the call has come up to it, or has gone on without. */
async function meanwhile<Answer>(
  world: TestApp,
  change: readonly string[],
  call: () => Promise<Answer>,
): Promise<Answer> {
  const { pool } = world.database
  const changing = await pool.connect()
  try {
    await changing.query('begin')
    for (const statement of change) await changing.query(statement)
    let isOver = false
    const answer = call().finally(() => (isOver = true))
    const waits = async (): Promise<boolean> => {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return (rows[0]?.n ?? 0) > 0
    }
    await vi.waitUntil(async () => isOver || (await waits()), { timeout: 60_000 })
    await changing.query('commit')
    return await answer
  } finally {
    changing.release()
  }
}

describe('a way in that is being made while the account changes', () => {
  const good = { username: 'Admin A', password: PASSWORD }
  const ended = 'update admin_sessions set ended_at = now()'

  it('a way in that is being made while the account changes is refused: signing in with the old password, or to an account that is disabled', async () => {
    await signedIn(world)
    const { pool } = world.database
    const signIn = () => login(world, good)
    const { rows } = await pool.query<{ hash: string }>('select password_hash as hash from admins')
    const newPassword = `update admins set password_hash = 'another'`
    expect((await meanwhile(world, [newPassword], signIn)).statusCode).toBe(401)
    await pool.query('update admins set password_hash = $1', [rows[0]?.hash])
    const disabled = 'update admins set disabled_at = now()'
    expect((await meanwhile(world, [disabled], signIn)).statusCode).toBe(401)
    await pool.query('update admins set disabled_at = null')
    const factor = `update admins set totp_secret = 'JBSWY3DPEHPK3PXP'`
    expect((await meanwhile(world, [factor], signIn)).statusCode).toBe(401)
    await pool.query('update admins set totp_secret = null')
    // A change of something else lets them in.
    expect((await meanwhile(world, ['update admins set role = role'], signIn)).statusCode).toBe(200)
  })

  it('a way in that is being made while the account changes is refused: a token of a session that ends with it', async () => {
    const make = () =>
      admin.call('POST', '/api/v1/admin/tokens', { password: PASSWORD, name: 'script' })
    const locked = 'update admins set role = role'
    expect((await meanwhile(world, [locked], make)).status).toBe(200)
    expect((await meanwhile(world, [locked, ended], make)).status).toBe(401)
  })
})

it('a last use that cannot be noted stops no one from reading', async () => {
  const clock = movingClock()
  const said: string[] = []
  await using world = await testApp({ clock, warn: (text) => void said.push(text) })
  const admin = await signedIn(world)
  const bearer = await script(admin)
  await world.database.pool.query(
    `create function no_room() returns trigger language plpgsql as
       $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
     create trigger full_sessions before update on admin_sessions execute function no_room();
     create trigger full_tokens before update on admin_tokens execute function no_room()`,
  )
  clock.pass(61_000)
  expect((await admin.call('GET', '/api/admin/prediction_submissions')).status).toBe(200)
  expect(await opens(world, bearer)).toBe(200)
  expect(said).toEqual([expect.stringMatching(/database disk is full/)])
})

it('a token reads whose it is, and nothing of the sessions, tokens and passkeys', async () => {
  await keepPasskey(world, admin.id)
  const me = { url: '/api/v1/admin/me', headers: await script(admin) }
  expect((await world.app.inject(me)).json()).toMatchObject({
    username: 'Admin A',
    sessions: [],
    tokens: [],
    passkeys: [],
  })
})

it('a token ends by itself, at the latest after a year', async () => {
  const short = await script(admin, { days: 2 })
  const usual = await script(admin)
  clock.pass(2 * DAY_MS - 1_000)
  expect(await opens(world, short)).toBe(200)
  clock.pass(2_000)
  expect(await opens(world, short)).toBe(401)
  clock.pass(88 * DAY_MS)
  expect(await opens(world, usual)).toBe(401)
  const again = await signedIn(world)
  for (const days of [366, null, 0]) {
    const made = await again.call('POST', '/api/v1/admin/tokens', {
      password: PASSWORD,
      name: 'script',
      days,
    })
    expect(made.status).toBe(400)
  }
})

it('a second factor ends the other sessions when it is turned on, and is turned off or replaced with a code only', async () => {
  const here = admin
  const there = await signedIn(world)
  const { code, message, recovery } = await setUp(here, clock)
  expect(message).toBe('The second factor is on. Ended: 1 other session.')
  expect(recovery).toHaveLength(10)
  expect(await opens(world, { ...there.headers })).toBe(401)
  expect(await opens(world, { ...here.headers })).toBe(200)

  const call = (path: string, body: object) =>
    here.call('POST', `/api/v1/admin/${path}`, { password: PASSWORD, ...body })
  expect((await call('second-factor', {})).status).toBe(409)
  // Another way in is a way past it.
  expect((await call('passkeys/options', {})).body).toMatchObject({ fields: { code: /code/ } })
  expect((await call('second-factor/off', { code: '000000' })).status).toBe(400)
  clock.pass(30_000)
  expect((await call('second-factor/off', { password: 'guess', code: code() })).status).toBe(400)
  clock.pass(60_000)
  const off = await call('second-factor/off', { code: code() })
  expect(off.body).toMatchObject({ message: 'The second factor is off.' })
  const plain = { username: 'Admin A', password: PASSWORD }
  expect((await login(world, plain)).statusCode).toBe(200)
})

it('a second factor has recovery codes that open once each, however they are typed', async () => {
  const { code, recovery } = await setUp(admin, clock)
  const [first = '', second = '', third = ''] = recovery
  const good = { username: 'Admin A', password: PASSWORD }
  const typed = first.toLowerCase().replaceAll('-', ' ')
  expect((await login(world, { ...good, code: typed })).statusCode).toBe(200)
  expect((await login(world, { ...good, code: first })).statusCode).toBe(401)
  const me = await admin.call('GET', '/api/v1/admin/me')
  expect(me.body).toMatchObject({ second_factor: true, recovery_codes: 9 })
  const codes = '/api/v1/admin/second-factor/recovery-codes'
  clock.pass(60_000)
  const renewed = await admin.call('POST', codes, { password: PASSWORD, code: code() })
  expect(renewed.body).toMatchObject({ recovery_codes: { length: 10 } })
  expect((await login(world, { ...good, code: second })).statusCode).toBe(401)
  clock.pass(60_000)
  await adminCommand(world, clock, ['password', 'Admin A', '--drop-second-factor'], PASSWORD)
  expect((await login(world, { ...good, code: third })).statusCode).toBe(200)
  const { rows } = await world.database.pool.query<{ left: string[] }>(
    'select recovery_codes as left from admins',
  )
  expect(rows).toEqual([{ left: [] }])
  const noted = await world.database.pool.query<{ action: string }>(
    "select action from audit_log where action like 'recovery code%' order by id",
  )
  expect(noted.rows.map(({ action }) => action)).toEqual([
    'recovery code used',
    'recovery codes made',
  ])
})

it('a second factor slows a guesser of recovery codes like one of any other code', async () => {
  const { recovery } = await setUp(await signedIn(world), clock)
  const guess = (code: string) =>
    login(world, { username: 'Admin A', password: PASSWORD, code }, '198.51.100.7')
  const answers = []
  for (let n = 0; n < 8; n += 1) answers.push(await guess(`AAAABBBBCCCCDDD${'234567'[n % 6]}`))
  expect(answers.map(({ statusCode }) => statusCode)).toContain(429)
  const refused = await guess(recovery[0] ?? '')
  expect(refused.statusCode).toBe(429)
  const { message } = refused.json<{ message: string }>()
  const seconds = Number(refused.headers['retry-after'])
  expect(message).toBe(
    `Too many attempts. Try again in ${String(seconds)} second${seconds === 1 ? '' : 's'}.`,
  )
})

it('a second factor is kept sealed; one of an earlier version is sealed at the start, and a lost key is reported', async () => {
  const clock = movingClock()
  const key = secretBox(randomBytes(32))
  await using world = await testApp({ clock, ports: { secrets: async () => key } })
  const { pool } = world.database
  const admin = await signedIn(world)
  const { secret, code } = await setUp(admin, clock)
  const stored = async () =>
    (await pool.query<{ totp: string }>('select totp_secret as totp from admins')).rows[0]?.totp
  expect(await stored()).toMatch(/^v1\.[\w-]{80,}$/)
  const all = await pool.query(`select string_agg(a::text, '') as all from admins a`)
  expect(JSON.stringify(all.rows)).not.toContain(secret)

  await pool.query('update admins set totp_secret = $1', [secret])
  const noKey = async () => Promise.reject(new Error('the key is asked for'))
  // A key that may be gone at the next start seals nothing; what is in the clear still works.
  const elsewhere = { databaseUrl: 'postgres://elsewhere/site' }
  expect(await startWith(world, noKey, elsewhere)).toEqual([
    expect.stringMatching(/^warn .* of Admin A are not encrypted .* set SECRETS_KEY/),
  ])
  expect(await stored()).toBe(secret)
  clock.pass(60_000)
  const plainly = { username: 'Admin A', password: PASSWORD, code: code() }
  expect((await login(world, plainly)).statusCode).toBe(200)
  expect(await startWith(world, async () => key)).toEqual([])
  expect(await stored()).toMatch(/^v1\./)
  await pool.query('update admins set totp_secret = $1', [secret])
  const keyed = { ...elsewhere, secretsKey: 'ab'.repeat(32) }
  expect(await startWith(world, async () => key, keyed)).toEqual([])
  expect(await stored()).toMatch(/^v1\./)
  clock.pass(60_000)
  const good = { username: 'Admin A', password: PASSWORD }
  expect((await login(world, { ...good, code: code() })).statusCode).toBe(200)

  const other = secretsOf(async () => randomBytes(32))
  for (const [settings, lost] of [
    [{}, 'secrets.key in /data'],
    [keyed, 'SECRETS_KEY'],
  ] as const) {
    const said = await startWith(world, other, settings)
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/^error The authenticator apps of Admin A cannot be checked/)
    expect(said[0]).toContain(`Put the right ${lost} back`)
  }
  // Sealed for another account, it is worth nothing here.
  await pool.query('update admins set totp_secret = $1', [key.seal(secret, 'totp of admin 999')])
  clock.pass(60_000)
  // However often: these are no failed tries.
  for (let n = 0; n < 6; n += 1) {
    const lost = await login(world, { ...good, code: code() })
    expect(lost.statusCode).toBe(503)
    expect(lost.json()).toMatchObject({ message: /recovery code or a passkey.*the operator/ })
    const removed = await admin.call('POST', '/api/v1/admin/second-factor/off', {
      password: PASSWORD,
      code: code(),
    })
    expect(removed.status).toBe(503)
  }
  await adminCommand(world, clock, ['password', 'Admin A', '--drop-second-factor'], PASSWORD)
  clock.pass(60_000)
  expect((await login(world, good)).statusCode).toBe(200)
})

it('an account needs no key of second factors where there are none; the site says where it is needed and missing', async () => {
  const missing = async () => Promise.reject(new SecretsKeyError('no folder'))
  await using world = await testApp({ ports: { secrets: missing } })
  const admin = await signedIn(world)
  expect(await startWith(world, missing)).toEqual([])
  const start = await admin.call('POST', '/api/v1/admin/second-factor', { password: PASSWORD })
  expect(start).toMatchObject({ status: 503, body: { message: /set SECRETS_KEY/ } })
})

it('a passkey is a second factor as well, and is removed with the password and the code of the app only', async () => {
  await keepPasskey(world, admin.id)
  const remove = (body: object) =>
    admin.call('POST', '/api/v1/admin/passkeys/a-passkey/remove', body)
  expect((await remove({})).status).toBe(400)
  expect(await remove({ password: 'guess' })).toMatchObject({
    status: 400,
    body: { fields: { password: /not your password/ } },
  })
  const { code } = await setUp(admin, clock)
  expect((await remove({ password: PASSWORD })).body).toMatchObject({ fields: { code: /code/ } })
  expect(await passkeysLeft(world)).toBe(1)
  clock.pass(60_000)
  const gone = await remove({ password: PASSWORD, code: code() })
  expect(gone.body).toMatchObject({ message: 'Passkey removed' })
  expect(await passkeysLeft(world)).toBe(0)
})

describe('a refusal', () => {
  const entries = async (world: TestApp) => {
    const { rows } = await world.database.pool.query<{
      action: string
      subject: string | null
      by: string
      after: Record<string, unknown>
    }>(
      `select action, subject_id as subject, username as by, after from audit_log
       where action in ('sign-in failed', 'sign-in locked out', 'call refused') order by id`,
    )
    return rows
  }
  const settled = (world: TestApp) => world.admins.refusals.flush()

  it('a refusal is in the audit log, by account, why and from where, without what was typed', async () => {
    const clock = movingClock()
    await using world = await testApp({
      clock,
      settings: { admin: { metricsToken: 'a-token-of-sixteen-or-more' } },
    })
    const admin = await signedIn(world)
    const reviewer = await signedIn(world, 'Reviewer', 'reviewer')
    const from = '198.51.100.7'
    for (let n = 0; n < 8; n += 1) {
      await login(world, { username: 'Admin A', password: `guess ${String(n)}` }, from)
    }
    await login(world, { username: 'my-secret-password', password: 'x' }, '2001:db8::5')
    const bearer = await script(admin)
    const settings = '/api/v1/admin/social/settings'
    await reviewer.call('PUT', settings, {})
    await world.app.inject({ method: 'DELETE', url: '/api/v1/admin/sessions', headers: bearer })
    await world.app.inject({
      method: 'POST',
      url: '/api/admin/logout',
      headers: { ...admin.headers, 'sec-fetch-site': 'cross-site' },
    })
    await world.app.inject({
      url: '/api/admin/test',
      headers: { authorization: `Bearer ${'x'.repeat(40)}` },
    })
    await world.app.inject({ url: '/api/admin/test' })
    await settled(world)
    const found = await entries(world)
    const id = String(admin.id)
    const call = 'PUT /api/v1/admin/social/settings'
    expect(found).toEqual(
      expect.arrayContaining([
        {
          action: 'sign-in failed',
          subject: id,
          by: 'visitor',
          after: expect.objectContaining({
            why: 'wrong password',
            name: 'Admin A',
            address: from,
            times: 4,
          }),
        },
        expect.objectContaining({ action: 'sign-in locked out', subject: id }),
        {
          action: 'sign-in failed',
          subject: null,
          by: 'visitor',
          after: { why: 'unknown name', name: 'unknown name', address: '2001:db8:0:0' },
        },
        expect.objectContaining({
          after: { why: 'role', name: 'Reviewer', call, address: reviewer.remoteAddress },
        }),
        expect.objectContaining({
          by: 'Admin A',
          after: {
            why: 'token for the account',
            name: 'Admin A',
            call: 'DELETE /api/v1/admin/sessions',
            address: '127.0.0.1',
          },
        }),
        expect.objectContaining({
          after: expect.objectContaining({ why: 'another site', name: 'Admin A' }),
        }),
        expect.objectContaining({ after: expect.objectContaining({ why: 'token not valid' }) }),
      ]),
    )
    expect(JSON.stringify(found)).not.toMatch(/guess|secret-password|xxxx/)
    const metrics = await world.app.inject({
      url: '/metrics',
      headers: { authorization: 'Bearer a-token-of-sixteen-or-more' },
    })
    const count = (name: string) =>
      Number(
        metrics.body
          .split('\n')
          .find((line) => line.startsWith(`proof_of_price_${name} `))
          ?.split(' ')
          .at(-1),
      )
    const [wrong, locked] = [
      count('sign_ins_total{outcome="wrong password"}'),
      count('sign_ins_total{outcome="locked out"}'),
    ]
    expect(wrong).toBeGreaterThan(0)
    expect(locked).toBeGreaterThan(0)
    expect(wrong + locked).toBe(8)
    expect(count('refusals_total{why="role"}')).toBe(1)
    expect(count('refusals_total{why="not signed in"}')).toBe(2)
  })

  it('refusals of one network are one entry that counts up, and another one after an hour', async () => {
    const tries = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await login(world, { username: `name ${String(n)}`, password: 'x' }, '198.51.100.7')
        clock.pass(60_000)
      }
      await settled(world)
    }
    const unknown = async () =>
      (await entries(world)).filter(({ after }) => after['why'] === 'unknown name')
    await tries(1)
    const after = { why: 'unknown name', name: 'unknown name', address: '198.51.100.7' }
    expect(await unknown()).toEqual([
      { action: 'sign-in failed', subject: null, by: 'visitor', after },
    ])
    const [from, to] = [clock.now() - 60_000, clock.now() + 3 * 60_000]
    await tries(4)
    const iso = (ms: number) => new Date(ms).toISOString()
    const counted = { ...after, times: 5, from: iso(from), to: iso(to) }
    expect((await unknown()).map((one) => one.after)).toEqual([counted])
    clock.pass(3_600_000)
    await tries(1)
    expect((await unknown()).map((one) => one.after)).toEqual([counted, after])
    // A neighbour is no other one, and is not mistaken for it.
    await login(world, { username: 'name', password: 'x' }, '198.51.100.8')
    await settled(world)
    expect((await unknown())[1]?.after).toMatchObject({ times: 2, address: '198.51.100.0/24' })
  })

  it('refusals cannot fill the disk: what repeats within an hour is one entry with its number', async () => {
    const tries = 130
    for (let n = 0; n < tries; n += 1) {
      const address = `203.${String(n)}.0.1`
      await login(world, { username: `name ${String(n)}`, password: 'x' }, address)
    }
    // It cannot hide what concerns an account, either.
    await signedIn(world)
    await login(world, { username: 'Admin A', password: 'guess' }, '203.0.113.8')
    await settled(world)
    const all = await entries(world)
    const after = { why: 'wrong password', name: 'Admin A', address: '203.0.113.8' }
    const own = all.filter((one) => one.after['name'] === 'Admin A')
    expect(own).toMatchObject([{ action: 'sign-in failed', after }])
    const found = all.filter((one) => !own.includes(one))
    expect(found.length).toBeGreaterThan(10)
    expect(found.length).toBeLessThanOrEqual(32)
    const times = found.reduce((sum, { after }) => sum + Number(after['times'] ?? 1), 0)
    expect(times).toBe(tries)
    // The next hour starts from zero.
    clock.pass(3_600_001)
    await login(world, { username: 'name', password: 'x' }, '203.0.113.9')
    await settled(world)
    expect(await entries(world)).toHaveLength(all.length + 1)
  })
})
