import { type Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { drawn, drawnCount, expect, open, still, test } from './support/site.ts'

const chip = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name} \\d`) })
const countOf = async (page: Page, name: string) =>
  Number(/\d+/.exec((await chip(page, name).textContent()) ?? '')?.[0])
const find = (page: Page) => page.getByRole('searchbox', { name: 'Search predictions' })
const cards = (page: Page) =>
  page.getByRole('list', { name: 'BTC predictions' }).locator('[data-prediction-card]')
/** Waits until the new lists have replaced the previous ones. */
const listed = (page: Page) => expect(page.locator('section[aria-busy="true"]')).toHaveCount(0)

test('chips and cards control the chart, and the address and a reload preserve it', async ({
  page,
}) => {
  await open(page, '/btc?utm_source=news&on=miss&frame=2y&status=miss&fbclid=x')
  await drawn(page)
  await expect(chip(page, 'Miss')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: '2Y' })).toHaveAttribute('aria-pressed', 'true')
  const misses = await countOf(page, 'Miss')
  await expect.poll(() => drawnCount(page)).toBe(misses)
  await expect(cards(page).getByText('SUCCESS')).toHaveCount(0)
  const all = await countOf(page, 'All')
  expect(all).toBe((await countOf(page, 'Pending')) + (await countOf(page, 'Successful')) + misses)

  await chip(page, 'Miss').click()
  await expect.poll(() => drawnCount(page)).toBe(0)
  await expect(page).toHaveURL(/on=none/)
  await listed(page)
  const card = page.locator('[data-prediction-card]').nth(2)
  await card.click()
  await expect(card).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => drawnCount(page)).toBe(1)
  await expect(page).toHaveURL(
    new RegExp(`on=${(await card.getAttribute('data-prediction-card')) ?? ''}`),
  )
  await chip(page, 'All').click()
  await expect.poll(() => drawnCount(page)).toBe(all)
  await listed(page)
  await page.locator('[data-prediction-card]').first().click()
  await expect.poll(() => drawnCount(page)).toBe(all - 1)
  await expect(page).toHaveURL(/on=all,-/)
  await page.reload()
  await drawn(page)
  await expect.poll(() => drawnCount(page)).toBe(all - 1)

  // Back to the initial state of the page.
  await page.getByRole('link', { name: 'BTC', exact: true }).first().click()
  await expect.poll(() => drawnCount(page)).toBe(12)
  await expect(page).toHaveURL(/\/btc$/)
})

test('people and words narrow the list, the counts and the chart; reset clears them', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  await page.getByRole('button', { name: 'Influencer: All Influencers' }).click()
  const name = page.getByRole('combobox', { name: 'Search influencers' })
  await name.fill('planb')
  // Enter selects the first match and closes the list.
  const option = page.getByRole('option', { name: /PlanB/ })
  await expect(option).toHaveAttribute('data-highlighted')
  await page.keyboard.press('Enter')
  await expect(option).toBeHidden()
  await expect(page).toHaveURL(/experts=planb/)
  await listed(page)
  await expect(cards(page).filter({ hasNotText: 'PlanB' })).toHaveCount(0)
  const planb = await cards(page).count()
  await expect.poll(() => drawnCount(page)).toBe(planb)
  await page.getByRole('button', { name: 'Multiple influencer mode' }).click()
  await page.getByRole('combobox', { name: /^Influencer: PlanB/ }).click()
  await name.fill('bobby')
  await page.getByRole('option', { name: /Bobby Lee/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => drawnCount(page)).toBeGreaterThan(planb)
  await expect(page).toHaveURL(/experts=planb,bobby-lee/)
  await page.getByRole('button', { name: 'Reset filters and chart' }).first().click()
  await expect.poll(() => drawnCount(page)).toBe(0)
  await expect(page).not.toHaveURL(/experts/)
  await page.getByRole('button', { name: 'Show the leading ones' }).click()
  await expect.poll(() => drawnCount(page)).toBe(12)

  await find(page).fill('mcafee 1000000')
  await expect(cards(page)).toHaveCount(1)
  await find(page).fill('planb')
  await expect(cards(page)).toHaveCount(20)
  await expect(chip(page, 'Miss')).toHaveText(/^Miss 1?\d$/)
  // Fewer rows have the same variety and take less time.
  await page.getByRole('searchbox', { name: 'Find an expert' }).fill('planb')
  await expect(page).toHaveURL(/hq=planb/)
  await expectAccessible(page, '/btc')
  const misses = await countOf(page, 'Miss')
  await chip(page, 'Miss').click()
  await expect.poll(() => drawnCount(page)).toBe(misses)
  await page.getByRole('button', { name: 'Daily close', exact: true }).click()
  await expect(page).toHaveURL(/judge=close/)
  await find(page).fill('no such words')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(cards(page).first()).toBeVisible()
})

test('the history is sorted, filtered and paged, and opens evidence at its own address', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  const table = page.getByRole('table')
  await expect(table.getByRole('row').nth(1)).toContainText(/SUCCESS|MISS/)
  await table.getByRole('button', { name: 'Expert' }).click()
  const expert = table.getByRole('columnheader', { name: 'Expert' })
  await expect(expert).toHaveAttribute('aria-sort', 'ascending')
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
  await expect(page).toHaveURL(/hstatus=miss&hq=planb/)
  await listed(page)
  await expect(table.getByText('SUCCESS')).toHaveCount(0)

  const before = await drawnCount(page)
  await table.getByRole('link', { name: '$1,000,000' }).click()
  const evidence = page.getByRole('dialog', { name: /^PlanB: Bitcoin at \$1,000,000/ })
  const missed = /^Missed\. The highest close before the deadline was .* short\.$/
  await expect(evidence.getByText(missed)).toBeVisible()
  await expect(page).toHaveURL(/#call-/)
  const { hash } = new URL(page.url())
  await expectAccessible(page, 'evidence', { within: '[role=dialog]' })
  await evidence.getByRole('button', { name: 'Show on chart' }).click()
  await expect(evidence.getByRole('button', { name: 'Remove from chart' })).toBeVisible()
  // Back closes the dialog and keeps the selection below; Forward opens it again.
  await page.goBack()
  await expect(evidence).toBeHidden()
  await expect.poll(() => drawnCount(page)).toBe(before + 1)
  await page.goForward()
  await expect(evidence).toBeVisible()
  // A copied link opens the dialog without a history entry for the page below: closing it shows that page.
  await open(page, `/btc${hash}`)
  await expect(evidence).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(evidence).toBeHidden()
  await expect(page).toHaveURL(/\/btc$/)
})

test('a mark opens its evidence; Back restores filters and scroll position; the menu switches assets', async ({
  page,
}) => {
  await open(page, '/btc?experts=planb')
  await drawn(page)
  const mark = page.locator('[data-prediction-id][data-kind=target]').first()
  const box = await still(() => mark.getAttribute('data-box'))
  const [x = 0, y = 0, width = 0, height = 0] = box.split(',').map(Number)
  const plot = page.locator('.price-chart-plot')
  await plot.click({ position: { x: x + width / 2, y: y + height / 2 } })
  const dialog = page.getByRole('dialog', { name: /^PlanB/ })
  await dialog.getByRole('link', { name: 'Full record' }).click()
  await expect(page).toHaveURL(/\/predictions\//)
  await expect(page.getByRole('heading', { name: 'Why' })).toBeVisible()

  await page.goBack()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await chip(page, 'Miss').click()
  await expect(page).toHaveURL(/status=miss/)
  await expect(page.getByRole('row').filter({ hasText: 'PENDING' })).toHaveCount(0)
  // Not the last row, as more rows load on scrolling.
  const row = page.getByRole('rowheader').getByRole('link').nth(15)
  const name = (await row.textContent()) ?? ''
  await row.scrollIntoViewIfNeeded()
  // Read during the click, as rows may load and move the page until then.
  await page.evaluate(() => {
    const note = () => (document.body.dataset['left'] = String(window.scrollY))
    window.addEventListener('click', note, { capture: true, once: true })
  })
  await row.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  const place = Number(await page.evaluate(() => document.body.dataset['left']))
  expect(place).toBeGreaterThan(500)
  await page.goBack()
  await expect(chip(page, 'Miss')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)

  const assets = page.getByRole('navigation', { name: 'Assets' })
  await assets.getByRole('link', { name: 'MSTR' }).click()
  await expect(page.getByRole('heading', { name: /Strategy Live Price/ })).toBeVisible()
  await drawn(page)
  await expect(page).toHaveTitle(/Strategy \(MSTR\)/)
  const submit = page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' })
  await submit.click()
  const form = page.getByRole('dialog', { name: /^Submit (?:Micro)?Strategy Prediction$/ })
  await expect(form.getByLabel('Price target')).toHaveAttribute('placeholder', '500')
  await form.getByRole('button', { name: 'Close' }).first().click()
  await expect(form).toHaveCount(0)
  await expect(submit).toBeFocused()
  // A level from before a split shows both numbers.
  await find(page).fill('harte')
  await expect(page.getByText(/said \$[\d,]+ = \$[\d,]+ today/).first()).toBeVisible()

  await open(page, '/naka?targets=count')
  await expect(page.getByText('No price data available')).toBeVisible()
  await expect(page.getByText('No open calls for NAKA yet.')).toBeVisible()
  await expect(page.getByRole('table').getByText('No NAKA predictions yet')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByRole('combobox')).toHaveCount(0)
  await expectAccessible(page, '/naka')
})

test('the view of the chart is in its link: a frame, a zoom, a week with highs and lows', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-write'])
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.route('**/api/v1/ranges/btc?*', (route) =>
    route.fulfill({
      json: [{ date: '2025-07-16', open: 118_000, high: 131_000, low: 90_000, close: 119_000 }],
    }),
  )
  await open(page, '/btc?on=all')
  await drawn(page)
  await page.getByRole('button', { name: /^Show \d+ more after/ }).click()
  await expect(page).toHaveURL(/from=.*to=20[3-5]\d/)
  await page.getByRole('button', { name: 'Threads' }).click()
  await expect(page).toHaveURL(/threads=off/)
  const chart = page.getByTestId('price-chart')
  const seen = () =>
    chart.evaluate(({ dataset }) => [dataset['view'], dataset['y'], dataset['scale']].join(' '))
  const whole = await still(seen)
  const year = page.getByRole('button', { name: '1Y', exact: true })
  await year.click()
  await expect(page).toHaveURL(/frame=1y/)
  // The chart writes its view once it settles.
  await expect.poll(seen).not.toBe(whole)
  const framed = await still(seen)
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect(year).toHaveAttribute('aria-pressed', 'false')
  await expect(page).toHaveURL(/from=/)
  await expect.poll(seen).not.toBe(framed)
  const moved = await still(seen)
  await page.reload()
  await drawn(page)
  await expect.poll(seen).toBe(moved)
  const plot = page.locator('.price-chart-plot')
  const before = await plot.boundingBox()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await plot.boundingBox()).toEqual(before)
  await expect(page.getByText('Link copied')).toBeHidden()

  // Highs and lows are only requested in a short view.
  expect(requests).not.toContain('/api/v1/ranges/btc')
  await open(page, '/btc?from=2025-07-01&to=2025-07-31')
  await drawn(page)
  const legend = page.locator('.price-chart-legend p')
  await expect(legend).toContainText('bars from low to high on 1 of 31 days')
  const limits = async () => ((await chart.getAttribute('data-y')) ?? '').split(',').map(Number)
  await expect.poll(async () => (await limits())[1]).toBeGreaterThan(131_000)
  expect((await limits())[0]).toBeGreaterThan(60_000)
  const { width } = (await plot.boundingBox()) ?? { width: 0 }
  await plot.hover({ position: { x: 56 + (width - 56 - 66) / 2, y: 40 } })
  await expect(page.locator('.price-chart-readout')).toContainText('high $131,000, low $90,000')
})

test('open targets are shown, read out, weighted by votes, kept in the address, and switched off', async ({
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

  const rendered =
    '/btc?targets=count&scale=log&from=2028-06-01&to=2032-06-01&low=400000&high=2000000&on=none'
  await open(page, rendered)
  await drawn(page)
  await expect(layer).toBeVisible()
  // The pointer reads out a cell.
  const plot = page.getByRole('group', { name: /^Chart\./ })
  const box = await plot.boundingBox()
  if (!box) throw new Error('no chart')
  const part = (Date.parse('2030-07-01') - Date.parse('2028-06-01')) / (4 * 365.25 * 86_400_000)
  const height = 1 - Math.log(1_050_000 / 400_000) / Math.log(5)
  const cell = {
    x: 56 + part * (box.width - 56 - 66),
    y: 16 + height * (box.height - 16 - 28),
  }
  await plot.hover({ position: cell })
  await expect(plot).toContainText(/\d open calls?: \$1M to \$\S+, due .*2030 {2}\S/)
  await layer.getByRole('button', { name: 'Show all' }).click()
  await expect(layer).not.toContainText('beyond this view')
  await layer.getByText('Open targets as a table').click()
  await expect(layer.getByRole('row', { name: /^2030 \$1M to \$1\.5M \d/ })).toContainText(/[A-Z]/)
  await layer.getByRole('button', { name: 'Votes' }).click()
  await expect(page).toHaveURL(/targets=votes/)
  await expectAccessible(page, 'open targets', { within: 'main' })
})

const machine = (page: Page) => page.getByRole('region', { name: 'Time machine' })
const slider = (page: Page) => page.getByRole('slider', { name: 'Day shown' })

const QUARTERS = 7

test('a past day shows the record as known then, by keyboard and by address', async ({ page }) => {
  const answers: Promise<string>[] = []
  // Not on `response`: the text of a preloaded response never arrives.
  page.on('requestfinished', (request) => {
    const answer = async (): Promise<string> => {
      const response = await request.response()
      const isText = /json|html/.test(response?.headers()['content-type'] ?? '')
      return isText ? ((await response?.text()) ?? '') : ''
    }
    // The last responses may arrive after the test.
    answers.push(answer().catch(() => ''))
  })
  await open(page, '/btc?day=2017-12-18')
  await drawn(page)
  await expect(page.getByRole('heading', { name: 'Bitcoin Price' })).toBeVisible()
  await expect(machine(page)).toContainText(/As of 18 Dec 2017: Bitcoin closed at \$\d/)
  await expect(page).toHaveTitle(/as of 18 Dec 2017/)
  await slider(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect(machine(page)).toContainText('As of 25 Dec 2017')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(machine(page)).toContainText('As of 25 Sep 2017')
  await expect(page).toHaveURL(/\/btc\?day=2017-09-25$/)
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '25 Sep 2017')
  await expect(page.locator('.price-chart-readout')).toHaveText(/^BTC 25\/09\/2017/)

  const html = await page.locator('html').evaluate((element) => element.outerHTML)
  const texts = [...(await Promise.all(answers)), html]
  // Deadlines may lie in the future, as they were known when the call was made.
  const deadlines = /"(?:target_time|start_date|end_date|window_from|window_to)":"[\d-]+"/g
  for (const text of texts) {
    const days = text.replaceAll(deadlines, '').match(/20\d\d-\d\d-\d\d/g) ?? []
    expect(days.filter((found) => found > '2017-12-25')).toEqual([])
  }
  for (const part of ['"closes"', '"drawn"']) {
    expect(texts.filter((text) => text.includes(part)).length).toBeGreaterThan(2)
  }
  await expectAccessible(page, 'time machine', { within: '[aria-label="Time machine"]' })

  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: 'Bitcoin Live Price' })).toBeVisible()
  await expect(page).toHaveURL(/\/btc$/)
  await expect(slider(page)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(machine(page)).toContainText('No calls had been made yet.')
  // Back to shortly before the first call.
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    await page.keyboard.press('Shift+ArrowRight')
  }
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('by month')
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(machine(page)).toContainText(/As of \d+ \w+ 2014: .* call/)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-scale', 'log')
  await page.getByRole('link', { name: 'BTC', exact: true }).click()
  await expect(slider(page)).toHaveAttribute('aria-valuetext', 'Today')
  await page.goBack()
  await expect(machine(page)).toContainText(/As of \d+ \w+ 201/)
})
