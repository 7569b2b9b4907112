import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { prepareSecondFactors } from '#server/admins/second-factor.service.ts'
import { SecretsKeyError, secretBox, secretsOf, type Secrets } from '#server/kit/secrets.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { movingClock } from '#tests/support/review.ts'
import {
  authenticatorApp,
  login,
  opens,
  PASSWORD,
  script,
  signedIn,
  type SignedInBrowser,
  withAuthenticatorApp,
  adminCommand,
} from '#tests/support/sign-in.ts'
import { authenticator, type Wrongs } from '#tests/support/stand-ins/authenticator.ts'
import { type TestApp, testApp } from '#tests/support/test-app.ts'
import { TEST_ORIGIN } from '#tests/support/test-site.ts'

const { world, admin, clock } = adminSite()

const V1 = '/api/v1/admin'
const own = (path: string, body: object = {}) =>
  admin.call('POST', `${V1}/${path}`, { password: PASSWORD, ...body })

describe('an authenticator app', () => {
  it('takes effect once a code confirms it, ends other sessions, and is turned off only with a code', async () => {
    const there = await signedIn(world)
    const { uri, code } = await authenticatorApp(admin, clock)
    expect(uri).toMatch(/^otpauth:\/\/totp\/Proof%20of%20Price:Admin%20A\?/)
    expect((await login(world)).statusCode).toBe(200)
    expect((await own('second-factor/confirm', { code: '000' })).status).toBe(400)
    expect((await own('second-factor/confirm', { code: code() })).body).toMatchObject({
      message: 'The second factor is on. Ended: 2 other sessions.',
      recovery_codes: { length: 10 },
    })
    expect(await opens(world, there.headers)).toBe(401)
    expect(await opens(world, admin.headers)).toBe(200)

    expect((await login(world)).json()).toMatchObject({ code: 'second_factor' })
    // The code that confirmed it is used up, as is each that was accepted.
    expect((await login(world, { code: code() })).statusCode).toBe(401)
    clock.pass(30_000)
    expect((await login(world, { code: code() })).statusCode).toBe(200)
    expect((await login(world, { code: code() })).statusCode).toBe(401)
    expect((await login(world, { password: 'guess', code: code() })).statusCode).toBe(401)

    expect((await own('second-factor')).status).toBe(409)
    // Another way to sign in would bypass it.
    expect((await own('passkeys/options')).body).toMatchObject({
      fields: { code: expect.stringMatching(/code/) },
    })
    expect((await own('second-factor/off', { code: '000000' })).status).toBe(400)
    clock.pass(30_000)
    const guess = { password: 'guess', code: code() }
    expect((await own('second-factor/off', guess)).status).toBe(400)
    clock.pass(60_000)
    const off = await own('second-factor/off', { code: code() })
    expect(off.body).toMatchObject({ message: 'The second factor is off.' })
    expect((await login(world)).statusCode).toBe(200)
  })

  it('has recovery codes that work once each, however they are typed', async () => {
    const { code, recovery } = await withAuthenticatorApp(admin, clock)
    const [first = '', second = '', third = ''] = recovery
    const typed = first.toLowerCase().replaceAll('-', ' ')
    expect((await login(world, { code: typed })).statusCode).toBe(200)
    expect((await login(world, { code: first })).statusCode).toBe(401)
    const me = await admin.call('GET', `${V1}/me`)
    expect(me.body).toMatchObject({ second_factor: true, recovery_codes: 9 })
    clock.pass(60_000)
    const renewed = await own('second-factor/recovery-codes', { code: code() })
    expect(renewed.body).toMatchObject({ recovery_codes: { length: 10 } })
    const [fourth] = (renewed.body as { recovery_codes: string[] }).recovery_codes
    expect((await login(world, { code: second })).statusCode).toBe(401)
    expect((await login(world, { code: fourth })).statusCode).toBe(200)
    clock.pass(60_000)
    await adminCommand(world, clock, ['password', 'Admin A', '--drop-second-factor'], PASSWORD)
    expect((await login(world, { code: third })).statusCode).toBe(200)
    const rows = await world.sql(
      `select recovery_codes as left, array(select action from audit_log where action like 'recovery code%' order by id) as noted from admins`,
    )
    expect(rows).toEqual([
      { left: [], noted: ['recovery code used', 'recovery codes made', 'recovery code used'] },
    ])
  })

  it('slows down guessing of codes with a known password, even with requests for a code in between', async () => {
    const { recovery } = await withAuthenticatorApp(admin, clock)
    const from = (n: number) => `203.2.${String(n)}.1`
    // Requests for a code are not failed attempts.
    for (let n = 0; n < 8; n += 1) {
      expect((await login(world, {}, from(n))).statusCode).toBe(401)
    }
    const codes: number[] = []
    for (let n = 10; n < 30; n += 1) {
      const code = n % 2 === 0 ? '000000' : 'A'.repeat(16)
      codes.push((await login(world, { code }, from(n))).statusCode)
      await login(world, {}, from(n))
    }
    expect(codes.map((code) => code === 429)).toEqual(codes.map((_, n) => n >= 4))
    expect((await login(world, { code: recovery[0] }, from(30))).statusCode).toBe(429)
  })

  /** Log lines of a starting process. By default the database is built in, with its key next to it. */
  async function startWith(
    on: TestApp,
    secrets: Secrets,
    overrides: { databaseUrl?: string; secretsKey?: string } = {},
  ): Promise<string[]> {
    const message: string[] = []
    const settings = {
      admin: { secretsKey: overrides.secretsKey ?? null },
      databaseUrl: overrides.databaseUrl ?? null,
      dataDir: '/data',
    }
    const log = {
      warn: (text: string) => void message.push(`warn ${text}`),
      error: (text: string) => void message.push(`error ${text}`),
    }
    await prepareSecondFactors(on.database.db, secrets, settings, log)
    return message
  }

  it('is stored sealed; one of an earlier version is sealed at the start, and a lost key is reported', async () => {
    const key = secretBox(randomBytes(32))
    const clock = movingClock()
    await using world = await testApp({ clock, ports: { secrets: async () => key } })
    const { sql } = world.database
    const admin = await signedIn(world)
    const { secret, code } = await withAuthenticatorApp(admin, clock)
    const opened = async () => {
      clock.pass(60_000)
      return (await login(world, { code: code() })).statusCode
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
    expect(await startWith(world, noKey, elsewhere)).toEqual([
      expect.stringMatching(/^warn .* of Admin A are not yet encrypted .* Set SECRETS_KEY/),
    ])
    expect(await stored()).toBe(secret)
    expect(await opened()).toBe(200)
    const keyed = { ...elsewhere, secretsKey: 'ab'.repeat(32) }
    for (const settings of [{}, keyed]) {
      await store(secret)
      expect(await startWith(world, async () => key, settings)).toEqual([])
      expect(await stored()).toMatch(/^v1\./)
    }
    expect(await opened()).toBe(200)

    const other = secretsOf(async () => randomBytes(32))
    for (const [settings, lost] of [
      [{}, 'secrets.key in /data'],
      [keyed, 'SECRETS_KEY'],
    ] as const) {
      const message = await startWith(world, other, settings)
      expect(message).toHaveLength(1)
      expect(message[0]).toMatch(/^error The authenticator apps of Admin A cannot be checked/)
      expect(message[0]).toContain(`Restore ${lost} and`)
    }
    // A secret sealed for another account is rejected.
    await store(key.seal(secret, 'totp of admin 999'))
    clock.pass(60_000)
    // However often: these are not failed attempts.
    for (let n = 0; n < 6; n += 1) {
      const lost = await login(world, { code: code() })
      expect(lost.statusCode).toBe(503)
      expect(lost.json()).toMatchObject({
        message: expect.stringMatching(/recovery code or a passkey.*the operator/),
      })
      const body = { password: PASSWORD, code: code() }
      expect((await admin.call('POST', `${V1}/second-factor/off`, body)).status).toBe(503)
    }
    await adminCommand(world, clock, ['password', 'Admin A', '--drop-second-factor'], PASSWORD)
    expect(await opened()).toBe(200)
  })

  it('needs a key if one exists; the site says where it is needed and missing', async () => {
    const missing = async () => Promise.reject(new SecretsKeyError('no folder'))
    await using world = await testApp({ ports: { secrets: missing } })
    expect(await startWith(world, missing)).toEqual([])
    const other = await signedIn(world)
    expect(await other.call('POST', `${V1}/second-factor`, { password: PASSWORD })).toMatchObject({
      status: 503,
      body: { message: expect.stringMatching(/set SECRETS_KEY/) },
    })
  })
})

describe('a passkey', () => {
  const Options = z.object({ options: z.object({ challenge: z.string() }) })

  async function addOptions(by: SignedInBrowser): Promise<string> {
    const response = await by.call('POST', `${V1}/passkeys/options`, { password: PASSWORD })
    return Options.parse(response.body).options.challenge
  }

  const add = async (by: SignedInBrowser, credential: object) =>
    (await by.call('POST', `${V1}/passkeys`, { name: 'Laptop', credential })).status

  /** A device with a passkey added by Admin A. */
  async function withPasskey() {
    const device = authenticator(TEST_ORIGIN)
    expect(await add(admin, device.register(await addOptions(admin)))).toBe(200)
    return device
  }

  async function signInOptions(): Promise<string> {
    const response = await world.app.inject({ method: 'POST', url: '/api/admin/passkeys/options' })
    return Options.parse(response.json()).options.challenge
  }

  const signIn = (credential: object) =>
    world.app.inject({
      method: 'POST',
      url: '/api/admin/passkeys/login',
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { credential },
    })
  const signsIn = async (credential: object) => (await signIn(credential)).statusCode

  it('is added and signs in, with another challenge each time', async () => {
    const device = await withPasskey()
    const me = await admin.call('GET', `${V1}/me`)
    expect(me.body).toMatchObject({ passkeys: [{ id: device.id, name: 'Laptop', used_at: null }] })
    const other = await (await signedIn(world, 'Admin B')).call('GET', `${V1}/me`)
    expect(other.body).toMatchObject({ passkeys: [] })
    for (let n = 0; n < 2; n += 1) {
      const answer = await signIn(device.signIn(await signInOptions()))
      expect(answer.json()).toMatchObject({ success: true, username: 'Admin A' })
      const session = answer.cookies[0]?.value ?? ''
      expect(await opens(world, { cookie: `session=${session}` })).toBe(200)
    }
  })

  it('does not sign in with an answer that is wrong in one respect', async () => {
    const device = await withPasskey()
    const wrong: readonly (readonly [string, Wrongs])[] = [
      ['of another site', { origin: 'https://elsewhere.example' }],
      ['of the same name under https', { origin: 'https://localhost:3001' }],
      ['for another host', { rpId: 'elsewhere.example' }],
      ['whose device asked for no finger and no PIN', { isUserVerified: false }],
      ['signed by another key', { hasOtherKey: true }],
      ['that was meant for adding one', { type: 'webauthn.create' }],
      ['with a challenge that was never given', { challenge: 'x'.repeat(43) }],
      ['of a passkey that nobody has', { credentialId: 'y'.repeat(43) }],
    ]
    for (const [which, wrongs] of wrong) {
      const refused = await signIn(device.signIn(await signInOptions(), wrongs))
      expect([which, refused.statusCode, refused.cookies]).toEqual([which, 401, []])
      expect(refused.json()).toMatchObject({
        message: expect.stringMatching(/This passkey was not accepted/),
      })
      // The same device with a correct answer is accepted: only that one point was wrong.
      expect([which, await signsIn(device.signIn(await signInOptions()))]).toEqual([which, 200])
    }
  })

  it('answers a challenge once, within five minutes, and none issued for adding', async () => {
    const device = await withPasskey()
    const first = await signInOptions()
    expect(await signsIn(device.signIn(first))).toBe(200)
    expect(await signsIn(device.signIn(first))).toBe(401)
    const second = await signInOptions()
    expect(await signsIn(device.signIn(second, { hasOtherKey: true }))).toBe(401)
    expect(await signsIn(device.signIn(second))).toBe(401)

    expect(await signsIn(device.signIn(await addOptions(admin)))).toBe(401)
    const [inTime, late] = [await signInOptions(), await signInOptions()]
    clock.pass(299_000)
    expect(await signsIn(device.signIn(inTime))).toBe(200)
    clock.pass(2_000)
    expect(await signsIn(device.signIn(late))).toBe(401)
    await world.sql('update admins set disabled_at = now()')
    expect(await signsIn(device.signIn(await signInOptions()))).toBe(401)
  })

  it('is not added by an answer that is wrong in one respect', async () => {
    const device = authenticator(TEST_ORIGIN)
    const wrong: readonly (readonly [string, Wrongs])[] = [
      ['of another site', { origin: 'https://elsewhere.example' }],
      ['for another host', { rpId: 'elsewhere.example' }],
      ['whose device asked for no finger and no PIN', { isUserVerified: false }],
      ['with a challenge that was never given', { challenge: 'x'.repeat(43) }],
      ['that was meant for signing in', { type: 'webauthn.get' }],
    ]
    for (const [which, wrongs] of wrong) {
      const status = await add(admin, device.register(await addOptions(admin), wrongs))
      expect([which, status]).toEqual([which, 400])
    }
    // With a challenge of another account, a used one, and one for signing in.
    const other = await signedIn(world, 'Admin B')
    const input = await addOptions(admin)
    expect(await add(other, device.register(input))).toBe(400)
    expect(await add(admin, device.register(input))).toBe(400)
    expect(await add(admin, device.register(await signInOptions()))).toBe(400)
    expect((await admin.call('GET', `${V1}/me`)).body).toMatchObject({ passkeys: [] })
    expect(await add(admin, device.register(await addOptions(admin)))).toBe(200)
    expect(await add(other, device.register(await addOptions(other)))).toBe(409)
  })

  it('is the second factor of an account: the first one ends other sessions and tokens; removed with the password and a code', async () => {
    const there = await signedIn(world)
    const early = await script(there)
    expect(await opens(world, early)).toBe(200)
    const device = await withPasskey()
    expect(await opens(world, early)).toBe(401)
    expect(await opens(world, there.headers)).toBe(401)
    expect(await opens(world, admin.headers)).toBe(200)
    const next = await signedIn(world)
    const more = authenticator(TEST_ORIGIN)
    expect(await add(admin, more.register(await addOptions(admin)))).toBe(200)
    expect(await opens(world, next.headers)).toBe(200)

    const url = `${V1}/passkeys/${device.id}/remove`
    const remove = (body: object) => admin.call('POST', url, body)
    const other = await signedIn(world, 'Admin B')
    expect((await other.call('POST', url, { password: PASSWORD })).status).toBe(404)
    expect((await remove({})).status).toBe(400)
    expect(await remove({ password: 'guess' })).toMatchObject({
      status: 400,
      body: { fields: { password: expect.stringMatching(/not your password/) } },
    })
    const { code } = await withAuthenticatorApp(admin, clock)
    expect((await remove({ password: PASSWORD })).body).toMatchObject({
      fields: { code: expect.stringMatching(/code/) },
    })
    expect(await signsIn(device.signIn(await signInOptions()))).toBe(200)
    clock.pass(60_000)
    const gone = await remove({ password: PASSWORD, code: code() })
    expect(gone.body).toMatchObject({ message: 'Passkey removed' })
    expect(await signsIn(device.signIn(await signInOptions()))).toBe(401)
  })
})
