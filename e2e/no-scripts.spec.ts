import { expect, test } from './support/site.ts'

test.use({ javaScriptEnabled: false })

const PAGES = [
  '/',
  '/experts',
  '/experts/planb',
  '/predictions/mcafee-1m-2020',
  '/history',
  '/years/2021',
  '/data',
  '/receipt/unknown',
  '/confirm/unknown',
  '/nowhere',
]

test('without scripts every page can be read, a picture takes the place of the chart, and no control is dead', async ({
  page,
}) => {
  for (const [path, elements, bytes] of [
    ['/', 1_500, 110_000],
    ['/btc', 1_500, 150_000],
    ['/history', 900, 120_000],
  ] as const) {
    await page.goto(path)
    expect(await page.locator('*').count(), path).toBeLessThan(elements)
    expect((await page.content()).length, path).toBeLessThan(bytes)
  }
  // The table of calls comes with scripts.
  await page.getByText(/calls as a table$/).click()
  await expect(page.getByRole('link', { name: /calls as CSV$/ })).toBeVisible()
  await page.goto('/btc?status=miss')
  await expect(page.getByRole('table').getByRole('rowheader').first()).toBeVisible()
  const picture = page.locator('noscript img')
  await expect(picture).toHaveAttribute('alt', /^Chart of the Bitcoin price/)
  // What was loaded is laid out for this screen and fills it.
  const width = () => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)
  await expect.poll(width).toBe(960)
  expect((await picture.boundingBox())?.width).toBeGreaterThan(900)
  await expect(page.locator('figcaption')).toContainText('JavaScript is off')
  await expect(page.locator('th').getByText('Expert', { exact: true })).toBeVisible()
  const card = page.getByRole('list', { name: 'BTC predictions' }).getByRole('listitem').first()
  await expect(card.getByRole('link', { name: /^Details/ })).toBeVisible()
  await page.getByText('Download and cite').click()
  await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute(
    'href',
    '/btc.csv?status=miss',
  )
  for (const path of ['/btc', ...PAGES]) {
    await page.goto(path)
    const controls = page.locator('button, input, select, textarea, label, [tabindex="0"]')
    const dead = await controls.evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        // A frame that scrolls answers the arrow keys.
        .filter((one) => !/^(?:auto|scroll)$/.test(getComputedStyle(one).overflowX))
        .map((one) => one.outerHTML),
    )
    expect(dead, path).toEqual([])
    // The other places can be reached from each page.
    await expect(page.getByRole('banner').getByRole('link', { name: 'MSTR' })).toBeVisible()
    if (!path.endsWith('/unknown')) continue
    await expect(page.locator('noscript p').first()).toContainText('needs JavaScript')
  }
})
