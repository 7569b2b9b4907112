import { type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { PHONE } from '../support/accessible.ts'
import { PASSWORD, sharedAdminSite } from '../support/admin.ts'
import { expect, test } from '../support/site.ts'

const site = sharedAdminSite()

test.beforeEach(({ page }) => site.signIn(page, 'second-admin'))

const row = (page: Page, name: string) => page.getByRole('row', { name: `${name}:` })
const dialogOf = (page: Page, name: string) =>
  page.getByRole('dialog', { name: new RegExp(`^${name}:`) })

test('public text is above the fold, and row buttons cover nothing', async ({ page }) => {
  await site.submit('/api/submissions', {
    expert_name: 'Fold Finder',
    price_prediction: '150,000',
    notes: 'He said so on stage. '.repeat(40),
  })
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto(`${site.url}/admin/dashboard?q=fold`)
    await expect(row(page, 'Fold Finder')).toBeVisible()
    const cells = row(page, 'Fold Finder').getByRole('cell')
    const edges = await cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    const last = edges.at(-1)?.left ?? 0
    expect(Math.max(...edges.slice(0, -1).map(({ right }) => right))).toBeLessThanOrEqual(last + 1)
    await row(page, 'Fold Finder')
      .getByRole('button', { name: /^Approve/ })
      .click()
    const visible = dialogOf(page, 'Fold Finder').getByRole('region', { name: 'This goes public' })
    await page.getByLabel('Public text').fill('He names a level and a year.')
    for (const text of ['Our summary', 'He names a level', 'example.org'])
      await expect(visible.getByText(text).first()).toBeInViewport({ ratio: 1 })
    await expect(visible).toBeInViewport({ ratio: 1 })
  }
})

test('the menu on a phone opens at the current item, however far down', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto(`${site.url}/admin/experts`)
  await page.evaluate(() => {
    document.body.style.minHeight = '4000px'
    window.scrollTo(0, 2_000)
  })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  const places = page.getByRole('navigation', { name: 'Screens' })
  await expect(places.getByRole('link', { name: 'Home', exact: true })).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(places).toBeHidden()
})

test('a second factor is set up, required and turned off', async ({ page }) => {
  await site.signIn(page, 'factors')
  await page.goto(`${site.url}/admin/account`)
  const factor = page.getByRole('region', { name: 'Second factor' })
  await factor.getByLabel('Your password').fill(PASSWORD)
  await factor.getByRole('button', { name: 'Set it up' }).click()
  await expect(factor.getByRole('img')).toBeVisible()
  const secret = (await factor.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  // The previous code is accepted too, leaving the current one for signing in; not just before the code changes.
  await expect.poll(() => Date.now() % 30_000, { timeout: 15_000 }).toBeLessThan(22_000)
  await factor.getByLabel('Code').fill(totp.generate({ timestamp: Date.now() - 30_000 }))
  await factor.getByRole('button', { name: 'Turn it on' }).click()
  await expect(factor).toContainText('On: signing in')
  const codes = factor.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [recovery = ''] = await codes.allTextContents()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByLabel('Username').fill('factors')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByLabel('Code').fill(totp.generate())
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/(?:dashboard|account)/)
  await page.goto(`${site.url}/admin/account`)
  await factor.getByRole('button', { name: 'Turn it off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off the second factor' })
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByLabel('Code').fill(recovery)
  await dialog.getByRole('button', { name: 'Turn it off' }).click()
  await expect(factor).toContainText('Off. With it')
})
