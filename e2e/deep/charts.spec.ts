import { drawn, expect, open, test } from '../support/site.ts'

test('nothing lies over the slider on a low screen, whatever is open above it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await open(page, '/btc?targets=count&day=2021-11-10')
  const slider = page.getByRole('slider', { name: 'Day shown' })
  const isFree = () =>
    slider.evaluate((element) => {
      element.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = element.getBoundingClientRect()
      return document.elementFromPoint(x + width / 2, y + height / 2) === element
    })
  await expect.poll(isFree).toBe(true)
  await page.getByText('Open targets as a table').click()
  await expect(page.getByRole('table', { name: /open/i }).first()).toBeVisible()
  expect(await isFree()).toBe(true)
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
  const height = async () => (await price.boundingBox())?.height ?? 0
  const button = page.getByRole('button', { name: 'ALL', exact: true })
  const letters = () => button.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))
  const [before, small] = [await height(), await letters()]
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  expect(await height()).toBeLessThan(before * 2.2)
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
