import { expectAccessible } from './support/accessible.ts'
import { drawn, expect, open, test } from './support/site.ts'

test('open targets are shown, read, weighed by votes, copied by their address, and switched off', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  const chart = page.getByTestId('price-chart')
  const view = () => chart.getAttribute('data-view')
  const plain = (await view()) ?? ''
  const button = page.getByRole('button', { name: 'Open targets' })
  await button.click()
  await expect(page).toHaveURL(/targets=count&from=.*&to=20[3-5]\d.*&low=.*&high=/)
  const layer = page.getByRole('group', { name: 'Open targets' })
  await expect(layer).toContainText(/\d+ open calls/)
  await expect.poll(view).not.toBe(plain)
  await button.click()
  await expect(page).toHaveURL(/\/btc$/)
  await expect.poll(view).toBe(plain)

  const shown =
    '/btc?targets=count&scale=log&from=2028-06-01&to=2032-06-01&low=400000&high=2000000&on=none'
  await open(page, shown)
  await drawn(page)
  await expect(layer).toBeVisible()
  // The pointer reads what a cell holds.
  const plot = page.getByRole('group', { name: /^Chart\./ })
  const box = await plot.boundingBox()
  if (!box) throw new Error('no chart')
  const part = (Date.parse('2030-07-01') - Date.parse('2028-06-01')) / (4 * 365.25 * 86_400_000)
  const height = 1 - Math.log(1_050_000 / 400_000) / Math.log(5)
  await page.mouse.move(
    box.x + 56 + part * (box.width - 56 - 66),
    box.y + 16 + height * (box.height - 16 - 28),
  )
  await expect(plot).toContainText(/\d open calls?: \$1M to \$\S+, due .*2030 {2}\S/)
  await layer.getByRole('button', { name: 'Show all' }).click()
  await expect(layer).not.toContainText('beyond this view')
  await layer.getByText('Open targets as a table').click()
  await expect(layer.getByRole('row', { name: /^2030 \$1M to \$1\.5M \d/ })).toContainText(/[A-Z]/)
  await layer.getByRole('button', { name: 'Votes' }).click()
  await expect(page).toHaveURL(/targets=votes/)
  await expectAccessible(page, 'open targets', { within: 'main' })
})
