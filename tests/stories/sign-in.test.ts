import { type TestApp } from '#tests/support/test-app.ts'
import { PASSWORD, signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { beforeEach, expect, it } from 'vitest'
import { addAdmin } from '#server/admins/admins.store.ts'
import { signInTries } from '#server/database/schema/admins.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { Secret, TOTP } from 'otpauth'
import { CHEAP } from '#tests/support/test-site.ts'

const { site, clock } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

const START = Date.parse('2026-11-20T12:00:00Z')

async function make(username = 'Admin A'): Promise<void> {
  await addAdmin(world.database.db, {
    username,
    role: 'administrator',
    passwordHash: await passwordHasher(CHEAP).hash(PASSWORD),
    fromEnvironment: false,
    createdAt: new Date(START).toISOString(),
  })
}

function login(
  payload: object,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  remoteAddress = '192.0.2.1',
) {
  return world.app.inject({
    method: 'POST',
    url: '/api/admin/login',
    headers,
    payload,
    remoteAddress,
  })
}

/** How often each status came. */
function tally(codes: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

it('signing in gives a session that opens admin calls, and the shape of the specification', async () => {
  await make()
  const response = await login({ username: ' ADMIN a', password: PASSWORD })
  expect(response.json()).toEqual({ success: true, message: 'Logged in', username: 'Admin A' })
  const cookie = response.cookies[0]
  expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Strict', path: '/' })
  const probe = await world.app.inject({
    url: '/api/admin/test',
    headers: { cookie: `session=${cookie?.value ?? ''}` },
  })
  expect(probe.json()).toMatchObject({ success: true, username: 'Admin A' })
  expect(probe.headers['cache-control']).toBe('no-store')
})

it('signing in answers the same to a wrong password and to an unknown name', async () => {
  await make()
  const wrong = await login({ username: 'Admin A', password: 'not the password' })
  const unknown = await login({ username: 'nobody', password: 'not the password' })
  expect(wrong.statusCode).toBe(401)
  expect(wrong.body).toBe(unknown.body)
  expect(wrong.cookies).toEqual([])
  const empty = await login({ username: '', password: '' })
  expect(empty.json()).toMatchObject({ message: 'Please enter both username and password' })
})

it('signing in slows brute force by name and by address, and a new process remembers it', async () => {
  await make()
  const tries = Array.from({ length: 8 }, () => login({ username: 'Admin A', password: 'guess' }))
  const codes = (await Promise.all(tries)).map(({ statusCode }) => statusCode)
  expect(tally(codes)).toEqual({ 401: 4, 429: 4 })
  const right = await login({ username: 'Admin A', password: PASSWORD })
  expect(right.statusCode).toBe(429)
  expect(right.json<{ message: string }>().message).toMatch(
    /Try again in (?:1 second|\d+ seconds)\.$/,
  )
  expect(Number(right.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  // The counters stand in the database: another process finds them there.
  expect(await world.database.db.select().from(signInTries)).toHaveLength(1)
  clock.pass(16 * 60_000)
  expect((await login({ username: 'Admin A', password: PASSWORD })).statusCode).toBe(200)
})

it('signing in does not let strangers lock an admin out of a place they have signed in from', async () => {
  await make()
  const home = '192.0.2.7'
  const good = { username: 'Admin A', password: PASSWORD }
  expect((await login(good, undefined, home)).statusCode).toBe(200)
  for (let n = 0; n < 40; n += 1) {
    await login({ ...good, password: 'guess' }, undefined, `198.51.100.${String(n)}`)
  }
  expect((await login(good, undefined, '198.51.100.77')).statusCode).toBe(429)
  expect((await login(good, undefined, home)).statusCode).toBe(200)
})

it('signing in counts a whole IPv6 prefix before it hashes, and leaves a lane where one has signed in', async () => {
  await make()
  const good = { username: 'Admin A', password: PASSWORD }
  expect((await login(good, undefined, '2001:db8:5:1::1')).statusCode).toBe(200)
  const strangers = Array.from({ length: 40 }, (_, n) =>
    login({ username: `guess ${String(n)}`, password: 'x' }, undefined, `2001:db8:0:${n}::1`),
  )
  // Another address of the same network, as computers take a new one daily; and a newcomer's.
  const [known, newcomer] = await Promise.all([
    login(good, undefined, '2001:db8:5:1::abcd'),
    login(good, undefined, '203.0.113.7'),
  ])
  expect([known.statusCode, newcomer.statusCode]).toEqual([200, 200])
  const codes = (await Promise.all(strangers)).map(({ statusCode }) => statusCode)
  expect(tally(codes)).toEqual({ 401: 10, 429: 30 })
})

it('signing in from a network where one has signed in is not stopped by tries of the name elsewhere', async () => {
  await make()
  const good = { username: 'Admin A', password: PASSWORD }
  expect((await login(good, undefined, '2001:db8:5:1::1')).statusCode).toBe(200)
  for (let n = 0; n < 6; n += 1)
    await login({ ...good, password: 'x' }, undefined, `203.1.${String(n)}.1`)
  expect((await login(good, undefined, '203.0.114.7')).statusCode).toBe(429)
  expect((await login(good, undefined, '2001:db8:5:1::abcd')).statusCode).toBe(200)
})

it('signing in refuses a login that another site makes a browser send', async () => {
  await make()
  const good = { username: 'Admin A', password: PASSWORD }
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  expect((await login(good, crossSite)).statusCode).toBe(403)
  const oldBrowser = { origin: 'https://elsewhere.example', host: 'localhost:3001' }
  expect((await login(good, oldBrowser)).statusCode).toBe(403)
  const otherScheme = { origin: 'https://localhost:3001', host: 'localhost:3001' }
  expect((await login(good, otherScheme)).statusCode).toBe(403)
  const own = { origin: 'http://localhost:3001', host: 'localhost:3001' }
  expect((await login(good, own)).statusCode).toBe(200)
})

it('a session never keeps the token that was there before signing in', async () => {
  const first = await signedIn(world)
  const again = await world.app.inject({
    method: 'POST',
    url: '/api/admin/login',
    headers: first.headers,
    payload: { username: 'Admin A', password: PASSWORD },
  })
  const planted = 'a'.repeat(43)
  expect(again.cookies[0]?.value).not.toBe(planted)
  expect(first.headers['cookie']).not.toContain(again.cookies[0]?.value ?? 'none')
  expect((await first.call('GET', '/api/admin/test')).status).toBe(401)
  const fixed = await world.app.inject({
    url: '/api/admin/test',
    headers: { cookie: `session=${planted}` },
  })
  expect(fixed.statusCode).toBe(401)
})

it('a session ends when unused for half a day, after a week, and on logout', async () => {
  const idle = await signedIn(world)
  clock.pass(11 * 3_600_000)
  expect((await idle.call('GET', '/api/admin/test')).status).toBe(200)
  clock.pass(13 * 3_600_000)
  expect((await idle.call('GET', '/api/admin/test')).status).toBe(401)
  const busy = await signedIn(world)
  for (let n = 0; n < 17; n += 1) {
    clock.pass(10 * 3_600_000)
    await busy.call('GET', '/api/admin/test')
  }
  expect((await busy.call('GET', '/api/admin/test')).status).toBe(401)
  const last = await signedIn(world)
  expect((await last.call('POST', '/api/admin/logout')).status).toBe(200)
  expect((await last.call('GET', '/api/admin/test')).status).toBe(401)
})

it("a session is listed, and ended by its owner only; another owner's is not found", async () => {
  const a = admin
  const other = await signedIn(world, 'Admin A')
  const b = await signedIn(world, 'Admin B')
  const { sessions } = (await a.call('GET', '/api/v1/admin/me')).body as {
    sessions: { id: string; current: boolean }[]
  }
  expect(sessions).toHaveLength(2)
  const stranger = sessions.find(({ current }) => !current)?.id ?? ''
  expect((await b.call('DELETE', `/api/v1/admin/sessions/${stranger}`)).status).toBe(404)
  expect((await a.call('DELETE', `/api/v1/admin/sessions/${stranger}`)).status).toBe(200)
  expect((await other.call('GET', '/api/admin/test')).status).toBe(401)
})

it('an account names a token without what is no character', async () => {
  const half = await admin.call('POST', '/api/v1/admin/tokens', {
    password: PASSWORD,
    name: 'half \ud800',
  })
  expect(half.status).toBe(200)
  const noted = await world.database.pool.query<{ n: number }>(
    `select count(*)::int n from audit_log where after ->> 'name' = $1`,
    ['half'],
  )
  expect(noted.rows[0]?.n).toBe(1)
})

it('an account takes a second factor once it was tried; a code opens once', async () => {
  const started = await admin.call('POST', '/api/v1/admin/second-factor', { password: PASSWORD })
  const { secret, uri } = started.body as { secret: string; uri: string }
  expect(uri).toMatch(/^otpauth:\/\/totp\/Proof%20of%20Price:Admin%20A\?/)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => totp.generate({ timestamp: clock.now() })
  const good = { username: 'Admin A', password: PASSWORD }
  expect((await login(good)).statusCode).toBe(200)
  const wrong = await admin.call('POST', '/api/v1/admin/second-factor/confirm', { code: '000' })
  expect(wrong.status).toBe(400)
  const right = await admin.call('POST', '/api/v1/admin/second-factor/confirm', { code: code() })
  expect(right.status).toBe(200)

  const asked = await login(good)
  expect(asked.json()).toMatchObject({ code: 'second_factor' })
  const replay = await login({ ...good, code: code() })
  expect(replay.statusCode).toBe(401)
  clock.pass(30_000)
  expect((await login({ ...good, code: code() })).statusCode).toBe(200)
  expect((await login({ ...good, code: code() })).statusCode).toBe(401)
  expect((await login({ ...good, password: 'guess', code: code() })).statusCode).toBe(401)
})

it('an account slows a guesser of codes who knows the password, though they ask for a code in between', async () => {
  const started = await admin.call('POST', '/api/v1/admin/second-factor', { password: PASSWORD })
  const { secret } = started.body as { secret: string }
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = totp.generate({ timestamp: clock.now() })
  await admin.call('POST', '/api/v1/admin/second-factor/confirm', { code })
  const good = { username: 'Admin A', password: PASSWORD }
  const from = (n: number) => `203.2.${String(n)}.1`
  // Asking alone is no failed try.
  for (let n = 0; n < 8; n += 1) {
    expect((await login(good, undefined, from(n))).statusCode).toBe(401)
  }
  const codes: number[] = []
  for (let n = 10; n < 30; n += 1) {
    const guess = await login({ ...good, code: '000000' }, undefined, from(n))
    codes.push(guess.statusCode)
    await login(good, undefined, from(n))
  }
  expect(tally(codes)).toEqual({ 401: 4, 429: 16 })
})

it("an account's password cannot be guessed at an open browser", async () => {
  const calls = [
    (guess: string) => admin.call('POST', '/api/v1/admin/second-factor', { password: guess }),
    (guess: string) =>
      admin.call('POST', '/api/v1/admin/password', { current: guess, next: 'another password' }),
  ]
  const codes: number[] = []
  for (let n = 0; n < 5; n += 1) {
    for (const call of calls) codes.push((await call('guess')).status)
  }
  expect(tally(codes)).toEqual({ 400: 4, 429: 6 })
  const right = await calls[0]?.(PASSWORD)
  expect(right).toMatchObject({
    status: 429,
    body: {
      message: expect.stringMatching(/^Too many wrong passwords\. Try again in \d+ second/),
    },
  })
  // What its owner does elsewhere goes on.
  expect((await admin.call('GET', '/api/admin/test')).status).toBe(200)
  clock.pass(60_000)
  for (let n = 0; n < 6; n += 1) expect((await calls[0]?.(PASSWORD))?.status).toBe(200)
})

it('an account leaves no password and no token in the database in the clear', async () => {
  await admin.call('POST', '/api/v1/admin/tokens', {
    password: PASSWORD,
    name: 'script',
    days: 1,
  })
  const { rows } = await world.database.pool.query<{ all: string }>(
    `select (select string_agg(a::text, '') from admins a) || (select string_agg(s::text, '') from admin_sessions s)
      || (select string_agg(t::text, '') from admin_tokens t) || (select string_agg(l::text, '') from audit_log l) as all`,
  )
  const all = rows[0]?.all ?? ''
  expect(all).toContain('$argon2id$')
  expect(all).not.toContain(PASSWORD)
  expect(all).not.toContain('pop_')
  expect(all).not.toContain(admin.headers['cookie']?.replace('session=', '') ?? 'none')
})
