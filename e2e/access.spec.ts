import { DESKTOP, expectAccessible, PHONE, TABLET } from './support/accessible.ts'
import { alive, expect, open, test } from './support/site.ts'

const SCREENS = [
  '/',
  '/btc',
  '/btc?day=2021-03-12',
  '/mstr',
  '/naka',
  '/predictions/mcafee-1m-2020',
  '/experts',
  '/experts?tab=funnel',
  '/experts/planb',
  '/history',
  '/history?year=2021',
  '/years',
  '/years/2025',
  '/years/2030',
  '/methodology',
  '/data',
  '/corrections',
  '/about',
  '/terms',
  '/nowhere',
]

for (const path of SCREENS) {
  test(`axe finds nothing on ${path}, light and dark`, async ({ page, hasTouch }) => {
    await open(page, path)
    // The landing page fades from one call to the next, and half-faded text has no contrast to measure.
    if (path === '/') await page.getByRole('button', { name: 'Pause' }).click()
    await expectAccessible(page, path)
    // A tablet is touched as a phone is.
    if (!hasTouch) return
    await page.setViewportSize(TABLET)
    await expectAccessible(page, `${path} on a tablet`)
  })
}

test('axe finds nothing in the dialogs', async ({ page, hasTouch }) => {
  const submit = page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' })
  const sizes = hasTouch ? [PHONE, TABLET] : [DESKTOP]
  for (const size of sizes) {
    await page.setViewportSize(size)
    await open(page, '/btc')
    await (size === PHONE ? page.getByRole('button', { name: 'Menu' }) : submit).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, `dialog at ${String(size.width)} px`)
  }
})

test('the theme is light by default, switches, and stays', async ({ page, hasTouch }) => {
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  for (const size of hasTouch ? [PHONE, TABLET] : [DESKTOP]) {
    await page.setViewportSize(size)
    await open(page, '/about')
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await alive(page)
    expect(await background()).toBe('rgb(250, 250, 247)')
    await page.getByRole('button', { name: 'Dark mode' }).click()
    await expect.poll(background).toBe('rgb(11, 15, 23)')
    const frame = page.locator('meta[name="theme-color"]')
    await expect(frame).toHaveAttribute('content', '#0b0f17')
    expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBe('true')
    await page.reload()
    expect(await background()).toBe('rgb(11, 15, 23)')
  }
})
