import { type TestApp } from '#tests/support/test-app.ts'
import { PASSWORD, signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { emptied } from '#tests/support/once-for-file.ts'
import { emptySite } from '#tests/support/empty-site.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { listAccounts, type PasswordLink } from '#contracts/accounts.ts'
import { adminCommand } from '#tests/support/admin-command.ts'
import { z } from 'zod'

const { site, clock } = emptySite()
let world: TestApp
let admin: SignedInBrowser
beforeEach(async () => {
  world = site()
  admin = await signedIn(world)
})

const BASE = '/api/v1/admin/accounts'
const LINK = '/api/admin/password-link'
const OWN = { password: PASSWORD }
const CHOSEN = 'seven green lamps hum'
const Made = z.object({
  message: z.string(),
  link: z.object({ path: z.string(), expires_at: z.string() }),
})

async function list(admin: SignedInBrowser) {
  return listAccounts.reply.parse((await admin.call('GET', BASE)).body).accounts
}

async function idOf(admin: SignedInBrowser, username: string): Promise<number> {
  return (await list(admin)).find((one) => one.username === username)?.id ?? NaN
}

/** Makes an account. @returns the token of its link */
async function invite(admin: SignedInBrowser, username: string, role = 'reviewer') {
  const answer = await admin.call('POST', BASE, { username, role, ...OWN })
  expect(answer).toMatchObject({ status: 200 })
  return tokenOf(Made.parse(answer.body).link)
}

function tokenOf({ path }: PasswordLink): string {
  const [address, token = ''] = path.split('#')
  expect(address).toBe('/admin/password')
  return token
}

async function post(url: string, payload: object) {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await world.app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

const signIn = async (username: string, password: string) =>
  (await post('/api/admin/login', { username, password })).status

const choose = (token: string, password = CHOSEN) => post(`${LINK}/use`, { token, password })

it('an account gets its password by a link, which opens once and keeps to the rules of passwords', async () => {
  const token = await invite(admin, 'grace')
  expect(await signIn('grace', '')).toBe(400)
  expect((await list(admin))[1]).toMatchObject({
    username: 'grace',
    role: 'reviewer',
    own: false,
    second_factor: false,
    link_expires_at: '2026-11-23T12:00:00.000Z',
    sessions: 0,
  })
  expect(await post(LINK, { token })).toMatchObject({ body: { username: 'grace' } })
  for (const bad of ['passwordpassword', 'short', 'grace-12 lamps']) {
    expect(await choose(token, bad)).toMatchObject({
      status: 400,
      body: { fields: { password: expect.any(String) } },
    })
  }
  expect(await choose(token)).toMatchObject({ status: 200, body: { username: 'grace' } })
  expect(await signIn('grace', CHOSEN)).toBe(200)
  const again = { status: 404, body: { message: expect.stringContaining('not valid any more') } }
  expect(await choose(token, 'other quiet words here')).toMatchObject(again)
  expect(await post(LINK, { token })).toMatchObject(again)
  expect((await list(admin))[1]).toMatchObject({ link_expires_at: null, sessions: 1 })
})

it('an account is not opened by a link that is made up, older than three days, or of a disabled account', async () => {
  expect((await choose('x'.repeat(43))).status).toBe(404)
  expect((await choose('')).status).toBe(404)
  const token = await invite(admin, 'grace')
  const id = await idOf(admin, 'grace')
  await admin.call('POST', `${BASE}/${String(id)}/disable`, OWN)
  expect((await choose(token)).status).toBe(404)
  await admin.call('POST', `${BASE}/${String(id)}/enable`, OWN)
  expect((await choose(token)).status).toBe(404)
  const again = await admin.call('POST', `${BASE}/${String(id)}/link`, OWN)
  const other = tokenOf(Made.parse(again.body).link)
  clock.pass(3 * 86_400_000)
  expect((await choose(other)).status).toBe(404)
  expect(await signIn('grace', CHOSEN)).toBe(401)
})

it('an account whose link two use at the same time gets one password', async () => {
  const token = await invite(await signedIn(world), 'grace')
  const both = await Promise.all([choose(token, 'other quiet words here'), choose(token)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
})

it('an account needs a name that is free and can be typed, and the password of who makes it', async () => {
  const make = (given: object) =>
    admin.call('POST', BASE, { username: 'grace', role: 'reviewer', ...OWN, ...given })
  expect(await make({ username: 'admin a' })).toMatchObject({
    status: 400,
    body: { fields: { username: expect.stringContaining('letters, digits') } },
  })
  expect(await make({ password: 'guess' })).toMatchObject({
    status: 400,
    body: { fields: { password: 'This is not your password.' } },
  })
  expect(await make({ role: 'owner' })).toMatchObject({ status: 400 })
  expect(await list(admin)).toHaveLength(1)
  await make({})
  expect(await make({ username: 'GRACE' })).toMatchObject({
    status: 409,
    body: { fields: { username: 'There is an account GRACE already.' } },
  })
})

it('an account leaves no link in the database, nor in the audit log', async () => {
  const token = await invite(admin, 'grace')
  const { rows } = await world.database.pool.query<{ all: string }>(
    `select (select string_agg(a::text, '') from admins a) || (select string_agg(l::text, '') from audit_log l) as all`,
  )
  expect(rows[0]?.all).not.toContain(token)
})

it('an account that gets a password on the command line needs its link no more', async () => {
  const token = await invite(await signedIn(world), 'grace')
  await adminCommand(world, clock, ['password', 'grace'], 'other quiet words here')
  expect((await choose(token)).status).toBe(404)
  expect(await signIn('grace', 'other quiet words here')).toBe(200)
})

describe('the account of another person', () => {
  async function withGrace(role: 'administrator' | 'reviewer' = 'reviewer') {
    const other = await signedIn(world, 'Grace', role)
    const change = (what: string, body: object = {}, by = admin) =>
      by.call('POST', `${BASE}/${String(other.id)}/${what}`, { ...OWN, ...body })
    const isIn = async (who: SignedInBrowser) =>
      (await who.call('GET', '/api/admin/test')).status === 200
    return { other, change, isIn }
  }

  it('the account of another person is disabled and enabled, with all ways in ended', async () => {
    const { other, change, isIn } = await withGrace()
    await other.call('POST', '/api/v1/admin/tokens', { password: PASSWORD, name: 'script' })
    expect(await change('disable')).toMatchObject({
      status: 200,
      body: { message: 'Grace cannot sign in any more. Ended: 1 session and 1 token.' },
    })
    expect(await isIn(other)).toBe(false)
    expect(await signIn('Grace', PASSWORD)).toBe(401)
    expect(await change('disable')).toMatchObject({ status: 409 })
    expect((await list(admin))[1]).toMatchObject({ disabled_at: expect.any(String), tokens: 0 })
    expect(await change('enable')).toMatchObject({ status: 200 })
    expect(await change('enable')).toMatchObject({ status: 409 })
    expect(await signIn('Grace', PASSWORD)).toBe(200)
    const { rows } = await world.database.pool.query(
      `select username, action, subject_id, after ->> 'username' as name from audit_log where action like 'admin %' order by id`,
    )
    const subject = { username: 'Admin A', subject_id: String(other.id), name: 'Grace' }
    expect(rows).toEqual([
      { ...subject, action: 'admin disabled' },
      { ...subject, action: 'admin enabled' },
    ])
  })

  it('the account of another person gets the chosen role, from the next call on', async () => {
    const { other, change } = await withGrace()
    for (const [role, status] of [
      ['administrator', 200],
      ['reviewer', 403],
    ]) {
      expect(await change('role', { role })).toMatchObject({ status: 200 })
      expect(await other.call('GET', BASE)).toMatchObject({ status })
    }
  })

  it('the account of another person is signed out everywhere, and keeps its tokens', async () => {
    const { other, isIn } = await withGrace()
    await other.call('POST', '/api/v1/admin/tokens', { password: PASSWORD, name: 'script' })
    const answer = await admin.call('DELETE', `${BASE}/${String(other.id)}/sessions`)
    expect(answer).toMatchObject({ body: { message: 'Grace is signed out. Ended: 1 session.' } })
    expect(await isIn(other)).toBe(false)
    expect(await isIn(admin)).toBe(true)
    expect((await list(admin))[1]).toMatchObject({ sessions: 0, tokens: 1 })
  })

  it('the account of another person gets a new password by a link; the old one opens nothing meanwhile', async () => {
    const { other, change, isIn } = await withGrace()
    const made = Made.parse((await change('link')).body)
    expect(made.message).toBe('Grace can choose another password by the link. Ended: 1 session.')
    expect(await isIn(other)).toBe(false)
    expect(await signIn('Grace', PASSWORD)).toBe(401)
    // A second link takes the place of the first.
    const second = Made.parse((await change('link')).body)
    expect((await choose(tokenOf(made.link))).status).toBe(404)
    expect((await choose(tokenOf(second.link))).status).toBe(200)
    expect(await signIn('Grace', CHOSEN)).toBe(200)
  })

  it('the account of another person keeps its authenticator app with a new link, unless that is lost too', async () => {
    const { change } = await withGrace()
    await world.database.pool.query(
      `update admins set totp_secret = 'x', recovery_codes = '{a}' where username = 'Grace'`,
    )
    const factor = async () => {
      const { rows } = await world.database.pool.query<{ has: boolean; codes: number }>(
        `select totp_secret is not null as has, cardinality(recovery_codes) as codes from admins where username = 'Grace'`,
      )
      return rows[0]
    }
    await change('link')
    expect(await factor()).toEqual({ has: true, codes: 1 })
    await change('link', { drop_second_factor: true })
    expect(await factor()).toEqual({ has: false, codes: 0 })
  })

  it('the account of another person gets no link where it is disabled, or its password is in the environment', async () => {
    const { change } = await withGrace()
    await change('disable')
    expect(await change('link')).toMatchObject({ status: 409 })
    await change('enable')
    await world.database.pool.query(
      `update admins set from_environment = true where username = 'Grace'`,
    )
    expect(await change('link')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('ADMIN_PASSWORD_HASH') },
    })
  })

  it('the account of another person is changed with the password of who changes it only', async () => {
    const { other, change, isIn } = await withGrace()
    for (const what of ['disable', 'enable', 'link', 'role']) {
      const body = { password: 'guess', ...(what === 'role' ? { role: 'administrator' } : {}) }
      expect(await change(what, body)).toMatchObject({
        body: { success: false, fields: { password: 'This is not your password.' } },
      })
    }
    expect(await isIn(other)).toBe(true)
  })

  it("the account of another person is changed by administrators only, and never one's own: one is always left", async () => {
    const { other, change } = await withGrace()
    for (const what of ['disable', 'link']) {
      expect(await change(what, {}, other)).toMatchObject({ status: 403 })
    }
    const own = `${BASE}/${String(admin.id)}`
    for (const [what, body] of [
      ['disable', {}],
      ['link', {}],
      ['role', { role: 'reviewer' }],
    ] as const) {
      const answer = await admin.call('POST', `${own}/${what}`, { ...OWN, ...body })
      expect(answer).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('your own account') },
      })
    }
    expect(await admin.call('DELETE', `${own}/sessions`)).toMatchObject({ status: 409 })
    expect(await admin.call('POST', `${BASE}/999999/disable`, OWN)).toMatchObject({ status: 404 })
    expect(await list(admin)).toMatchObject([
      { role: 'administrator', own: true, disabled_at: null },
      { disabled_at: null },
    ])
  })

  it('the account of another person: of two administrators who disable each other at once, one is left', async () => {
    for (let round = 0; round < 4; round += 1) {
      await emptied(world)
      const own = await signedIn(world)
      const { other, change } = await withGrace('administrator')
      const both = await Promise.all([
        change('disable', {}, own),
        other.call('POST', `${BASE}/${String(own.id)}/disable`, OWN),
      ])
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    }
  })
})
