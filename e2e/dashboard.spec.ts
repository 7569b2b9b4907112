import { drawn, drawnCount, expect, open, test } from './support/site.ts'

test('the status chips activate their predictions, and a second press clears all', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  const chip = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\d`) })
  const count = async (name: string) =>
    Number(/\d+/.exec((await chip(name).textContent()) ?? '')?.[0])
  const all = await count('All')
  expect(all).toBe((await count('Pending')) + (await count('Successful')) + (await count('Miss')))

  await chip('All').click()
  await expect.poll(() => drawnCount(page)).toBe(all)
  await chip('Miss').click()
  await expect.poll(() => drawnCount(page)).toBe(await count('Miss'))
  await expect(chip('Miss')).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/status=miss&on=miss/)
  const list = page.getByRole('list', { name: 'BTC predictions' })
  await expect(list.getByText('SUCCESS')).toHaveCount(0)

  await chip('Miss').click()
  await expect.poll(() => drawnCount(page)).toBe(0)
  await expect(chip('All')).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/on=none/)

  // The way back to what the page opened with, without a reload.
  await page.getByRole('link', { name: 'BTC', exact: true }).first().click()
  await expect.poll(() => drawnCount(page)).toBe(12)
  await expect(page).toHaveURL(/\/btc$/)
})

test('an address shows its view, whatever parameters others have added to it', async ({ page }) => {
  await open(page, '/btc?utm_source=news&on=miss&frame=2y&status=miss&fbclid=x')
  await drawn(page)
  await expect(page.getByRole('button', { name: /^Miss \d/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(page.getByRole('button', { name: '2Y' })).toHaveAttribute('aria-pressed', 'true')
  const misses = /\d+/.exec(
    (await page.getByRole('button', { name: /^Miss \d/ }).textContent()) ?? '',
  )
  await expect.poll(() => drawnCount(page)).toBe(Number(misses?.[0]))
})

test('a card puts its prediction on the chart and removes it again', async ({ page }) => {
  await open(page, '/btc?on=none')
  await drawn(page)
  const card = page.locator('[data-prediction-card]').nth(2)
  await expect(card).toHaveAttribute('aria-pressed', 'false')
  await card.click()
  await expect(card).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => drawnCount(page)).toBe(1)
  const id = (await card.getAttribute('data-prediction-card')) ?? ''
  await expect(page).toHaveURL(new RegExp(`on=${id}`))
  await card.click()
  await expect.poll(() => drawnCount(page)).toBe(0)
})

test('an expert is found by name; a second one is added in multiple mode; reset clears both', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  await page.getByRole('button', { name: 'Influencer: All Influencers' }).click()
  await page.getByRole('combobox', { name: 'Search influencers' }).fill('planb')
  // Enter takes the first that fits, and closes the list.
  const option = page.getByRole('option', { name: /PlanB/ })
  await expect(option).toHaveAttribute('data-highlighted')
  await page.keyboard.press('Enter')
  await expect(option).toBeHidden()
  await expect(page).toHaveURL(/experts=planb/)
  const list = page.getByRole('list', { name: 'BTC predictions' })
  const cards = list.getByRole('listitem')
  await expect(cards.filter({ hasNotText: 'PlanB' })).toHaveCount(0)
  const planb = await cards.count()
  await expect.poll(() => drawnCount(page)).toBe(planb)

  await page.getByRole('button', { name: 'Multiple influencer mode' }).click()
  await page.getByRole('combobox', { name: /^Influencer: PlanB/ }).click()
  await page.getByRole('combobox', { name: 'Search influencers' }).fill('bobby')
  await page.getByRole('option', { name: /Bobby Lee/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => drawnCount(page)).toBeGreaterThan(planb)
  await expect(page).toHaveURL(/experts=planb,bobby-lee/)

  await page.getByRole('button', { name: 'Reset filters and chart' }).first().click()
  await expect.poll(() => drawnCount(page)).toBe(12)
  await expect(page).not.toHaveURL(/experts/)
})

test('free text narrows the list', async ({ page }) => {
  await open(page, '/btc')
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('mcafee 1000000')
  const cards = page.getByRole('list', { name: 'BTC predictions' }).getByRole('listitem')
  await expect(cards).toHaveCount(1)
  for (const level of ['150k', '$150,000']) {
    await page.getByRole('searchbox', { name: 'Search predictions' }).fill(level)
    await expect(cards.first()).toContainText('$150,000')
  }
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('dec 2021')
  await expect(cards.first()).toContainText('Dec 2021')
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('no such words')
  await expect(page.getByText('No prediction matches')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(cards.first()).toBeVisible()
})

test('the history is sorted, filtered, paged, and opens the evidence', async ({ page }) => {
  await open(page, '/btc')
  const table = page.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText([
    'Expert',
    'Prediction',
    'Made',
    'Price then',
    'Target Time',
    'Off by',
    'Luck',
    'Status',
  ])
  // What was decided last comes first.
  await expect(table.getByRole('row').nth(1)).toContainText(/SUCCESS|MISS/)
  await table.getByRole('button', { name: 'Expert' }).click()
  await expect(table.getByRole('columnheader', { name: 'Expert' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(table.getByRole('rowheader').first()).toHaveText('Adam Back')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^101 to/)).toBeVisible()

  await page.getByRole('searchbox', { name: 'Find an expert' }).fill('planb')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Miss')
  await page.getByRole('combobox', { name: 'Made in' }).selectOption('Made in 2021')
  await expect(page).toHaveURL(/hstatus=miss&hmade=2021&hq=planb/)
  await page.getByRole('button', { name: 'By year' }).click()
  await expect(table.getByRole('rowheader')).toHaveText(['2021'])
  await page.getByRole('button', { name: 'Predictions made in 2021' }).click()
  await page.getByRole('combobox', { name: 'Made in' }).selectOption('Made in any year')
  await expect(table.getByRole('rowheader').first()).toHaveText('PlanB')
  await expect(table.getByText('SUCCESS')).toHaveCount(0)

  await table.getByRole('link', { name: '$1,000,000' }).click()
  const evidence = page.getByRole('dialog', { name: /^PlanB: Bitcoin at \$1,000,000/ })
  await expect(
    evidence.getByText(/^Missed\. The highest close before the deadline was .* short\.$/),
  ).toBeVisible()
  await expect(evidence.getByText('Rule set 1')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(evidence).toHaveCount(0)
})

test('a mark on the chart opens its evidence, which leads to its page', async ({ page }) => {
  await open(page, '/btc?on=planb-1000k-dec-2025')
  await drawn(page)
  expect(await drawnCount(page)).toBe(1)
  await open(page, '/btc?experts=planb')
  await drawn(page)
  const mark = page.locator('[data-prediction-id][data-kind=target]').first()
  const [x = 0, y = 0, width = 0, height = 0] = ((await mark.getAttribute('data-box')) ?? '')
    .split(',')
    .map(Number)
  const plot = page.locator('.price-chart-plot')
  await plot.click({ position: { x: x + width / 2, y: y + height / 2 } })
  const dialog = page.getByRole('dialog', { name: /^PlanB/ })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('link', { name: 'Full record' }).click()
  await expect(page).toHaveURL(/\/predictions\//)
  await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible()
})

test('judging by daily close changes verdicts, badges and counts together', async ({ page }) => {
  // The closes that come with the site give the same verdict in both modes; a day's high would not.
  const id = 'keiser-220k-2025'
  await page.route('**/api/predictions*', async (route) => {
    const rows: unknown = await (await route.fetch()).json()
    if (!Array.isArray(rows)) throw new Error('the answer is not a list')
    await route.fulfill({ json: rows.map((row) => (row.id === id ? touchedOnly(row) : row)) })
  })
  await open(page, '/about')
  await page.getByRole('navigation', { name: 'Assets' }).getByRole('link', { name: 'BTC' }).click()
  await drawn(page)
  const count = async (name: string) =>
    Number(
      /\d+/.exec(
        (await page.getByRole('button', { name: new RegExp(`^${name} \\d`) }).textContent()) ?? '',
      )?.[0],
    )
  await expect.poll(() => count('Successful')).toBeGreaterThan(0)
  const [hits, misses] = [await count('Successful'), await count('Miss')]
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('keiser 220000')
  const card = page.locator(`[data-prediction-card="${id}"]`)
  await expect(card).toContainText('SUCCESS')

  await page.getByRole('button', { name: 'Daily close', exact: true }).click()
  await expect(page).toHaveURL(/judge=close/)
  await expect(card).toContainText('MISS')
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('')
  await expect.poll(() => count('Successful')).toBe(hits - 1)
  expect(await count('Miss')).toBe(misses + 1)
})

test('a search narrows the counts of the chips and what they draw', async ({ page }) => {
  await open(page, '/btc')
  await drawn(page)
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('planb')
  const miss = page.getByRole('button', { name: /^Miss \d/ })
  const cards = page.getByRole('list', { name: 'BTC predictions' }).getByRole('listitem')
  await expect(cards).toHaveCount(12)
  await expect(miss).toHaveText(/^Miss 1?\d$/)
  const misses = Number(/\d+/.exec((await miss.textContent()) ?? '')?.[0])
  expect(misses).toBeLessThan(13)
  await miss.click()
  await expect.poll(() => drawnCount(page)).toBe(misses)
  await expect(cards).toHaveCount(misses)
})

test('all predictions but one are drawn, also after a reload', async ({ page }) => {
  await open(page, '/btc')
  await drawn(page)
  const all = page.getByRole('button', { name: /^All \d/ })
  await expect(all).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByText(/^12 of \d+ on the chart$/)).toBeVisible()
  await all.click()
  await expect(all).toHaveAttribute('aria-pressed', 'true')
  const total = Number(/\d+/.exec((await all.textContent()) ?? '')?.[0])
  expect(total).toBeGreaterThan(60)
  await page.locator('[data-prediction-card]').first().click()
  await expect.poll(() => drawnCount(page)).toBe(total - 1)
  await expect(page).toHaveURL(/on=all,-/)
  await page.reload()
  await drawn(page)
  await expect.poll(() => drawnCount(page)).toBe(total - 1)
})

test('back and forward keep filters and place', async ({ page }) => {
  await open(page, '/btc')
  await drawn(page)
  await page.getByRole('button', { name: /^Successful \d/ }).click()
  await expect(page).toHaveURL(/status=success/)
  const row = page.getByRole('rowheader').getByRole('link').last()
  const name = (await row.textContent()) ?? ''
  expect(name).not.toBe('')
  await row.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  expect(place).toBeGreaterThan(500)
  await row.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(page.getByRole('button', { name: /^Successful \d/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
})

test('the menu leads from asset to asset, and to the submit dialog of each', async ({ page }) => {
  await open(page, '/btc')
  await page.getByRole('navigation', { name: 'Assets' }).getByRole('link', { name: 'MSTR' }).click()
  await expect(page.getByRole('heading', { name: /Strategy Live Price/ })).toBeVisible()
  await drawn(page)
  await expect(page).toHaveTitle(/Strategy \(MSTR\)/)
  await page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit MicroStrategy Prediction' })
  await expect(dialog.getByLabel('Price target')).toHaveAttribute('placeholder', '500')
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await expect(dialog).toHaveCount(0)
  await expect(
    page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' }),
  ).toBeFocused()
})

test('an asset without prices says so and still works', async ({ page }) => {
  await open(page, '/naka')
  await expect(page.getByText('No price data available')).toBeVisible()
  await expect(page.getByText(/^NAKA prices have not arrived yet\. /)).toBeVisible()
  const list = page.getByRole('complementary', { name: 'Predictions' })
  await expect(list.getByText('No NAKA predictions yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  await expect(page.getByRole('table').getByText('No NAKA predictions yet')).toBeVisible()
  await expect(page.getByText('Be the first to submit a Nakamoto Games prediction!')).toBeVisible()
  // There is nothing to filter.
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Filter by status' })).toHaveCount(0)
  await expect(page.getByRole('combobox')).toHaveCount(0)
})

/** The row for a price that touched the level within a day, but never closed there. */
function touchedOnly(row: { verdicts: { touch: object; close: object } }) {
  const touch = { ...row.verdicts.touch, outcome: 'hit', reason: 'overridden' }
  const close = { ...row.verdicts.close, outcome: 'miss', reason: 'not-reached' }
  return { ...row, success_status: 'success', verdicts: { touch, close } }
}

test('the lit frame, the view and the link say the same', async ({ page }) => {
  await open(page, '/btc')
  await drawn(page)
  const chart = page.getByTestId('price-chart')
  const seen = () =>
    chart.evaluate(({ dataset }) => [dataset['view'], dataset['y'], dataset['scale']].join(' '))
  const whole = await seen()
  await page.getByRole('button', { name: '1Y' }).click()
  await expect(page).toHaveURL(/frame=1y/)
  // The chart says where it is once it rests.
  await expect.poll(seen).not.toBe(whole)
  const few = await seen()
  await page.getByRole('button', { name: /^Miss \d/ }).click()
  await expect.poll(() => drawnCount(page)).toBeGreaterThan(60)
  await expect.poll(seen).not.toBe(few)
  await expect(page.getByRole('button', { name: '1Y' })).toHaveAttribute('aria-pressed', 'true')
  const framed = await seen()
  await page.reload()
  await drawn(page)
  await expect.poll(seen).toBe(framed)

  // Moved, it is no frame any more, and its link opens on it.
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect(page.getByRole('button', { name: '1Y' })).toHaveAttribute('aria-pressed', 'false')
  await expect(page).toHaveURL(/from=/)
  await expect.poll(seen).not.toBe(framed)
  const moved = await seen()
  await page.reload()
  await drawn(page)
  await expect.poll(seen).toBe(moved)
})

test('a link to a week shows that week, with the prices of its days', async ({ page }) => {
  await open(page, '/btc?on=all&from=2025-10-01&to=2025-10-08')
  await drawn(page)
  const { view, y } = await page
    .getByTestId('price-chart')
    .evaluate(({ dataset }) => ({ view: dataset['view'], y: dataset['y'] }))
  const [from = 0, to = 0] = (view ?? '').split(',').map(Number)
  expect(to - from).toBe(7)
  const [low = 0, high = 0] = (y ?? '').split(',').map(Number)
  expect(high / low).toBeLessThan(1.3)
})

test('the chart says what waits beyond its right edge and leads there, and threads can be switched off', async ({
  page,
}) => {
  await open(page, '/btc?on=all')
  await drawn(page)
  await page.getByRole('button', { name: /^Show \d+ more after/ }).click()
  await expect(page).toHaveURL(/from=.*to=20[3-5]\d/)
  await page.getByRole('button', { name: 'Threads' }).click()
  await expect(page).toHaveURL(/threads=off/)
  await expect(page.getByRole('button', { name: 'Threads' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
})

test('a note about a copied link goes away by itself and moves nothing', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-write'])
  await open(page, '/btc')
  await drawn(page)
  const plot = page.locator('.price-chart-plot')
  const before = await plot.boundingBox()
  await page.getByRole('button', { name: 'Copy link' }).click()
  const note = page.getByText('Link copied')
  await expect(note).toBeVisible()
  expect(await plot.boundingBox()).toEqual(before)
  await expect(note).toHaveCount(0)
})
