import { expectAccessible, expectNothingCutOff } from './support/accessible.ts'
import {
  alive,
  drawn,
  drawnCount,
  expect,
  MAIN_SCREENS,
  ofAJob,
  open,
  still,
  test,
} from './support/site.ts'
import { fill, openForm, send, TARGET } from './support/submit-form.ts'

test('on a phone the bar, the chart, the cards and the menu work by thumb, and Back closes the menu', async ({
  page,
}) => {
  await open(page, '/btc')
  await drawn(page)
  const actions = page.getByRole('navigation', { name: 'Actions' })
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, main a, header a, footer a, select, input')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ element, box }) => box.height < 43.5 && !element.closest('p, [data-testid]'))
      .filter(({ box }) => box.width > 1)
      .map(({ element }) => element.outerHTML.slice(0, 120)),
  )
  expect(small).toEqual([])
  await expectAccessible(page, 'actions', { within: 'nav[aria-label=Actions]' })

  const button = page.getByRole('button', { name: /^Status filter/ })
  await button.tap()
  await expect(button).toHaveAccessibleName(/^Status filter: Successful, \d+$/)
  await actions.getByRole('button', { name: 'Reset filters and chart' }).tap()
  await expect(button).toHaveAccessibleName('Status filter: All')
  await page.getByRole('button', { name: 'Show the leading ones' }).tap()
  await expect.poll(() => drawnCount(page)).toBe(12)

  await page.evaluate(() => window.scrollTo(0, 0))
  // A tapped mark opens a sheet under the chart, which a button closes.
  const mark = page.locator('[data-kind="target"][data-box]').first()
  const box = await still(() => mark.getAttribute('data-box'))
  const [x = 0, y = 0, w = 0, h = 0] = box.split(',').map(Number)
  const plot = page.getByRole('group', { name: /^Chart\./ })
  await plot.tap({ position: { x: x + w / 2, y: y + h / 2 } })
  const sheet = page.getByTestId('chart-tooltip')
  await expect(sheet.getByRole('button', { name: 'Open' })).toBeVisible()
  const [under, over] = [await sheet.boundingBox(), await plot.boundingBox()]
  expect(under?.y).toBeGreaterThanOrEqual((over?.y ?? 0) + (over?.height ?? 0))
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet).toHaveCount(0)
  // Tapping a card reports the change on the chart above and links to it.
  await page.locator('[data-prediction-card][aria-pressed="false"]').nth(3).tap()
  await expect(page.getByText('is on the chart')).toBeVisible()
  await page.getByRole('button', { name: 'See the chart' }).tap()
  await expect(page.getByTestId('price-chart')).toBeInViewport()

  const top = page.getByRole('button', { name: 'Back to top' })
  const scrolled = () => page.evaluate(() => window.scrollY)
  await page.evaluate(() => window.scrollTo(0, 201))
  await top.tap()
  await expect.poll(scrolled).toBe(0)

  await open(page, '/btc')
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.tap()
  await expect(page).toHaveURL(/\/btc#menu$/)
  const dialog = page.getByRole('dialog', { name: 'Select Asset' })
  await expect(dialog.getByRole('link', { name: /NAKA/ })).toContainText('Coming Soon')
  await expectAccessible(page, 'menu', { within: '[role=dialog]' })
  await dialog.getByRole('button', { name: 'Dark mode' }).tap()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await dialog.getByRole('button', { name: 'Light mode' }).tap()
  await dialog.getByRole('button', { name: 'Refresh' }).tap()
  await expect(dialog.getByText('Prices and predictions are up to date.')).toBeVisible()
  await page.route(/\/api\/|\/prices/, (route) => route.abort())
  await dialog.getByRole('button', { name: 'Refresh' }).tap()
  await expect(dialog.getByText(/^The site cannot be reached/)).toBeVisible()
  await page.unroute(/\/api\/|\/prices/)
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/btc$/)
  await menu.tap()
  const mstr = dialog.getByRole('link', { name: 'Strategy (MSTR)' })
  await expect(mstr).not.toContainText('Coming Soon')
  await mstr.tap()
  await expect(page).toHaveURL(/\/mstr$/)
  await expect(page.getByText(/^Submit (?:Micro)?Strategy Prediction$/)).toBeVisible()
  await menu.tap()
  await dialog.getByRole('link', { name: 'Experts' }).tap()
  await expect(page.getByRole('table', { name: /compared with luck/ })).toBeVisible()
  await page.getByRole('button', { name: 'Search', exact: true }).tap()
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill('saylor')
  await expect(search.getByRole('option').first()).toContainText('Michael Saylor')
  await search.getByRole('button', { name: 'Close' }).tap()
  await expect(search).toBeHidden()

  // The picture of all calls opens with the chosen year in view, without moving the page.
  await open(page, '/history?year=2021')
  await page.evaluate(() => window.scrollTo(0, 500))
  await expect.poll(scrolled).toBe(500)
  await page.reload()
  await alive(page)
  await expect.poll(scrolled).toBe(500)
})

test('on the narrowest phone every page is whole, with header and bar; on a tablet the panel is a drawer', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 844 })
  const banner = page.getByRole('banner')
  const bar = page.getByRole('navigation', { name: 'Actions' })
  for (const path of MAIN_SCREENS) {
    await page.goto(path)
    await expect(banner.getByRole('button', { name: 'Submit Prediction' })).toBeVisible()
    await expect(banner.getByRole('button', { name: 'Search' })).toBeVisible()
    await expect(bar.getByRole('link', { name: 'History' })).toBeVisible()
    await expectNothingCutOff(page, path)
  }
  await page.goto('/years')
  for (const row of await page.getByRole('table').first().locator('tbody tr').all()) {
    await expect(row).toBeVisible()
  }
  await bar.getByRole('button', { name: 'Menu' }).tap()
  const menu = page.getByRole('dialog', { name: 'Select Asset' })
  await menu.getByRole('link', { name: 'Bitcoin (BTC)' }).tap()
  await expect(page).toHaveURL(/\/btc$/)
  const log = page.getByRole('button', { name: 'Log', exact: true })
  await expect(log).toBeHidden()
  await page.getByRole('button', { name: 'More chart tools' }).tap()
  await log.tap()
  await expect(page).toHaveURL(/scale=log/)

  await page.setViewportSize({ width: 820, height: 1180 })
  await open(page, '/btc?experts=planb')
  await drawn(page)
  await expect(page.getByRole('button', { name: 'More chart tools' })).toBeHidden()
  const panel = page.getByRole('complementary', { name: 'Predictions' })
  await expect(panel).toBeHidden()
  const button = page.getByRole('button', { name: 'Predictions', exact: true })
  await button.press('Enter')
  await expect(panel).toBeVisible()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expectAccessible(page, 'drawer', { within: '[aria-label=Predictions]' })
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  const chosen = page.getByRole('button', { name: 'Influencer: PlanB' })
  await page.setViewportSize({ width: 1200, height: 900 })
  await expect(chosen).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Actions' })).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(chosen).toBeVisible()
})

test('on a phone a prediction is submitted and paid, and another is boosted, with its new score on its page', async ({
  page,
}) => {
  const dialog = await openForm(page)
  await fill(dialog, { ...TARGET, 'Expert name': 'Ada by phone' })
  await send(dialog)
  await dialog.getByRole('button', { name: 'Create invoice' }).tap()
  await expect(dialog.getByText('Waiting for payment...')).toBeVisible(ofAJob())
  await expectNothingCutOff(page, 'waiting')
  await dialog.getByRole('button', { name: 'Pay with the demonstration wallet' }).tap()
  await expect(dialog.getByRole('heading', { name: 'Prediction submitted' })).toBeVisible()

  const [one] = (await (await page.request.get('/api/predictions?limit=1')).json()) as [
    { id: string; vote_score: number },
  ]
  await open(page, `/predictions/${one.id}`)
  await page.getByRole('button', { name: 'Boost it' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Choose an amount' })).toBeFocused()
  await expectAccessible(page, 'amount of a boost', { within: '#support' })
  await page.getByRole('button', { name: '21 sats' }).tap()
  await page.getByRole('button', { name: 'Create invoice' }).tap()
  await expect(page.getByRole('heading', { name: 'Pay 21 sats' })).toBeFocused()
  await page.getByRole('button', { name: 'Pay with the demonstration wallet' }).tap()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeFocused()
  const score = `${String(one.vote_score + 21)} sats have been paid in support`
  await expect(page.getByText(score)).toBeVisible()
  const receipt = await page.getByRole('link', { name: 'Open your receipt' }).getAttribute('href')
  const failed: string[] = []
  page.on('response', (answer) => void (answer.status() >= 400 && failed.push(answer.url())))
  await open(page, receipt ?? '')
  await expect(page.getByText('The sats count in support of the prediction.')).toBeVisible()
  expect(failed).toEqual([])
})
