import { type Locator } from '@playwright/test'
import { drawn, expect, MAIN_SCREENS, open, test } from './support/site.ts'

test('unknown addresses are real 404s with links to other pages', async ({ page }) => {
  for (const path of ['/nowhere', '/predictions/unknown', '/experts/unknown', '/btc/more']) {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/No such|Page not found/)
    await expect(page.getByRole('link', { name: 'All Bitcoin predictions' })).toBeVisible()
  }
})

test('nothing is cut off on a narrow screen, nor with text at 200 %', async ({ page }) => {
  for (const path of [...MAIN_SCREENS, '/predictions/keiser-28k-2020', '/about', '/terms']) {
    await page.setViewportSize({ width: 320, height: 844 })
    await open(page, path)
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
      expect(await wide(), path).toBe(width)
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      expect(await wide(), `${path} at 200 %`).toBe(width)
      const skip = page.getByRole('link', { name: 'Skip to the content' })
      const { bottom, top } = await skip.evaluate((link) => link.getBoundingClientRect())
      expect(bottom, `${path}: the skip link waits out of sight`).toBeLessThanOrEqual(0)
      expect(top).toBeLessThan(bottom)
    }
  }
})

test('with large text a price stays in one piece and the controls of the chart grow', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/btc')
  await drawn(page)
  const price = page
    .getByRole('main')
    .getByText(/^\$\d+,\d{3}$/)
    .first()
  const heightOf = async (locator: Locator) => (await locator.boundingBox())?.height ?? 0
  const before = await heightOf(price)
  const button = page.getByRole('button', { name: 'ALL', exact: true })
  const letters = () => button.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))
  const small = await letters()
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  expect(await heightOf(price)).toBeLessThan(before * 2.2)
  expect(await letters()).toBeCloseTo(small * 2)
})

test('the site works without storage', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
  })
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Dark mode' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('while the server is down there is a message and a button to try again', async ({ page }) => {
  await open(page, '/about')
  await page.route('**/api/mstr/**', (route) => route.abort())
  await page.route('**/api/v1/page**', (route) => route.abort())
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'MSTR' }).click()
  await expect(page.getByText('Failed to fetch MSTR data')).toBeVisible()
  await page.unroute('**/api/mstr/**')
  await page.getByRole('alert').filter({ hasText: 'Failed to fetch' }).getByRole('button').click()
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')

  await page.getByRole('banner').getByRole('link', { name: 'Proof of Price' }).click()
  await expect(page.getByText('This page could not be loaded')).toBeVisible()
  await page.unroute('**/api/v1/page**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The Truth About')
})

test('an invalid answer is an error, not data', async ({ page }) => {
  await open(page, '/about')
  await page.route('**/api/mstr/predictions*', (route) =>
    route.fulfill({ json: { success: true, data: [{ id: 7, price: '<b>' }] } }),
  )
  await page.getByRole('banner').getByRole('link', { name: 'MSTR' }).click()
  await expect(page.getByText('MSTR predictions could not be loaded')).toBeAttached()
})

test('a part that cannot be loaded, such as after an update, leaves the page as it is', async ({
  page,
}) => {
  const submit = page
    .getByRole('button', { name: /^Submit (?:Bitcoin )?Prediction/ })
    .filter({ visible: true })
    .first()
  await page.route('**/assets/{payment-notes,submit-dialog}-*', (route) => route.abort())
  await page.addInitScript(() => {
    // A submission that was begun; what it is does not matter to a note that is not loaded.
    localStorage.setItem('own-submissions', '[{}]')
  })
  // React reports there what a boundary has caught.
  const caught = page.waitForEvent('console', (message) => message.text().includes('payment-notes'))
  await open(page, '/btc')
  await caught
  await submit.click()
  await expect(page.getByText('The form could not be loaded.', { exact: false })).toBeVisible()
  await expect(page.getByTestId('price-chart')).toBeVisible()
  await page.unroute('**/assets/{payment-notes,submit-dialog}-*')
  await page.getByRole('button', { name: 'Load the page again' }).click()
  // It was open before, and so it is again.
  await expect(page.getByRole('dialog', { name: /^Submit .* Prediction$/ })).toBeVisible()
})
