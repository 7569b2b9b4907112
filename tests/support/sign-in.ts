import { Command } from 'commander'
import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'
import { type Role } from '#contracts/access.ts'
import { addAdmins } from '#server/admins/admins.commands.ts'
import { accountByName, addAdmin } from '#server/admins/admins.store.ts'
import { type Database } from '#server/kit/db.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { type Clock } from '#server/kit/time.ts'
import { reader, type TestApp } from './test-app.ts'
import { CHEAP } from './test-site.ts'

export const PASSWORD = 'correct horse battery staple'

export type SignedInBrowser = {
  readonly id: number
  readonly username: string
  readonly remoteAddress: string
  readonly headers: Readonly<Record<string, string>>
  readonly call: (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
  ) => Promise<{ status: number; body: unknown }>
  readonly read: TestApp['read']
}

let signIns = 0

/** The tests of a file sign in more often than one address may. */
function nextAddress(): string {
  signIns += 1
  return `127.1.${String((signIns >> 8) & 255)}.${String(signIns & 255)}`
}

/**
 * Creates an administrator, or takes the one of this name, and signs them in.
 *
 * @param remoteAddress of the browser, by which its calls are limited
 */
export async function signedIn(
  world: Pick<TestApp, 'app'> & { readonly database: Pick<Database, 'db'> },
  username = 'Admin A',
  role: Role = 'administrator',
  remoteAddress = nextAddress(),
): Promise<SignedInBrowser> {
  const { db } = world.database
  const known = await accountByName(db, username)
  const id =
    known?.id ??
    (await addAdmin(db, {
      username,
      role,
      passwordHash: await passwordHasher(CHEAP).hash(PASSWORD),
      fromEnvironment: false,
      createdAt: '2026-11-01T00:00:00.000Z',
    }))
  if (id === null) throw new Error('the administrator was not made')
  const response = await login(world, { username }, remoteAddress)
  const cookie = response.cookies.find(({ name }) => name === 'session')
  if (response.statusCode !== 200 || !cookie) throw new Error(`no session: ${response.body}`)
  const headers = { cookie: `session=${cookie.value}`, 'sec-fetch-site': 'same-origin' }
  const call: SignedInBrowser['call'] = async (method, url, body) => {
    const answer = await world.app.inject({
      method,
      url,
      headers,
      remoteAddress,
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }
  const read = reader((url) => call('GET', url))
  return { id, username, remoteAddress, headers, call, read }
}

/** Submits the sign-in form, by default as Admin A with the right password. */
export function login(
  world: Pick<TestApp, 'app'>,
  overrides: object = {},
  remoteAddress = '192.0.2.1',
  headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
) {
  const payload = { username: 'Admin A', password: PASSWORD, ...overrides }
  return world.app.inject({
    method: 'POST',
    url: '/api/admin/login',
    headers,
    payload,
    remoteAddress,
  })
}

/** Creates a token. @returns the headers of a script that uses it */
export async function script(admin: SignedInBrowser, overrides: object = {}) {
  const body = { password: PASSWORD, name: 'script', ...overrides }
  const made = await admin.call('POST', '/api/v1/admin/tokens', body)
  const { token } = z.object({ token: z.string() }).parse(made.body)
  return { authorization: `Bearer ${token}` }
}

/** The status for a session or token: 200 or 401. */
export async function opens(
  world: Pick<TestApp, 'app'>,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  return (await world.app.inject({ url: '/api/admin/test', headers })).statusCode
}

/** Starts the setup of an authenticator app. @returns its secret, address and current code */
export async function authenticatorApp(admin: SignedInBrowser, clock: Clock) {
  const started = await admin.call('POST', '/api/v1/admin/second-factor', { password: PASSWORD })
  const { secret, uri } = z.object({ secret: z.string(), uri: z.string() }).parse(started.body)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return { secret, uri, code: () => totp.generate({ timestamp: clock.now() }) }
}

/** Sets up an authenticator app. @returns the same, with the message and the recovery codes */
export async function withAuthenticatorApp(admin: SignedInBrowser, clock: Clock) {
  const app = await authenticatorApp(admin, clock)
  const body = { code: app.code() }
  const on = await admin.call('POST', '/api/v1/admin/second-factor/confirm', body)
  const { message, recovery_codes: recovery } = z
    .object({ message: z.string(), recovery_codes: z.array(z.string()) })
    .parse(on.body)
  return { ...app, message, recovery }
}

/**
 * Runs `admin …` of the command line on a test's database.
 *
 * @param typed the password, if one is requested
 * @returns the lines it printed
 */
export async function adminCommand(
  world: Pick<TestApp, 'database'>,
  clock: Clock,
  words: readonly string[],
  typed = '',
): Promise<string[]> {
  const lines: string[] = []
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  addAdmins(program, {
    clock,
    withDb: (work) => work(world.database.db),
    print: (text) => void lines.push(text),
    readPassword: async () => typed,
  })
  await program.parseAsync(['admin', ...words], { from: 'user' })
  return lines
}
