import { drawn, drawnCount, expect, open, test } from './support/site.ts'

test('the status button cycles all, success, miss, pending, and shows its count', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  const button = page.getByRole('button', { name: /^Status filter/ })
  await expect(button).toHaveAccessibleName('Status filter: All')
  for (const label of ['Successful', 'Miss', 'Pending']) {
    await button.tap()
    await expect(button).toHaveAccessibleName(new RegExp(`^Status filter: ${label}, \\d+$`))
  }
  await button.tap()
  await expect(button).toHaveAccessibleName('Status filter: All')
})

test('reset clears the filter and the chart', async ({ page }) => {
  await open(page, '/btc?status=miss&on=miss')
  await drawn(page)
  await page
    .getByRole('navigation', { name: 'Actions' })
    .getByRole('button', { name: 'Reset filters and chart' })
    .tap()
  await expect(page.getByRole('button', { name: 'Status filter: All' })).toBeVisible()
  await expect.poll(() => drawnCount(page)).toBe(12)
})

test('the menu picks an asset, and only those without prices say Coming Soon', async ({ page }) => {
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Menu' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Select Asset' })
  await expect(dialog.getByRole('link', { name: 'Strategy (MSTR)' })).not.toContainText(
    'Coming Soon',
  )
  await expect(dialog.getByRole('link', { name: /NAKA/ })).toContainText('Coming Soon')
  await dialog.getByRole('button', { name: 'Cancel' }).tap()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Menu' }).tap()
  await dialog.getByRole('link', { name: 'Strategy (MSTR)' }).tap()
  await expect(page).toHaveURL(/\/mstr$/)
  await expect(page.getByRole('heading', { name: 'Strategy Live Price' })).toBeVisible()
  await expect(page.getByText('Submit MicroStrategy Prediction')).toBeVisible()
})

test('the menu leads to the page that compares people', async ({ page }) => {
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Menu' }).tap()
  await page.getByRole('dialog').getByRole('link', { name: 'Experts' }).tap()
  await expect(page.getByRole('table', { name: /compared with luck/ })).toBeVisible()
})

test('back to top appears after 200 px', async ({ page }) => {
  await open(page, '/btc')
  const button = page.getByRole('button', { name: 'Back to top' })
  await page.evaluate(() => window.scrollTo(0, 200))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(200)
  await expect(button).toHaveCount(0)
  await page.evaluate(() => window.scrollTo(0, 201))
  await expect(button).toBeVisible()
  await button.tap()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
})

test('the bottom bar is 60 px high and every target is a thumb wide', async ({ page }) => {
  await open(page, '/btc')
  const bar = await page.getByRole('navigation', { name: 'Actions' }).boundingBox()
  expect(bar?.height).toBe(60)
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, main a, header a, footer a, select, input')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ element, box }) => box.height < 43.5 && !element.closest('p, [data-testid]'))
      .filter(({ box }) => box.width > 1)
      .map(({ element }) => element.outerHTML.slice(0, 120)),
  )
  expect(small).toEqual([])
})

test('a tapped mark opens a sheet under the chart, which a button closes', async ({ page }) => {
  await open(page, '/btc')
  await drawn(page)
  const mark = page.locator('[data-kind="target"][data-box]').first()
  const [x = 0, y = 0, w = 0, h = 0] = ((await mark.getAttribute('data-box')) ?? '')
    .split(',')
    .map(Number)
  const plot = page.getByRole('group', { name: /^Chart\./ })
  const place = await plot.boundingBox()
  if (!place) throw new Error('no plot')
  await page.touchscreen.tap(place.x + x + w / 2, place.y + y + h / 2)
  const sheet = page.getByTestId('chart-tooltip')
  await expect(sheet.getByRole('button', { name: 'Open' })).toBeVisible()
  const [under, over] = [await sheet.boundingBox(), await plot.boundingBox()]
  expect(under?.y).toBeGreaterThanOrEqual((over?.y ?? 0) + (over?.height ?? 0))
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet).toHaveCount(0)
})

test('a tapped card says what it did to the chart above, and leads there', async ({ page }) => {
  await open(page, '/btc')
  await drawn(page)
  const card = page.locator('[data-prediction-card][aria-pressed="false"]').nth(3)
  await card.tap()
  await expect(page.getByText('is on the chart')).toBeVisible()
  await page.getByRole('button', { name: 'See the chart' }).tap()
  await expect(page.getByTestId('price-chart')).toBeInViewport()
  await expect(page.getByText('is on the chart')).toHaveCount(0)
})

test('the places of the header are on one line down to the narrowest phone', async ({ page }) => {
  for (const width of [320, 360, 480]) {
    await page.setViewportSize({ width, height: 740 })
    await open(page, '/history')
    const places = page.getByRole('navigation', { name: 'Assets and experts' }).getByRole('link')
    await expect(places).toHaveCount(5)
    const boxes = await Promise.all((await places.all()).map((place) => place.boundingBox()))
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
    // Wide enough for a finger.
    for (const box of boxes) expect(box?.width).toBeGreaterThanOrEqual(24)
    const banner = page.getByRole('banner')
    const search = await banner.getByRole('button', { name: 'Search' }).boundingBox()
    expect((search?.x ?? 0) + (search?.width ?? 0)).toBeLessThanOrEqual(width)
    expect(search?.x).toBeGreaterThanOrEqual(
      Math.max(...boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0))),
    )
  }
})

test('refresh in the menu says what it did, with and without the site', async ({ page }) => {
  await open(page, '/btc')
  await page.getByRole('button', { name: 'Menu' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Select Asset' })
  await dialog.getByRole('button', { name: 'Refresh' }).tap()
  await expect(dialog.getByText('Prices and predictions are up to date.')).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  await page.route('**/prices*', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Refresh' }).tap()
  await expect(dialog.getByText(/^The site cannot be reached/)).toBeVisible()
})

test('search opens from the head of every page', async ({ page }) => {
  for (const path of ['/btc', '/experts']) {
    await open(page, path)
    await page.getByRole('button', { name: 'Search', exact: true }).tap()
    const dialog = page.getByRole('dialog', { name: 'Search' })
    await dialog.getByRole('combobox').fill('saylor')
    await expect(dialog.getByRole('option').first()).toContainText('Michael Saylor')
    await dialog.getByRole('button', { name: 'Close' }).tap()
    await expect(dialog).toBeHidden()
  }
})
