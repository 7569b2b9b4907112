import { drawn, expect, open, test } from '../support/site.ts'

test('nothing covers the slider on a low screen', async ({ page }) => {
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

test("with large text a price does not wrap and the chart's controls grow", async ({ page }) => {
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

test('prints pages in light colours and without interactive parts, even from the dark theme', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('darkMode', 'true'))
  await open(page, '/btc')
  const chart = page.getByTestId('price-chart')
  await expect(chart).toHaveAttribute('data-ready', 'true')
  const corner = (): Promise<string> =>
    page.evaluate(() => {
      const canvas = document.querySelector('canvas')
      const pixel = canvas?.getContext('2d')?.getImageData(2, 2, 1, 1).data ?? []
      return [canvas?.width, ...pixel].join(' ')
    })
  const onScreen = await corner()
  expect(onScreen).toMatch(/ 17 24 38 255$/)

  // A browser announces printing before it takes the page.
  const say = (event: string) =>
    page.evaluate((type) => window.dispatchEvent(new Event(type)), event)
  await say('beforeprint')
  expect(await corner()).toBe('1440 255 255 255 255')
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.locator('.price-chart-toolbar')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Submit Prediction' })).toBeHidden()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: 'Target Time' })).toBeVisible()
  await expect(page.getByRole('rowheader').first()).toBeVisible()

  await page.emulateMedia({ media: null })
  await say('afterprint')
  await expect.poll(corner).toBe(onScreen)

  await open(page, '/history?year=2021')
  const picture = page.getByRole('img', { name: /^Every Bitcoin call/ })
  await say('beforeprint')
  await page.emulateMedia({ media: 'print' })
  await expect(picture).toHaveAttribute('viewBox', '0 0 720 440')
  await expect(page.getByRole('button')).toHaveCount(0)
  await page.emulateMedia({ media: null })
  await say('afterprint')
  await expect(picture).not.toHaveAttribute('viewBox', '0 0 720 440')
})
