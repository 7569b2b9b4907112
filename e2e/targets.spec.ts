import {
  DESKTOP,
  expectAccessible,
  expectNothingCutOff,
  PHONE,
  TABLET,
} from './support/accessible.ts'
import { drawn, expect, open, test } from './support/site.ts'

test('open targets are shown, read, weighed by votes, copied by their address, and switched off', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  const chart = page.getByTestId('price-chart')
  const plainView = await chart.getAttribute('data-view')
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page).toHaveURL(/targets=count&from=.*&to=20[3-5]\d.*&low=.*&high=/)
  const layer = page.getByRole('group', { name: 'Open targets' })
  await expect(layer).toContainText(/\d+ open calls/)
  await expect(layer).toContainText(/Luck from the close of \d\d\/\d\d\/\d{4} on/)

  // A link shows the same.
  await expect.poll(() => chart.getAttribute('data-view')).not.toBe(plainView)
  const view = await chart.getAttribute('data-view')
  await page.reload()
  await drawn(page)
  await expect(layer).toBeVisible()
  expect(await chart.getAttribute('data-view')).toBe(view)

  await layer.getByRole('button', { name: 'Show all' }).click()
  await expect(layer).not.toContainText('beyond this view')
  await layer.getByText('Open targets as a table').click()
  const row = layer.getByRole('row', { name: /^2030 \$1M to \$1\.5M \d/ })
  await expect(row).toContainText(/[A-Z]/)
  await layer.getByRole('button', { name: 'Votes' }).click()
  await expect(page).toHaveURL(/targets=votes/)

  // From an address there is no view to go back to, from a press there is.
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page).not.toHaveURL(/targets/)
  await open(page, '/btc')
  await drawn(page)
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page).toHaveURL(/targets=count&from=/)
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page).toHaveURL(/\/btc$/)
  await expect.poll(() => chart.getAttribute('data-view')).toBe(plainView)
})

test('the pointer reads what a cell of open targets holds', async ({ page }) => {
  await open(
    page,
    '/btc?targets=count&scale=log&from=2028-06-01&to=2032-06-01&low=400000&high=2000000&on=none',
  )
  await drawn(page)
  await expect(page.getByRole('group', { name: 'Open targets' })).toBeVisible()
  const plot = page.getByRole('group', { name: /^Chart\./ })
  const box = await plot.boundingBox()
  if (!box) throw new Error('no chart')
  const part = (Date.parse('2030-07-01') - Date.parse('2028-06-01')) / (4 * 365.25 * 86_400_000)
  const height = 1 - Math.log(1_050_000 / 400_000) / Math.log(5)
  await page.mouse.move(
    box.x + 56 + part * (box.width - 56 - 66),
    box.y + 16 + height * (box.height - 16 - 28),
  )
  await expect(plot).toContainText(/\d open calls?: \$1M to \$\S+, due 2030 {2}\S/)
})

test('a layer that cannot be loaded says so, and the chart goes on', async ({ page }) => {
  await page.route('**/assets/open-targets-*.js', (route) => route.abort())
  await open(page, '/btc')
  await drawn(page)
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page.getByRole('alert')).toHaveText('Open targets could not be loaded.')
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByTestId('price-chart')).toBeVisible()
})

test('an asset without open calls says so', async ({ page }) => {
  await open(page, '/naka?targets=count')
  await expect(page.getByText('No open calls for NAKA yet.')).toBeVisible()
})

test('open targets are accessible at every size', async ({ page }) => {
  for (const size of [DESKTOP, TABLET, PHONE]) {
    await page.setViewportSize(size)
    await open(page, '/btc?targets=count')
    await drawn(page)
    const layer = page.getByRole('group', { name: 'Open targets' })
    await layer.getByText('Open targets as a table').click()
    await expectAccessible(page, `open targets at ${String(size.width)} px`)
    await expectNothingCutOff(page, `open targets at ${String(size.width)} px`)
  }
})
