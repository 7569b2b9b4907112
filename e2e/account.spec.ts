import { type Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { type Who } from './support/accounts.ts'
import { PASSWORD, sharedAdminSite } from './support/admin.ts'
import { expect, test } from './support/site.ts'

const site = sharedAdminSite()
/** Passkeys belong to host names, so a numeric address does not work. */
const origin = site.url.replace('127.0.0.1', 'localhost')

async function fillIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

async function openAccount(page: Page, username: Who): Promise<void> {
  await page.goto(`${origin}/admin/login?next=/admin/account`)
  await fillIn(page, username)
  await expect(page.getByRole('heading', { name: `Account of ${username}` })).toBeVisible()
}

test('signs in and out, by password and passkey, and renews an expired session over the page', async ({
  page,
  context,
}) => {
  await page.goto(`${origin}/admin/account`)
  await expect(page).toHaveURL(/\/admin\/login\?next=/)
  await fillIn(page, 'second-admin', 'not the password')
  await expect(page.getByRole('alert')).toHaveText('Wrong username or password.')
  await expectAccessible(page, 'sign-in')
  await page.route('**/api/admin/login', (route) => route.abort())
  await fillIn(page, 'second-admin')
  await expect(page.getByRole('alert')).toHaveText(
    'Network error. Backend may not be running or could be on a different port.',
  )
  await page.unroute('**/api/admin/login')
  await fillIn(page, 'second-admin')
  await expect(page.getByRole('heading', { name: 'Account of second-admin' })).toBeVisible()
  const known = () =>
    page.evaluate(() => ['adminLoggedIn', 'adminUsername'].map((key) => localStorage[key]))
  expect(await known()).toEqual(['true', 'second-admin'])
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await expectAccessible(page, 'account', { within: 'main' })

  // After signing in again, the call is repeated with the same input.
  const tokens = page.getByRole('region', { name: 'Tokens for scripts', exact: true })
  await tokens.getByLabel('Name').fill('nightly script')
  await tokens.getByLabel('Your password').fill(PASSWORD)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await expect(dialog.getByLabel('Username')).toHaveValue('second-admin')
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText(/^pop_[\w-]{43}$/)).toBeVisible()
  await expect(tokens.getByRole('button', { name: 'Copy' })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'nightly script' })).toBeVisible()

  // The session continues although the browser lost its sign-in hint.
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${origin}/admin`)
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(page.getByTitle('Signed in')).toHaveText('second-admin')
  await page.route('**/api/admin/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText(/^You are still signed in/).first()).toBeVisible()
  await page.unroute('**/api/admin/logout')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin\/login/)
  expect(await page.evaluate(() => localStorage.getItem('adminLoggedIn'))).toBeNull()

  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await openAccount(page, 'passkeys')
  const passkeys = page.getByRole('region', { name: 'Passkeys', exact: true })
  await passkeys.getByLabel('Name').fill('This laptop')
  await passkeys.getByLabel('Your password').fill(PASSWORD)
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByRole('rowheader', { name: 'This laptop' })).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/admin\/(?:dashboard|account)/)
  await page.goto(`${origin}/admin/account`)
  await expect(page.getByRole('region', { name: 'Sessions', exact: true })).toContainText('passkey')
  await passkeys.getByRole('button', { name: 'Remove' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove this passkey' })
  await removal.getByLabel('Your password').fill(PASSWORD)
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect(passkeys.getByRole('rowheader', { name: 'This laptop' })).toBeHidden()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('This passkey was not accepted')
})

test("a new account's owner chooses a password by link and gets a reviewer's rights until disabled", async ({
  page,
  browser,
}) => {
  await site.signIn(page)
  await page.goto(`${site.url}/admin/accounts`)
  await page.getByLabel('Username').fill('lin')
  await page.getByLabel('Role').selectOption('reviewer')
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make the account' }).click()
  const note = page.getByRole('status').filter({ hasText: 'Send this link to lin' })
  const link = (await note.getByText('/admin/password#').textContent()) ?? ''
  const row = page.getByRole('row', { name: /^lin/ })
  await expect(row).toContainText('has to choose a password by')

  const theirs = await (await browser.newContext()).newPage()
  await theirs.goto(link)
  await theirs.getByLabel('New password').fill('passwordpassword')
  await theirs.getByRole('button', { name: 'Set the password' }).click()
  const weak = 'is among those that attackers try first'
  await expect(theirs.getByRole('alert')).toContainText(weak)
  await expectAccessible(theirs, 'choose a password')
  const chosen = 'seven green lamps hum'
  await theirs.getByLabel('New password').fill(chosen)
  await theirs.getByRole('button', { name: 'Set the password' }).click()
  await fillIn(theirs, 'lin', chosen)
  await expect(theirs).toHaveURL(/\/admin\/dashboard$/)
  const places = theirs.getByRole('navigation', { name: 'Screens' }).getByRole('link')
  await expect(
    places.filter({ hasText: /Payments|Publish|Audit|Operations|Accounts/ }),
  ).toHaveCount(0)
  await expect(places.filter({ hasText: /^(?:BTC|Predictions|Reports)/ })).toHaveCount(3)
  await theirs.goto(`${new URL(link).origin}/admin/payments`)
  await expect(theirs.getByText('This page is for administrators')).toBeVisible()
  await theirs.goto(`${new URL(link).origin}/admin/predictions?open=mcafee-1m-2020`)
  await expect(theirs.getByRole('region', { name: 'History' })).toBeVisible()
  await expect(theirs.getByRole('button', { name: /Withdraw|Freeze|Save/ })).toHaveCount(0)

  await page.reload()
  await row.getByRole('button', { name: 'Disable: lin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disable the account' })
  await expectAccessible(page, 'disable an account')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(row).toContainText('disabled on')
  await theirs.reload()
  await expect(theirs.getByRole('dialog', { name: 'Please sign in again' })).toBeVisible()
  await theirs.context().close()
})
