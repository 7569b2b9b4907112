import { type Page } from '@playwright/test'
import { drawn, expect, open, test } from './support/site.ts'

const LAYER = /daily-ranges|\/api\/v1\/ranges\//
const SUMMER = '/btc?from=2025-07-01&to=2025-07-31'

/** Everything that is asked for highs and lows from now on. */
function asksOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (LAYER.test(request.url())) asked.push(new URL(request.url()).pathname)
  })
  return asked
}

const legend = (page: Page) => page.locator('.price-chart-legend p')
const highest = async (page: Page) =>
  Number((await page.getByTestId('price-chart').getAttribute('data-y'))?.split(',')[1])

test('highs and lows are asked for in a view below a year, and nothing before', async ({
  page,
}) => {
  const asked = asksOf(page)
  await open(page, '/btc')
  await drawn(page)
  await page.getByRole('button', { name: '1Y', exact: true }).click()
  await expect(page).toHaveURL(/frame=1y/)
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  for (let i = 0; i < 6; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
  // The starter data has closes only.
  await expect(legend(page)).toContainText('only closes are known for these days')
  expect(asked).toContain('/api/v1/ranges/btc')
})

test('a month has a bar for each day that is known, and its high and low are read out', async ({
  page,
}) => {
  await page.route('**/api/v1/ranges/btc?*', (route) =>
    route.fulfill({
      json: [{ date: '2025-07-16', open: 118_000, high: 131_000, low: 90_000, close: 119_000 }],
    }),
  )
  await open(page, SUMMER)
  await drawn(page)
  await expect(legend(page)).toContainText('bars from low to high on 1 of 31 days')
  // The axis has room for them.
  expect(await highest(page)).toBeGreaterThan(131_000)
  const plot = await page.getByRole('group', { name: /^Chart\./ }).boundingBox()
  if (!plot) throw new Error('no chart')
  await page.mouse.move(plot.x + 56 + (plot.width - 56 - 66) / 2, plot.y + 40)
  await expect(page.locator('.price-chart-readout')).toContainText('high $131,000, low $90,000')
})

test('the chart has its line when highs and lows, or the script for them, cannot be loaded', async ({
  page,
}) => {
  await page.route(/daily-ranges/, (route) => route.abort())
  const isLost = page.waitForEvent('requestfailed', (request) => LAYER.test(request.url()))
  await open(page, SUMMER)
  await isLost
  const chart = page.getByTestId('price-chart')
  const before = await chart.getAttribute('data-view')
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(chart).not.toHaveAttribute('data-view', before ?? '')
  await page.unroute(/daily-ranges/)

  await page.route('**/api/v1/ranges/btc?*', (route) => route.fulfill({ status: 500, json: {} }))
  const isRefused = page.waitForResponse((response) => LAYER.test(response.url()) && !response.ok())
  await page.reload()
  await isRefused
  await drawn(page)
  await expect(legend(page)).toContainText('in view')
  await expect(legend(page)).not.toContainText('closes')
})
