import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Locator, type Page } from '@playwright/test'
import { entry } from '#tests/support/builders.ts'
import { manyEntries } from '#tests/support/many.ts'
import { startBuiltSite, type BuiltSite } from '../support/built-site.ts'
import { drawn, drawnCount, expect, ofAJob, open, test } from '../support/site.ts'

// A separate site, whose record is too large to be sent as a whole.
test.describe.configure({ mode: 'default' })

const MANY = 1_200
/** Names the newest prediction, so that a search finds only that one. */
const NEWEST = 'Expert Newest'

let site: BuiltSite
let folder: string

async function add(name: string, entries: readonly object[]): Promise<void> {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(entries))
  await site.cli('import-predictions', file)
}

test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = mkdtempSync(join(tmpdir(), 'proof-of-price-large-'))
  site = await startBuiltSite({})
  await add('many', manyEntries(MANY))
  const known = async () =>
    ((await (await fetch(`${site.url}/api/predictions`)).json()) as []).length
  await expect.poll(known, { timeout: 60_000 }).toBeGreaterThan(MANY)
})

test.afterAll(async () => {
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

const chip = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name} [\\d,]+$`) })
const countOf = async (chosen: Locator) =>
  Number(/[\d,]+$/.exec((await chosen.textContent()) ?? '')?.[0].replaceAll(',', ''))
const cards = (page: Page) =>
  page.getByRole('list', { name: 'BTC predictions' }).locator('[data-prediction-card]')
const find = (page: Page) => page.getByRole('searchbox', { name: 'Search predictions' })

test('a large record loads only what it shows, lists every prediction and pages its table', async ({
  page,
}) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await open(page, `${site.url}/btc`)
  await drawn(page)
  await expect(cards(page)).toHaveCount(20)
  await chip(page, 'Miss').click()
  await expect(cards(page).filter({ hasNotText: 'MISS' })).toHaveCount(0)
  const misses = await countOf(chip(page, 'Miss'))
  expect(misses).toBeGreaterThan(300)
  // Searching narrows the counts; the list then continues to its end.
  await find(page).fill('expert 2021')
  await expect.poll(() => countOf(chip(page, 'Miss'))).toBeLessThan(misses)
  const found = await countOf(chip(page, 'Miss'))
  await expect
    .poll(async () => {
      await cards(page).last().scrollIntoViewIfNeeded()
      return cards(page).count()
    })
    .toBe(found)
  expect(requests).not.toContain('/api/predictions')
  expect(requests).toContain('/api/v1/assets/btc/dashboard')

  const history = page.getByRole('region', { name: 'History' })
  const at = history.getByRole('status')
  await expect(at).toHaveText(/^1 to 100 of 1,\d{3}$/)
  await history.getByRole('button', { name: 'Next' }).click()
  await expect(at).toHaveText(/^101 to 200 of 1,\d{3}$/)
  await history.getByRole('searchbox', { name: 'Find an expert' }).fill('expert 17')
  const row = history.getByRole('row').nth(1)
  await expect(row).toContainText('Expert 17')
  await row.getByRole('link').nth(1).click()
  await expect(page.getByRole('dialog')).toContainText('Expert 17')
  await expect(page).toHaveURL(/#call-many-\d+$/)
})

test('a large record limits its chart, says so, and shows past days as known then', async ({
  page,
}) => {
  await open(page, `${site.url}/btc`)
  await drawn(page)
  await chip(page, 'All').click()
  const drawnOf = /^600 of 1,\d{3} on the chart: those with the most votes/
  await expect(page.getByText(drawnOf)).toBeVisible()
  await expect.poll(() => drawnCount(page)).toBe(600)
  const closer = page.waitForResponse((response) => response.url().includes('first_day='))
  await page.getByRole('button', { name: '1Y', exact: true }).click()
  expect((await closer).status()).toBe(200)

  await open(page, `${site.url}/btc?day=2021-06-30`)
  const machine = page.getByTestId('time-machine')
  await expect(machine).toContainText(/As of 30 Jun 2021: .* \d{3} calls had been made/)
  await expect(cards(page)).toHaveCount(20)
  const all = await countOf(chip(page, 'All'))
  await page.getByRole('slider', { name: 'Day shown' }).focus()
  await page.keyboard.press('PageDown')
  await expect(machine).toContainText(/As of 30 Jun 2020/)
  await expect.poll(() => countOf(chip(page, 'All'))).toBeLessThan(all)
})

test('news reaches a large record at once, and a failed request is retried', async ({ page }) => {
  await open(page, `${site.url}/btc`)
  await find(page).fill(NEWEST)
  await expect(page.getByText('No prediction matches')).toBeVisible()
  const claim = { expert_name: NEWEST, price_target: 250_000, prediction_made: '2026-09-01' }
  await add('newest', [entry('newest', { ...claim, target_time: '2040-12-31' })])
  await expect(cards(page)).toHaveCount(1, ofAJob())
  await expect(cards(page)).toContainText(NEWEST)

  await open(page, `${site.url}/btc`)
  await page.route('**/api/v1/assets/btc/dashboard*', (route) => route.abort())
  await chip(page, 'Miss').click()
  const failed = page.getByText('BTC predictions could not be loaded')
  await expect(failed).toBeVisible(ofAJob())
  await page.unroute('**/api/v1/assets/btc/dashboard*')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(cards(page).filter({ hasNotText: 'MISS' })).toHaveCount(0)
})
