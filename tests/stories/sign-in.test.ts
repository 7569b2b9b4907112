import { describe, expect, it, vi } from 'vitest'
import { signInTries } from '#server/database/schema/admins.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { movingClock, audited } from '#tests/support/review.ts'
import { login, opens, PASSWORD, script, signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'
import { waitingForLocks } from '#tests/support/waiting.ts'

const { world, admin, clock } = adminSite()

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const GUESS = { password: 'guess' }

const status = async (
  overrides?: object,
  from?: string,
  headers?: Readonly<Record<string, string>>,
) => (await login(world, overrides, from, headers)).statusCode

/** The number of responses by status. */
function tally(codes: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

describe('signing in', () => {
  it('gives a session for admin calls, in the shape of the specification', async () => {
    const response = await login(world, { username: ' ADMIN a' })
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

  it('answers a wrong password and an unknown name alike', async () => {
    const wrong = await login(world, GUESS)
    const unknown = await login(world, { username: 'nobody', ...GUESS })
    expect(wrong.statusCode).toBe(401)
    expect(wrong.body).toBe(unknown.body)
    expect(wrong.cookies).toEqual([])
    const empty = await login(world, { username: '', password: '' })
    expect(empty.json()).toMatchObject({ message: 'Please enter both username and password' })
  })

  it('slows brute force by name and by address, also in a new process', async () => {
    const tries = Array.from({ length: 8 }, () => status(GUESS))
    expect(tally(await Promise.all(tries))).toEqual({ 401: 4, 429: 4 })
    const right = await login(world)
    expect(right.statusCode).toBe(429)
    const seconds = Number(right.headers['retry-after'])
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(right.json<{ message: string }>().message).toBe(
      `Too many attempts. Try again in ${String(seconds)} second${seconds === 1 ? '' : 's'}.`,
    )
    // The counters are in the database: another process finds them there.
    expect(await world.database.db.select().from(signInTries)).toHaveLength(1)
    clock.pass(16 * 60_000)
    expect(await status()).toBe(200)
  })

  it('is not blocked by strangers for networks of earlier sign-ins, IPv4 or IPv6', async () => {
    for (const [home, alike] of [
      ['192.0.2.7', '192.0.2.7'],
      // Computers take a new address of their network daily.
      ['2001:db8:5:1::1', '2001:db8:5:1::abcd'],
    ] as const) {
      expect(await status({}, home)).toBe(200)
      for (let n = 0; n < 6; n += 1) await status(GUESS, `198.51.${String(n)}.1`)
      expect(await status({}, '203.0.113.77')).toBe(429)
      expect(await status({}, alike)).toBe(200)
      clock.pass(HOUR_MS)
    }
  })

  it('counts a whole IPv6 prefix before hashing, and reserves a share for known networks', async () => {
    expect(await status({}, '2001:db8:5:1::1')).toBe(200)
    const strangers = Array.from({ length: 40 }, (_, n) =>
      status({ username: `guess ${String(n)}`, password: 'x' }, `2001:db8:0:${String(n)}::1`),
    )
    const others = [status({}, '2001:db8:5:1::abcd'), status({}, '203.0.113.7')]
    expect(await Promise.all(others)).toEqual([200, 200])
    expect(tally(await Promise.all(strangers))).toEqual({ 401: 10, 429: 30 })
  })

  it('refuses a login that another site makes a browser send', async () => {
    const host = 'localhost:3001'
    for (const [headers, answer] of [
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ origin: 'https://elsewhere.example', host }, 403],
      [{ origin: 'https://localhost:3001', host }, 403],
      [{ origin: 'http://localhost:3001', host }, 200],
    ] as const) {
      expect([headers, await status({}, undefined, headers)]).toEqual([headers, answer])
    }
  })

  /** Blocks a change of the account in its transaction until the call has reached it, or has finished without. */
  async function meanwhile<Answer>(
    change: readonly string[],
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    const changing = await world.database.pool.connect()
    try {
      await changing.query('begin')
      for (const statement of change) await changing.query(statement)
      let isOver = false
      const answer = call().finally(() => (isOver = true))
      const waits = async () => (await waitingForLocks(world.database.pool)) > 0
      await vi.waitUntil(async () => isOver || (await waits()), { timeout: 60_000 })
      await changing.query('commit')
      return await answer
    } finally {
      changing.release()
    }
  }

  it('is refused while the account changes: its password, state or second factor; so is any creation by an ending session', async () => {
    const { sql } = world.database
    const rows = await sql('select password_hash as hash from admins')
    for (const [change, answer] of [
      [`password_hash = 'another'`, 401],
      ['disabled_at = now()', 401],
      [`totp_secret = 'JBSWY3DPEHPK3PXP'`, 401],
      ['role = role', 200],
    ] as const) {
      const code = await meanwhile([`update admins set ${change}`], () => status())
      expect([change, code]).toEqual([change, answer])
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
      const by = await signedIn(world)
      const make = () => by.call('POST', `/api/v1/admin/${path}`, body)
      expect((await meanwhile([locked], make)).status).toBe(200)
      await sql('update admins set password_hash = $1', [rows[0]?.hash])
      expect([path, (await meanwhile([locked, ended], make)).status]).toEqual([path, 401])
    }
  })
})

describe('a session', () => {
  it('never keeps a token from before signing in', async () => {
    const again = await login(world, {}, undefined, admin.headers)
    expect(admin.headers['cookie']).not.toContain(again.cookies[0]?.value ?? 'none')
    expect(await opens(world, admin.headers)).toBe(401)
    const planted = { cookie: `session=${'a'.repeat(43)}`, 'sec-fetch-site': 'same-origin' }
    const other = await login(world, {}, undefined, planted)
    expect(planted.cookie).not.toContain(other.cookies[0]?.value ?? 'none')
    expect(await opens(world, planted)).toBe(401)
  })

  it('ends when unused for half a day, after a week, and on logout', async () => {
    clock.pass(11 * HOUR_MS)
    expect(await opens(world, admin.headers)).toBe(200)
    clock.pass(13 * HOUR_MS)
    expect(await opens(world, admin.headers)).toBe(401)
    const busy = await signedIn(world)
    for (let n = 0; n < 17; n += 1) {
      clock.pass(10 * HOUR_MS)
      await opens(world, busy.headers)
    }
    expect(await opens(world, busy.headers)).toBe(401)
    const last = await signedIn(world)
    expect((await last.call('POST', '/api/admin/logout')).status).toBe(200)
    expect(await opens(world, last.headers)).toBe(401)
  })

  it("is listed, and ended by its owner only; another owner's is not found", async () => {
    const [other, stranger] = [await signedIn(world), await signedIn(world, 'Admin B')]
    const { sessions } = (await admin.call('GET', '/api/v1/admin/me')).body as {
      sessions: { id: string; current: boolean }[]
    }
    expect(sessions).toHaveLength(2)
    const id = sessions.find(({ current }) => !current)?.id ?? ''
    expect((await stranger.call('DELETE', `/api/v1/admin/sessions/${id}`)).status).toBe(404)
    expect((await admin.call('DELETE', `/api/v1/admin/sessions/${id}`)).status).toBe(200)
    expect(await opens(world, other.headers)).toBe(401)
  })

  it('lets its owner read although its last use cannot be stored', async () => {
    const clock = movingClock()
    const messages: string[] = []
    await using world = await testApp({ clock, warn: (text) => void messages.push(text) })
    const admin = await signedIn(world)
    const bearer = await script(admin)
    await world.sql(
      `create function no_room() returns trigger language plpgsql as
         $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
       create trigger full_sessions before update on admin_sessions execute function no_room();
       create trigger full_tokens before update on admin_tokens execute function no_room()`,
    )
    clock.pass(61_000)
    expect([await opens(world, admin.headers), await opens(world, bearer)]).toEqual([200, 200])
    expect(messages).toEqual([expect.stringMatching(/database disk is full/)])
  })
})

describe('a token', () => {
  it('shows its owner, but no sessions, tokens or passkeys', async () => {
    const me = { url: '/api/v1/admin/me', headers: await script(admin) }
    expect((await world.app.inject(me)).json()).toMatchObject({
      username: 'Admin A',
      sessions: [],
      tokens: [],
      passkeys: [],
    })
  })

  it('expires after a year at most, and has a name without invalid characters', async () => {
    const short = await script(admin, { days: 2, name: 'half \ud800' })
    const usual = await script(admin)
    expect(await audited(world, `after ->> 'name' = 'half'`)).toHaveLength(1)
    for (const days of [366, null, 0]) {
      const body = { password: PASSWORD, name: 'script', days }
      expect((await admin.call('POST', '/api/v1/admin/tokens', body)).status).toBe(400)
    }
    clock.pass(2 * DAY_MS - 1_000)
    expect(await opens(world, short)).toBe(200)
    clock.pass(2_000)
    expect(await opens(world, short)).toBe(401)
    clock.pass(88 * DAY_MS)
    expect(await opens(world, usual)).toBe(401)
  })
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
  expect(await calls[0]?.(PASSWORD)).toMatchObject({
    status: 429,
    body: { message: expect.stringMatching(/^Too many wrong passwords\. Try again in \d+ second/) },
  })
  // The owner's other sessions continue.
  expect(await opens(world, admin.headers)).toBe(200)
  clock.pass(60_000)
  for (let n = 0; n < 6; n += 1) expect((await calls[0]?.(PASSWORD))?.status).toBe(200)
})

it('an account stores no password or token in plain text', async () => {
  await script(admin)
  const rows = await world.sql(
    `select (select string_agg(a::text, '') from admins a) || (select string_agg(s::text, '') from admin_sessions s)
      || (select string_agg(t::text, '') from admin_tokens t) || (select string_agg(l::text, '') from audit_log l) as all`,
  )
  const all = rows[0]?.all ?? ''
  expect(all).toContain('$argon2id$')
  expect(all).not.toContain(PASSWORD)
  expect(all).not.toContain('pop_')
  expect(all).not.toContain(admin.headers['cookie']?.replace('session=', '') ?? 'none')
})
