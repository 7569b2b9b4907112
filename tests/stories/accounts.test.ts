import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listAccounts, type PasswordLink } from '#contracts/accounts.ts'
import { passkeys } from '#server/database/schema/admins.ts'
import { adminSite } from '#tests/support/empty-site.ts'
import { emptied } from '#tests/support/once-for-file.ts'
import { login, opens, PASSWORD, script, signedIn, adminCommand } from '#tests/support/sign-in.ts'

const { world, admin, clock } = adminSite()

const BASE = '/api/v1/admin/accounts'
const LINK = '/api/admin/password-link'
const OWN = { password: PASSWORD }
const CHOSEN = 'seven green lamps hum'
const OTHER = 'four lamps hum at noon'
const Made = z.object({
  message: z.string(),
  link: z.object({ path: z.string(), expires_at: z.string() }),
})

async function list() {
  return (await admin.read(listAccounts)).accounts
}

/** Creates an account. @returns the token of its link */
async function invite(username = 'person-b', role = 'reviewer') {
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
  (await login(world, { username, password })).statusCode
const choose = (token: string, password = CHOSEN) => post(`${LINK}/use`, { token, password })
const command = (words: string[], typed?: string) => adminCommand(world, clock, words, typed)

it('an account gets its password by a link, which works once and enforces the password rules', async () => {
  const token = await invite()
  expect(await signIn('person-b', '')).toBe(400)
  expect((await list())[1]).toMatchObject({
    username: 'person-b',
    role: 'reviewer',
    own: false,
    second_factor: false,
    link_expires_at: '2026-11-23T12:00:00.000Z',
    sessions: 0,
  })
  const rows = await world.sql(
    `select (select string_agg(a::text, '') from admins a) || (select string_agg(l::text, '') from audit_log l) as all`,
  )
  expect(rows[0]?.all).not.toContain(token)
  expect(await post(LINK, { token })).toMatchObject({ body: { username: 'person-b' } })
  for (const bad of ['passwordpassword', 'short', 'person-b lamps']) {
    expect(await choose(token, bad)).toMatchObject({
      status: 400,
      body: { fields: { password: expect.any(String) } },
    })
  }
  // Only one of two concurrent users sets the password.
  const both = await Promise.all([choose(token), choose(token)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect(await signIn('person-b', CHOSEN)).toBe(200)
  const again = { status: 404, body: { message: expect.stringContaining('no longer valid') } }
  expect(await choose(token, OTHER)).toMatchObject(again)
  expect(await post(LINK, { token })).toMatchObject(again)
  expect((await list())[1]).toMatchObject({ link_expires_at: null, sessions: 1 })
})

it('an account that gets a password on the command line no longer needs its link', async () => {
  const token = await invite()
  await command(['password', 'person-b'], OTHER)
  expect((await choose(token)).status).toBe(404)
  expect(await signIn('person-b', OTHER)).toBe(200)
})

describe('the credentials of an account', () => {
  type Way = () => Promise<{ body: unknown }>
  /** The credentials still valid: this session, another one, a token, a passkey. */
  type Left = readonly [here: boolean, there: boolean, token: boolean, passkey: boolean]
  const say =
    (...words: string[]): Way =>
    async () => ({ body: { message: (await command(words, CHOSEN)).join(' ') } })
  const own =
    (method: 'POST' | 'DELETE', path: string, body?: object): Way =>
    () =>
      admin.call(method, `/api/v1/admin/${path}`, body)
  const byOther =
    (method: 'POST' | 'DELETE', path: string): Way =>
    async () => {
      const body = method === 'POST' ? OWN : undefined
      const of = `${BASE}/${String(admin.id)}/${path}`
      return (await signedIn(world, 'Admin B')).call(method, of, body)
    }
  const ALL = 'Ended: 2 sessions, 1 token and 1 passkey.'
  const NOTHING: Left = [false, false, false, false]
  const change = { current: PASSWORD, next: CHOSEN }
  it.each<[message: string, left: Left, way: Way]>([
    [`The password of Admin A is set. ${ALL}`, NOTHING, say('password', 'admin a')],
    [`Admin A can no longer sign in. ${ALL}`, NOTHING, say('disable', 'Admin A')],
    ['Ended: 1 token.', [true, true, false, true], say('revoke', 'Admin A', '--tokens')],
    [ALL, NOTHING, say('revoke', 'Admin A', '--all')],
    [
      'Password changed. Ended: 1 other session, 1 token and 1 passkey.',
      [true, false, false, false],
      own('POST', 'password', change),
    ],
    [
      'Password changed. Ended: 1 other session and 1 token.',
      [true, false, false, true],
      own('POST', 'password', { ...change, keep_passkeys: true }),
    ],
    [
      'Ended: 2 sessions and 1 token. Passkeys stay.',
      [false, false, false, true],
      own('DELETE', 'sessions'),
    ],
    [`Admin A can no longer sign in. ${ALL}`, NOTHING, byOther('POST', 'disable')],
    [`Admin A can choose a new password by the link. ${ALL}`, NOTHING, byOther('POST', 'link')],
    [
      'Admin A is signed out. Ended: 2 sessions.',
      [false, false, true, true],
      byOther('DELETE', 'sessions'),
    ],
  ])('end with the message: %s', async (message, left, way) => {
    const { sql, db } = world.database
    const [there, bystander] = [await signedIn(world), await signedIn(world, 'Person C')]
    const bearer = await script(admin)
    await db.insert(passkeys).values({
      id: 'a-passkey',
      adminId: admin.id,
      name: 'Laptop',
      publicKey: new Uint8Array(8),
      counter: 0,
      transports: [],
      createdAt: new Date(clock.now()).toISOString(),
    })
    expect((await way()).body).toMatchObject({ message })
    const open = async () => [
      ...(await Promise.all(
        [admin.headers, there.headers, bearer].map(async (of) => (await opens(world, of)) === 200),
      )),
      (await sql('select 1 from passkeys')).length > 0,
    ]
    expect(await open()).toEqual(left)
    expect(await opens(world, bystander.headers)).toBe(200)
    // Ended sessions stay ended after a disabled account is enabled again.
    await command(['enable', 'Admin A']).catch(() => [])
    expect(await open()).toEqual(left)
  })

  it('are ended by a disabled account, which changes nothing else', async () => {
    const bearer = await script(admin)
    await world.sql('update admins set disabled_at = now()')
    expect(await opens(world, admin.headers)).toBe(401)
    expect(await opens(world, bearer)).toBe(401)
    expect(await signIn('Admin A', PASSWORD)).toBe(401)
    expect(await command(['password', 'Admin A'], PASSWORD)).toContain(
      'Admin A is still disabled. See: admin enable',
    )
    clock.pass(60_000)
    expect(await signIn('Admin A', PASSWORD)).toBe(401)
    await command(['enable', 'Admin A'])
    clock.pass(60_000)
    expect(await signIn('Admin A', PASSWORD)).toBe(200)
  })

  it('are kept if the password is invalid or the command incomplete', async () => {
    for (const [body, fields] of [
      [{ current: 'guess', next: OTHER }, { current: 'This is not your password.' }],
      [{ current: PASSWORD, next: 'short' }, { next: 'A password needs at least 12 characters.' }],
    ]) {
      const refused = await admin.call('POST', '/api/v1/admin/password', body)
      expect(refused).toMatchObject({ status: 400, body: { fields } })
    }
    await expect(command(['revoke', 'Admin A'])).rejects.toThrow(/name --sessions/)
    await expect(command(['revoke', 'nobody', '--all'])).rejects.toThrow(/no account/)
    await expect(command(['enable', 'Admin A'])).rejects.toThrow(/not disabled/)
    await expect(command(['role', 'Admin A', 'owner'])).rejects.toThrow(/owner/)
    expect(await opens(world, admin.headers)).toBe(200)
  })
})

it('accounts are made and listed on the command line, and passwords hashed', async () => {
  await command(['create', 'person-b', '--role', 'reviewer'], PASSWORD)
  expect(await signIn('person-b', PASSWORD)).toBe(200)
  expect(await command(['role', 'Admin A', 'reviewer'])).toEqual(['Admin A is now a reviewer.'])
  expect(await command(['list'])).toEqual(['Admin A (reviewer)', 'person-b (reviewer)'])
  // A password may have spaces, as no name can contain it.
  const hashed = await command(['hash'], 'k3R9 q2Lm vT7x')
  expect(hashed).toEqual([expect.stringMatching(/^\$argon2id\$/)])
})

describe('the account of another person', () => {
  async function withOther(role: 'administrator' | 'reviewer' = 'reviewer') {
    const other = await signedIn(world, 'Person B', role)
    const change = (what: string, body: object = {}, by = admin) =>
      by.call('POST', `${BASE}/${String(other.id)}/${what}`, { ...OWN, ...body })
    return { other, change }
  }

  it('gets the chosen role, from the next call on, tokens included', async () => {
    const { other, change } = await withOther()
    const headers = await script(other)
    for (const [role, status] of [
      ['administrator', 200],
      ['reviewer', 403],
    ]) {
      expect(await change('role', { role })).toMatchObject({ status: 200 })
      expect(await other.call('GET', BASE)).toMatchObject({ status })
      const audit = await world.app.inject({ url: '/api/v1/admin/audit', headers })
      expect(audit.statusCode).toBe(status)
    }
  })

  it('gets a new password by a link; the old one stops working at once', async () => {
    const { change } = await withOther()
    const token = tokenOf(Made.parse((await change('link')).body).link)
    expect(await signIn('Person B', PASSWORD)).toBe(401)
    expect((await choose(token)).status).toBe(200)
    expect(await signIn('Person B', CHOSEN)).toBe(200)
  })

  it('two administrators who disable each other at once leave one active', async () => {
    for (let round = 0; round < 4; round += 1) {
      await emptied(world)
      const own = await signedIn(world)
      const { other, change } = await withOther('administrator')
      const both = await Promise.all([
        change('disable', {}, own),
        other.call('POST', `${BASE}/${String(own.id)}/disable`, OWN),
      ])
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    }
  })
})
