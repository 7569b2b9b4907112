import { expect, type Page } from '@playwright/test'
import { PASSWORD, SESSIONS, type Who } from './accounts.ts'
import { startBuiltSite } from './built-site.ts'
import { NEXT_YEAR } from './site.ts'

export type AdminSite = Awaited<ReturnType<typeof startAdminSite>>

/** The site shared by administrators' journeys: each creates its own rows under its own names. */
export function sharedAdminSite() {
  return adminSite(process.env['ADMIN_SITE_URL'] ?? '')
}

/** A separate site for a journey with other settings. @param env further settings of .env.example */
export async function startAdminSite(env: Readonly<Record<string, string>> = {}) {
  const site = await startBuiltSite({ LIGHTNING_WALLET: 'off', ...env })
  return { ...site, ...adminSite(site.url) }
}

/** Administrators' actions on a site. Their accounts and sessions are in every copy of the record. */
function adminSite(url: string) {
  const sessions = JSON.parse(process.env[SESSIONS] ?? '{}') as Readonly<Record<Who, string>>
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: sessions['first-admin'] },
      body: JSON.stringify(body),
    })
    const reply = JSON.stringify(await response.json())
    if (!response.ok) throw new Error(reply)
    return reply
  }
  const usual = {
    prediction_type: 'target',
    target_time: `${NEXT_YEAR}-12-31`,
    source_url: 'https://example.org/said',
  }
  /** Submits a prediction, by default a target by the end of next year. @param path such as `/api/submissions` @returns its id */
  const submit = async (path: string, fields: object): Promise<string> =>
    found(/"id":"([\da-f-]{36})"/, await post(path, { ...usual, ...fields }))
  return {
    url,
    names: { first: 'first-admin', second: 'second-admin' },
    submit,
    /** Gives a page, and its whole context, an administrator's session. */
    signIn: async (page: Page, who: Who = 'first-admin'): Promise<void> => {
      const [name = '', value = ''] = sessions[who].split('=')
      await page.context().addCookies([{ name, value, url, httpOnly: true }])
      await page.context().addInitScript((username) => {
        localStorage.setItem('adminLoggedIn', 'true')
        localStorage.setItem('adminUsername', username)
      }, who)
    },
    /** Submits a prediction for Bitcoin and approves it. @returns the id of its page */
    publish: async (fields: object): Promise<string> => {
      const id = await submit('/api/submissions', fields)
      const approved = await post(`/api/admin/prediction_submissions/${id}/approve`, {})
      return found(/"prediction_id":"([^"]+)"/, approved)
    },
  }
}

function found(pattern: RegExp, reply: string): string {
  const id = pattern.exec(reply)?.[1]
  if (id === undefined) throw new Error(reply)
  return id
}

/** Waits until the keys of a list act again: they rest for 300 ms from the moment a dialog over it begins to close. */
export async function keysRested(page: Page): Promise<void> {
  await expect(page.locator('[role=dialog][data-size]')).toHaveCount(0)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 350)))
}

export { PASSWORD }
