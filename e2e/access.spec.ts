import AxeBuilder from '@axe-core/playwright'
import { expect, open, showIn, test } from './support/site.ts'

const SCREENS = [
  '/',
  '/btc',
  '/mstr',
  '/naka',
  '/predictions/mcafee-1m-2020',
  '/experts/planb',
  '/methodology',
  '/about',
  '/terms',
  '/nowhere',
]

for (const path of SCREENS) {
  test(`axe finds nothing on ${path}, light and dark`, async ({ page }) => {
    await open(page, path)
    for (const theme of ['light', 'dark'] as const) {
      await showIn(page, theme)
      const { violations } = await new AxeBuilder({ page }).analyze()
      const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])
      expect([theme, found]).toEqual([theme, []])
    }
  })
}

test('axe finds nothing in the dialogs', async ({ page, viewport }) => {
  await open(page, '/btc')
  if ((viewport?.width ?? 0) < 768) {
    await page.getByRole('button', { name: 'Menu' }).click()
  } else {
    await page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' }).click()
  }
  await expect(page.getByRole('dialog')).toBeVisible()
  const found = await new AxeBuilder({ page }).analyze()
  expect(found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
})

test('the theme is light by default, switches, and stays', async ({ page }) => {
  await open(page, '/about')
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(await background()).toBe('rgb(250, 250, 247)')
  await page.getByRole('button', { name: 'Dark mode' }).click()
  await expect.poll(background).toBe('rgb(11, 15, 23)')
  expect(await page.evaluate(() => localStorage.getItem('darkMode'))).toBe('true')
  await page.reload()
  expect(await background()).toBe('rgb(11, 15, 23)')
})
