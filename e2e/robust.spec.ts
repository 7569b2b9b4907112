import { expect, open, test } from './support/site.ts'

const SCREENS = [
  '/',
  '/btc',
  '/mstr',
  '/predictions/mcafee-1m-2020',
  '/experts/planb',
  '/methodology',
]

test('unknown addresses are real 404s with a way on', async ({ page }) => {
  for (const path of ['/nowhere', '/predictions/unknown', '/experts/unknown', '/btc/more']) {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/No such|Nothing stands/)
    await expect(page.getByRole('link', { name: 'All Bitcoin predictions' })).toBeVisible()
  }
})

test('nothing is cut off at 320 px, nor with text at 200 %', async ({ page }) => {
  for (const path of SCREENS) {
    await page.setViewportSize({ width: 320, height: 640 })
    await open(page, path)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
  }
})

test('nothing moves while a page loads', async ({ page }) => {
  for (const path of SCREENS) {
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ('value' in entry) shifts.push(Number(entry.value))
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await open(page, path)
    await page.waitForTimeout(500)
    const total = await page.evaluate(() => {
      const shifts: unknown = Reflect.get(window, 'shifts')
      return Array.isArray(shifts)
        ? shifts.reduce<number>((sum, shift) => sum + Number(shift), 0)
        : 1
    })
    expect(total, path).toBeLessThan(0.02)
  }
})

test('works without storage', async ({ page }) => {
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

test('a server that is down gets a message and a second chance', async ({ page }) => {
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

test('an answer that is nonsense is an error, not data', async ({ page }) => {
  await open(page, '/about')
  await page.route('**/api/mstr/predictions', (route) =>
    route.fulfill({ json: { success: true, data: [{ id: 7, price: '<b>' }] } }),
  )
  await page.getByRole('banner').getByRole('link', { name: 'MSTR' }).click()
  await expect(page.getByText('MSTR predictions could not be loaded')).toBeAttached()
})
