import { type Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { drawn, expect, open, test } from './support/site.ts'

const machine = (page: Page) => page.getByRole('region', { name: 'Time machine' })
const slider = (page: Page) => page.getByRole('slider', { name: 'Day shown' })

/** From the first price, of January 2012, to July 2013. */
const QUARTERS = 6

test('a past day shows what was known then, by keyboard, in the address, and nothing of later days', async ({
  page,
}) => {
  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    const isText = /json|html/.test(response.headers()['content-type'] ?? '')
    if (isText) answers.push(response.text().catch(() => ''))
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
  // What a deadline says was known when the call was made.
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
  await expect(machine(page)).toContainText('No call had been made yet.')
  // To a little before the first call.
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
