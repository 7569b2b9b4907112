import { expect, open, test } from '../support/site.ts'

test('a page is printed in light colours and without what only a screen can do, from the dark theme too', async ({
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

  // A browser says so before it takes the page as it is then.
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
