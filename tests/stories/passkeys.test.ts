import { type TestApp } from '#tests/support/test-app.ts'
import { PASSWORD, signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { authenticator, type Wrongs } from '#tests/support/stand-ins/authenticator.ts'
import { TEST_ORIGIN } from '#tests/support/test-site.ts'
import { z } from 'zod'

const { site, clock } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

const Options = z.object({ options: z.object({ challenge: z.string() }) })
type Device = ReturnType<typeof authenticator>

async function askedToAdd(admin: SignedInBrowser): Promise<string> {
  const asked = await admin.call('POST', '/api/v1/admin/passkeys/options', { password: PASSWORD })
  return Options.parse(asked.body).options.challenge
}

function add(admin: SignedInBrowser, credential: object) {
  return admin.call('POST', '/api/v1/admin/passkeys', { name: 'Laptop', credential })
}

/** An administrator with a passkey on a device. */
async function withPasskey(username = 'Admin A') {
  const device = authenticator(TEST_ORIGIN)
  const admin = await signedIn(world, username)
  const added = await add(admin, device.register(await askedToAdd(admin)))
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  return { admin, device }
}

async function askedToSignIn(): Promise<string> {
  const asked = await world.app.inject({ method: 'POST', url: '/api/admin/passkeys/options' })
  return Options.parse(asked.json()).options.challenge
}

function signIn(credential: object) {
  return world.app.inject({
    method: 'POST',
    url: '/api/admin/passkeys/login',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { credential },
  })
}

describe('a passkey', () => {
  it('a passkey is added and signs in, with another challenge each time', async () => {
    const { admin, device } = await withPasskey()
    const me = await admin.call('GET', '/api/v1/admin/me')
    expect(me.body).toMatchObject({ passkeys: [{ id: device.id, name: 'Laptop', used_at: null }] })
    for (let n = 0; n < 2; n += 1) {
      const answer = await signIn(device.signIn(await askedToSignIn()))
      expect(answer.json()).toMatchObject({ success: true, username: 'Admin A' })
      const session = answer.cookies[0]?.value ?? ''
      const probe = await world.app.inject({
        url: '/api/admin/test',
        headers: { cookie: `session=${session}` },
      })
      expect(probe.statusCode).toBe(200)
    }
  })

  const WRONGS: readonly (readonly [string, Wrongs])[] = [
    ['of another site', { origin: 'https://elsewhere.example' }],
    ['of the same name under https', { origin: 'https://localhost:3001' }],
    ['for another host', { rpId: 'elsewhere.example' }],
    ['whose device asked for no finger and no PIN', { isUserVerified: false }],
    ['signed by another key', { hasOtherKey: true }],
    ['that was meant for adding one', { type: 'webauthn.create' }],
    ['with a challenge that was never given', { challenge: 'x'.repeat(43) }],
    ['of a passkey that nobody has', { credentialId: 'y'.repeat(43) }],
  ]
  it('a passkey does not sign in with an answer that is wrong in one point', async () => {
    const { device } = await withPasskey()
    for (const [which, wrongs] of WRONGS) {
      const refused = await signIn(device.signIn(await askedToSignIn(), wrongs))
      expect([which, refused.statusCode, refused.cookies]).toEqual([which, 401, []])
      expect(refused.json()).toMatchObject({ message: /This passkey was not accepted/ })
      // The same device with a right answer is let in: it was that one point that shut the door.
      const right = await signIn(device.signIn(await askedToSignIn()))
      expect([which, right.statusCode]).toEqual([which, 200])
    }
  })

  it('a passkey uses a challenge up, also with an answer that was refused', async () => {
    const { device } = await withPasskey()
    const first = await askedToSignIn()
    expect((await signIn(device.signIn(first))).statusCode).toBe(200)
    expect((await signIn(device.signIn(first))).statusCode).toBe(401)
    const second = await askedToSignIn()
    expect((await signIn(device.signIn(second, { hasOtherKey: true }))).statusCode).toBe(401)
    expect((await signIn(device.signIn(second))).statusCode).toBe(401)
  })

  it('a passkey answers a challenge within five minutes', async () => {
    const { device } = await withPasskey()
    const [inTime, late] = [await askedToSignIn(), await askedToSignIn()]
    clock.pass(299_000)
    expect((await signIn(device.signIn(inTime))).statusCode).toBe(200)
    clock.pass(2_000)
    expect((await signIn(device.signIn(late))).statusCode).toBe(401)
  })

  it('a passkey does not sign in with a challenge that was given for adding one, nor to a disabled account', async () => {
    const { admin, device } = await withPasskey()
    expect((await signIn(device.signIn(await askedToAdd(admin)))).statusCode).toBe(401)
    await world.database.pool.query('update admins set disabled_at = now()')
    expect((await signIn(device.signIn(await askedToSignIn()))).statusCode).toBe(401)
  })

  const REFUSED_NEW: readonly (readonly [string, Wrongs])[] = [
    ['of another site', { origin: 'https://elsewhere.example' }],
    ['for another host', { rpId: 'elsewhere.example' }],
    ['whose device asked for no finger and no PIN', { isUserVerified: false }],
    ['with a challenge that was never given', { challenge: 'x'.repeat(43) }],
    ['that was meant for signing in', { type: 'webauthn.get' }],
  ]
  it('a passkey is not added by an answer that is wrong in one point', async () => {
    const device = authenticator(TEST_ORIGIN)
    for (const [which, wrongs] of REFUSED_NEW) {
      const refused = await add(admin, device.register(await askedToAdd(admin), wrongs))
      expect([which, refused.status]).toEqual([which, 400])
    }
    expect((await admin.call('GET', '/api/v1/admin/me')).body).toMatchObject({ passkeys: [] })
    expect((await add(admin, device.register(await askedToAdd(admin)))).status).toBe(200)
  })

  it("a passkey is not added with a challenge that is used, another account's, or for signing in", async () => {
    const { admin } = await withPasskey()
    const other = await signedIn(world, 'Admin B')
    const device: Device = authenticator(TEST_ORIGIN)
    const given = await askedToAdd(admin)
    expect((await add(other, device.register(given))).status).toBe(400)
    expect((await add(admin, device.register(given))).status).toBe(400)
    expect((await add(admin, device.register(await askedToSignIn()))).status).toBe(400)
    const right = device.register(await askedToAdd(admin))
    expect((await add(admin, right)).status).toBe(200)
    expect((await add(other, device.register(await askedToAdd(other)))).status).toBe(409)
  })

  it('a passkey is the second factor of an account: the first one ends the other sessions', async () => {
    const there = await signedIn(world)
    const script = async () => {
      const made = await there.call('POST', '/api/v1/admin/tokens', {
        password: PASSWORD,
        name: 'script',
      })
      const { token } = z.object({ token: z.string() }).parse(made.body)
      return { url: '/api/admin/test', headers: { authorization: `Bearer ${token}` } }
    }
    const early = await script()
    expect((await world.app.inject(early)).statusCode).toBe(200)
    const { admin, device } = await withPasskey()
    expect((await world.app.inject(early)).statusCode).toBe(401)
    expect((await there.call('GET', '/api/admin/test')).status).toBe(401)
    expect((await admin.call('GET', '/api/admin/test')).status).toBe(200)
    const next = await signedIn(world)
    const more = authenticator(TEST_ORIGIN)
    expect((await add(admin, more.register(await askedToAdd(admin)))).status).toBe(200)
    expect((await next.call('GET', '/api/admin/test')).status).toBe(200)
    const removal = `/api/v1/admin/passkeys/${device.id}/remove`
    const dropped = await admin.call('POST', removal, { password: PASSWORD })
    expect(dropped.status).toBe(200)
    expect((await signIn(device.signIn(await askedToSignIn()))).statusCode).toBe(401)
  })
})
