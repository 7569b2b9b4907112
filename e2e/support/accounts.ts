import { addAdmin } from '#server/admins/admins.store.ts'
import { type Db } from '#server/kit/db.ts'
import { passwordHasher } from '#server/kit/passwords.ts'

export const PASSWORD = 'correct horse battery staple'

/** Two reviewers, and one account for each journey that changes how its account signs in. */
const NAMES = ['first-admin', 'second-admin', 'passkeys', 'factors'] as const
export type Who = (typeof NAMES)[number]

/** The setting with the cookies of all, by name. */
export const SESSIONS = 'E2E_SESSIONS'

/** Creates the accounts in the record that sites copy. */
export async function addAccounts(db: Db): Promise<void> {
  const passwordHash = await passwordHasher({ memoryKib: 1_024, passes: 1 }).hash(PASSWORD)
  const createdAt = new Date().toISOString()
  for (const username of NAMES) {
    const role = 'administrator'
    await addAdmin(db, { username, role, passwordHash, fromEnvironment: false, createdAt })
  }
}

/** Signs everyone in once; the sessions are valid in every later copy of the record. */
export async function keepSessions(url: string): Promise<void> {
  const stored: [string, string][] = []
  // One after the other: the site checks few passwords at once.
  for (const username of NAMES) stored.push([username, await sessionOf(url, username)])
  process.env[SESSIONS] = JSON.stringify(Object.fromEntries(stored))
}

async function sessionOf(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  if (!response.ok || cookie === undefined) throw new Error(`${username} could not sign in`)
  return cookie
}
