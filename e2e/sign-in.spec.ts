import { type Page } from '@playwright/test'
import { passwordHasher } from '#server/kit/passwords.ts'
import { Secret, TOTP } from 'otpauth'
import { expectAccessible } from './support/accessible.ts'
import { startBuiltSite, type BuiltSite } from './support/built-site.ts'
import { expect, test } from './support/site.ts'

const PASSWORD = 'correct horse battery staple'
const USERNAME = 'admin-a'

test.describe.configure({ mode: 'serial' })

let site: BuiltSite
/** Passkeys belong to host names, so a numeric address does not work. */
let origin: string

test.beforeAll(async () => {
  const hash = await passwordHasher({ memoryKib: 1_024, passes: 1 }).hash(PASSWORD)
  site = await startBuiltSite({ ADMIN_USERNAME: USERNAME, ADMIN_PASSWORD_HASH: hash })
  origin = site.url.replace('127.0.0.1', 'localhost')
})

test.afterAll(() => site.stop())

async function fillIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Username').fill(USERNAME)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

test('signing in and out works, and says what goes wrong', async ({ page }) => {
  await page.goto(`${origin}/admin/account`)
  await expect(page).toHaveURL(/\/admin\/login\?next=/)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Please enter both username and password')
  await fillIn(page, 'not the password')
  await expect(page.getByRole('alert')).toHaveText('Wrong user name or password.')
  await page.route('**/api/admin/login', (route) => route.abort())
  await fillIn(page, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText(
    'Network error. Backend may not be running or could be on a different port.',
  )
  await page.unroute('**/api/admin/login')
  await page.route('**/api/admin/login', (route) => route.fulfill({ status: 404 }))
  await fillIn(page, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText(
    'Login service is not available (404). Please check if the backend server is running.',
  )
  await page.unroute('**/api/admin/login')
  await expectAccessible(page, 'sign-in')

  await fillIn(page, PASSWORD)
  await expect(page.getByRole('heading', { name: `Account of ${USERNAME}` })).toBeVisible()
  expect(
    await page.evaluate(() => ['adminLoggedIn', 'adminUsername'].map((key) => localStorage[key])),
  ).toEqual(['true', USERNAME])
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await page.goto(`${origin}/admin`)
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await page.route('**/api/admin/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText(/^You are still signed in/).first()).toBeVisible()
  await page.unroute('**/api/admin/logout')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin\/login/)
  expect(await page.evaluate(() => localStorage.getItem('adminLoggedIn'))).toBeNull()
})

test('a session that ended is renewed over the page, and what was typed is sent', async ({
  page,
  context,
}) => {
  await page.goto(`${origin}/admin/login?next=/admin/account`)
  await fillIn(page, PASSWORD)
  const tokens = page.getByRole('region', { name: 'Tokens for scripts' })
  await tokens.getByLabel('Name').fill('nightly script')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await expect(dialog.getByLabel('Username')).toHaveValue(USERNAME)
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText(/^pop_[\w-]{43}$/)).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'nightly script' })).toBeVisible()
})

test('a passkey signs in; after its removal the account is as before', async ({
  page,
  context,
}) => {
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
  await page.goto(`${origin}/admin/login?next=/admin/account`)
  await fillIn(page, PASSWORD)
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await passkeys.getByLabel('Name').fill('This laptop')
  await passkeys.getByLabel('Your password').fill('not the password')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByRole('alert')).toHaveText('This is not your password.')
  await passkeys.getByLabel('Your password').fill(PASSWORD)
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByRole('rowheader', { name: 'This laptop' })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/admin\/(?:dashboard|account)/)
  await page.goto(`${origin}/admin/account`)
  await expect(page.getByRole('region', { name: 'Sessions' })).toContainText('passkey')
  await passkeys.getByRole('button', { name: 'Remove' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove this passkey' })
  await removal.getByLabel('Your password').fill('not the password')
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect(removal.getByRole('alert')).toHaveText('This is not your password.')
  await removal.getByLabel('Your password').fill(PASSWORD)
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect(removal).toBeHidden()
  await expect(passkeys.getByRole('rowheader', { name: 'This laptop' })).toBeHidden()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('This passkey was not accepted')
})

test('a second factor is set up, asked for and turned off', async ({ page }) => {
  await page.goto(`${origin}/admin/login?next=/admin/account`)
  await fillIn(page, PASSWORD)
  const factor = page.getByRole('region', { name: 'Second factor' })
  await factor.getByLabel('Your password').fill(PASSWORD)
  await factor.getByRole('button', { name: 'Set it up' }).click()
  await expect(factor.getByRole('img')).toBeVisible()
  const secret = (await factor.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  // The previous code is accepted too, and leaves the current one for signing in. Not just before a code ends.
  await expect.poll(() => Date.now() % 30_000, { timeout: 15_000 }).toBeLessThan(22_000)
  const earlier = totp.generate({ timestamp: Date.now() - 30_000 })
  await factor.getByLabel('Code').fill(earlier)
  await factor.getByRole('button', { name: 'Turn it on' }).click()
  await expect(factor).toContainText('On: signing in')
  const codes = factor.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [recovery = '', spare = ''] = await codes.allTextContents()

  await page.getByRole('button', { name: 'Logout' }).click()
  await fillIn(page, PASSWORD)
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('This code is wrong or was already used')
  await page.getByLabel('Code').fill(totp.generate())
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/(?:dashboard|account)/)

  // Without the authenticator, typed by hand.
  await page.getByRole('button', { name: 'Logout' }).click()
  await fillIn(page, PASSWORD)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').pressSequentially(spare)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/(?:dashboard|account)/)
  await page.goto(`${origin}/admin/account`)
  await factor.getByLabel('Your password').fill(PASSWORD)
  await factor.getByLabel('Code').fill('000000')
  await factor.getByRole('button', { name: 'Turn it off' }).click()
  await expect(factor.getByRole('alert')).toContainText('This code is wrong')
  await factor.getByLabel('Code').fill(recovery)
  await factor.getByRole('button', { name: 'Turn it off' }).click()
  await expect(factor).toContainText('Off. With it')
})

test('a session continues although the browser forgot who was signed in', async ({ page }) => {
  await page.goto(`${origin}/admin/login?next=/admin/account`)
  await fillIn(page, PASSWORD)
  await expect(page.getByRole('heading', { name: `Account of ${USERNAME}` })).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${origin}/admin`)
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(page.getByTitle('Signed in')).toHaveText(USERNAME)
  await page.goto(`${origin}/admin/account`)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/admin\/login/)
  await page.evaluate(() => localStorage.setItem('adminLoggedIn', 'true'))
  await page.goto(`${origin}/admin/account`)
  await expect(page.getByRole('dialog', { name: 'Please sign in again' })).toBeVisible()
})

test('an administrator makes an account, whose owner chooses a password by a link; disabled, they are out', async ({
  page,
  browser,
}) => {
  await page.goto(`${origin}/admin/login?next=/admin/accounts`)
  await fillIn(page, PASSWORD)
  await page.getByLabel('User name').fill('lin')
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make the account' }).click()
  const note = page.getByRole('status').filter({ hasText: 'Send this link to lin' })
  const link = (await note.getByText('/admin/password#').textContent()) ?? ''
  const row = page.getByRole('row', { name: /^lin/ })
  await expect(row).toContainText('has to choose a password by')
  await expectAccessible(page, 'accounts')

  const theirs = await (await browser.newContext()).newPage()
  await theirs.goto(link)
  await theirs.getByLabel('New password').fill('passwordpassword')
  await theirs.getByRole('button', { name: 'Set the password' }).click()
  await expect(theirs.getByRole('alert')).toContainText(
    'one of the passwords that attackers try first',
  )
  await expectAccessible(theirs, 'choose a password')
  const chosen = 'seven green lamps hum'
  await theirs.getByLabel('New password').fill(chosen)
  await theirs.getByRole('button', { name: 'Set the password' }).click()
  await theirs.getByLabel('Username').fill('lin')
  await theirs.getByLabel('Password').fill(chosen)
  await theirs.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(theirs).toHaveURL(/\/admin\/dashboard$/)
  const late = await (await browser.newContext()).newPage()
  await late.goto(link)
  await expect(late.getByRole('alert')).toContainText('This link is not valid any more')

  await page.reload()
  await row.getByRole('button', { name: 'Disable: lin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disable the account' })
  await expectAccessible(page, 'disable an account')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(row).toContainText('disabled on')
  await theirs.reload()
  await expect(theirs.getByRole('dialog', { name: 'Please sign in again' })).toBeVisible()
})

test('a reviewer sees what they may do, and a clear sentence where they may not', async ({
  page,
}) => {
  await site.cliWith(`${PASSWORD}\n`, 'admin', 'create', 'grace', '--role', 'reviewer')
  await page.goto(`${origin}/admin/login`)
  await page.getByLabel('Username').fill('grace')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  const places = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
  await expect(places).toHaveText([
    'Home',
    'BTC',
    'MSTR',
    'NAKA',
    'Tweet Extraction',
    'Tweet Queue',
    'Reports',
    'Predictions',
    'People',
    'Goalposts',
    'Account',
  ])
  await expect(page.getByRole('tab', { name: 'Tweet Extraction' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'X Posts' })).toHaveCount(0)
  for (const path of ['payments', 'operations', 'audit', 'publish']) {
    await page.goto(`${origin}/admin/${path}`)
    await expect(page.getByText('This page is for administrators')).toBeVisible()
  }
  await page.goto(`${origin}/admin/predictions?open=mcafee-1m-2020`)
  await expect(page.getByRole('region', { name: 'History' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Withdraw|Freeze|Save/ })).toHaveCount(0)
  await page.goto(`${origin}/admin/account`)
  const tokens = page.getByRole('region', { name: 'Tokens for scripts' })
  await expect(tokens.getByRole('checkbox')).toHaveCount(2)
})

test('a person who has to set up a second factor sees nothing else', async ({ page }) => {
  const username = USERNAME
  await page.goto(`${origin}/admin/login?next=/admin/account`)
  await fillIn(page, PASSWORD)
  await expect(page.getByRole('heading', { name: `Account of ${username}` })).toBeVisible()
  // The answer of a site with ADMIN_SECOND_FACTOR=required, which tests/stories/account-access.test.ts checks.
  await page.route('**/api/admin/test', async (route) => {
    const reply: unknown = await (await route.fetch()).json()
    await route.fulfill({ json: Object.assign({}, reply, { must_set_up_second_factor: true }) })
  })
  await page.route('**/api/v1/admin/me', async (route) => {
    const reply: unknown = await (await route.fetch()).json()
    await route.fulfill({ json: Object.assign({}, reply, { second_factor_required: true }) })
  })
  await page.goto(`${origin}/admin/payments`)
  await expect(page.getByText('Please set up a second factor')).toBeVisible()
  const places = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
  await expect(places).toHaveText(['Account'])
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Second factor')
})
