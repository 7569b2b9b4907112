import { type Page } from '@playwright/test'
import { passwordHasher } from '#server/kit/passwords.ts'
import { startBuiltSite, type BuiltSite } from './built-site.ts'

export const PASSWORD = 'correct horse battery staple'
const NAMES = { first: 'first-admin', second: 'second-admin' } as const
type Who = keyof typeof NAMES

/** A separate site with two administrators who have signed in once. */
export type AdminSite = BuiltSite & {
  readonly names: typeof NAMES
  /** Gives a page the session of an administrator; every page of its context has it from then on. */
  readonly signIn: (page: Page, who?: Who) => Promise<void>
  /** Submits a prediction. @param path such as `/api/submissions` @returns its id */
  readonly submit: (path: string, fields: object) => Promise<string>
}

/** @param env further settings of .env.example */
export async function startAdminSite(
  env: Readonly<Record<string, string>> = {},
): Promise<AdminSite> {
  const hash = await passwordHasher({ memoryKib: 1_024, passes: 1 }).hash(PASSWORD)
  const site = await startBuiltSite({
    ADMIN_USERNAME: NAMES.first,
    ADMIN_PASSWORD_HASH: hash,
    LIGHTNING_WALLET: 'off',
    ...env,
  })
  try {
    await site.cliWith(`${PASSWORD}\n`, 'admin', 'create', NAMES.second)
    const cookies = {
      first: await sessionOf(site.url, NAMES.first),
      second: await sessionOf(site.url, NAMES.second),
    }
    return {
      ...site,
      names: NAMES,
      signIn: async (page, who = 'first') => {
        const [name = '', value = ''] = cookies[who].split('=')
        await page.context().addCookies([{ name, value, url: site.url, httpOnly: true }])
        await page.context().addInitScript((username) => {
          localStorage.setItem('adminLoggedIn', 'true')
          localStorage.setItem('adminUsername', username)
        }, NAMES[who])
      },
      submit: async (path, fields) => {
        const response = await fetch(site.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie: cookies.first },
          body: JSON.stringify(fields),
        })
        const reply: unknown = await response.json()
        const found = /"id":"([\da-f-]{36})"/.exec(JSON.stringify(reply))?.[1]
        if (!response.ok || found === undefined) throw new Error(JSON.stringify(reply))
        return found
      },
    }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** Signs in and returns the cookie, as `session=…`. */
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
