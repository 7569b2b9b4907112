import { type Role } from '#contracts/access.ts'
import { adminByName, addAdmin } from '#server/admins/admins.store.ts'
import { passwordHasher } from '#server/kit/passwords.ts'
import { type TestApp } from './test-app.ts'
import { CHEAP } from './test-site.ts'

export const PASSWORD = 'correct horse battery staple'

export type SignedInBrowser = {
  readonly id: number
  readonly username: string
  readonly remoteAddress: string
  /** The headers of a browser with a session, on the site itself. */
  readonly headers: Readonly<Record<string, string>>
  /** Makes a call as this administrator. */
  readonly call: (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
  ) => Promise<{ status: number; body: unknown }>
}

let signIns = 0

/** An address may not sign in as often as the tests of a file do. */
function nextAddress(): string {
  signIns += 1
  return `127.1.${String((signIns >> 8) & 255)}.${String(signIns & 255)}`
}

/**
 * Makes an administrator, or takes the one of this name, and signs them in.
 *
 * @param remoteAddress of the browser: how often it may call is counted by it
 */
export async function signedIn(
  world: Pick<TestApp, 'app' | 'database'>,
  username = 'Admin A',
  role: Role = 'administrator',
  remoteAddress = nextAddress(),
): Promise<SignedInBrowser> {
  const { db } = world.database
  const known = await adminByName(db, username)
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
  const response = await world.app.inject({
    method: 'POST',
    url: '/api/admin/login',
    remoteAddress,
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { username, password: PASSWORD },
  })
  const cookie = response.cookies.find(({ name }) => name === 'session')
  if (response.statusCode !== 200 || !cookie) throw new Error(`no session: ${response.body}`)
  const headers = { cookie: `session=${cookie.value}`, 'sec-fetch-site': 'same-origin' }
  return {
    id,
    username,
    remoteAddress,
    headers,
    call: async (method, url, body) => {
      const answer = await world.app.inject({
        method,
        url,
        headers,
        remoteAddress,
        ...(body === undefined ? {} : { payload: body }),
      })
      return { status: answer.statusCode, body: answer.json<unknown>() }
    },
  }
}
