import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Locator, type Page } from '@playwright/test'
import { entry } from '#tests/support/builders.ts'
import { manyEntries } from '#tests/support/many.ts'
import { startBuiltSite, type BuiltSite } from './support/built-site.ts'
import { drawn, drawnCount, expect, open, test } from './support/site.ts'

// A separate site, whose record is too large to be sent as a whole.
test.describe.configure({ mode: 'serial' })

const MANY = 1_200
/** Names the newest one, so that a search finds it alone. */
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
  await expect
    .poll(async () => ((await (await fetch(`${site.url}/api/predictions`)).json()) as []).length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(MANY)
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

test('a large record asks for what it shows, and its list goes on to the end', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await open(page, `${site.url}/btc`)
  await drawn(page)
  await expect(cards(page)).toHaveCount(20)
  await expect.poll(() => drawnCount(page)).toBe(12)
  await chip(page, 'Miss').click()
  await expect(page.getByText('No prediction matches')).toHaveCount(0)
  const misses = await countOf(chip(page, 'Miss'))
  expect(misses).toBeGreaterThan(300)
  await expect(cards(page).filter({ hasNotText: 'MISS' })).toHaveCount(0)
  // What is searched for narrows the counts, and the list then goes on to its end.
  await find(page).fill('expert 2021')
  await expect.poll(() => countOf(chip(page, 'Miss'))).toBeLessThan(misses)
  const found = await countOf(chip(page, 'Miss'))
  expect(found).toBeGreaterThan(20)
  await expect
    .poll(async () => {
      await cards(page).last().scrollIntoViewIfNeeded()
      return cards(page).count()
    })
    .toBe(found)
  await expect(page.getByRole('button', { name: /^Show more/ })).toHaveCount(0)
  expect(asked).not.toContain('/api/predictions')
  expect(asked).toContain('/api/v1/assets/btc/dashboard')
})

test('the table of a large record is sorted and paged, and a row opens its evidence', async ({
  page,
}) => {
  await open(page, `${site.url}/btc`)
  const history = page.getByRole('region', { name: 'History' })
  const rows = history.getByRole('row')
  const at = history.getByRole('status')
  await expect(at).toHaveText(/^1 to 100 of 1,\d{3}$/)
  const first = await rows.nth(1).textContent()
  await history.getByRole('button', { name: 'Next' }).click()
  await expect(at).toHaveText(/^101 to 200 of 1,\d{3}$/)
  await expect(rows.nth(1)).not.toHaveText(first ?? '')
  await history.getByRole('button', { name: 'Expert', exact: true }).click()
  await expect(at).toHaveText(/^1 to 100 of/)
  await history.getByRole('searchbox', { name: 'Find an expert' }).fill('expert 17')
  await expect(rows.nth(1)).toContainText('Expert 17')
  await history.getByRole('button', { name: 'By year' }).click()
  await expect(history.getByRole('button', { name: /^Predictions made in 20/ })).not.toHaveCount(0)
  await history.getByRole('button', { name: 'By call' }).click()
  await rows.nth(1).getByRole('link').nth(1).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Expert 17')
  await expect(page).toHaveURL(/#call-many-\d+$/)
})

test('the evidence of any prediction of a large record opens by its address', async ({ page }) => {
  await open(page, `${site.url}/btc#call-many-77`)
  await expect(page.getByRole('dialog')).toContainText('Said so for the 77th time.')
})

test('a large record draws no more than a chart can show, says so, and others in a closer view', async ({
  page,
}) => {
  await open(page, `${site.url}/btc`)
  await drawn(page)
  await chip(page, 'All').click()
  await expect(
    page.getByText(/^300 of 1,\d{3} on the chart: those with the most votes/),
  ).toBeVisible()
  await expect.poll(() => drawnCount(page)).toBe(300)
  const closer = page.waitForResponse((response) => response.url().includes('first_day='))
  await page.getByRole('button', { name: '1Y', exact: true }).click()
  expect((await closer).status()).toBe(200)
  await expect.poll(() => drawnCount(page)).toBe(300)

  // A card whose prediction is beyond those is put on by hand, and taken off again.
  await find(page).fill('mcafee 1000000')
  const card = cards(page).first()
  await expect(card).toContainText('McAfee')
  await expect(card).toHaveAttribute('aria-pressed', 'true')
  await card.click()
  await expect(card).toHaveAttribute('aria-pressed', 'false')
  await card.click()
  await expect(card).toHaveAttribute('aria-pressed', 'true')
})

test('an expert of a large record is found by a part of the name', async ({ page }) => {
  await open(page, `${site.url}/btc`)
  await page.getByRole('button', { name: 'Influencer: All Influencers' }).click()
  await page.getByRole('combobox', { name: 'Search influencers' }).fill('planb')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: /PlanB/ }).click()
  await expect(page).toHaveURL(/experts=planb/)
  await expect(cards(page).filter({ hasNotText: 'PlanB' })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Influencer: PlanB' })).toBeVisible()
})

test('judging by daily close changes the counts and the list of a large record together', async ({
  page,
}) => {
  await open(page, `${site.url}/btc?status=success`)
  const before = await countOf(chip(page, 'Successful'))
  expect(before).toBeGreaterThan(20)
  await page.getByRole('button', { name: 'Daily close', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Filter by Expert' })).toHaveAttribute(
    'aria-busy',
    'false',
  )
  const reply = await page.request.get(
    `${site.url}/api/v1/assets/btc/dashboard?status=success&judge=close`,
  )
  const { counts } = (await reply.json()) as { counts: { close: { success: number } } }
  expect(await countOf(chip(page, 'Successful'))).toBe(counts.close.success)
})

test('open targets of a large record are counted', async ({ page }) => {
  await open(page, `${site.url}/btc`)
  await drawn(page)
  await page.getByRole('button', { name: 'Open targets', exact: true }).click()
  await expect(page.getByRole('group', { name: 'Open targets' })).toContainText(/\d+ open calls/)
})

test('a past day of a large record shows what was known then, with its filters', async ({
  page,
}) => {
  await open(page, `${site.url}/btc?day=2021-06-30`)
  await drawn(page)
  const machine = page.getByTestId('time-machine')
  await expect(machine).toContainText(/As of 30 Jun 2021: .* \d{3} calls had been made/)
  await expect(cards(page)).toHaveCount(20)
  const all = await countOf(chip(page, 'All'))
  await chip(page, 'Miss').click()
  await expect(cards(page).filter({ hasNotText: 'MISS' })).toHaveCount(0)
  await expect.poll(() => drawnCount(page)).toBe(300)
  await page.getByRole('slider', { name: 'Day shown' }).focus()
  await page.keyboard.press('PageDown')
  await expect(machine).toContainText(/As of 30 Jun 2020/)
  await expect.poll(() => countOf(chip(page, 'All'))).toBeLessThan(all)
  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: 'Bitcoin Live Price' })).toBeVisible()
  await expect.poll(() => countOf(chip(page, 'All'))).toBeGreaterThan(1_000)
})

test('news come into a large record at once', async ({ page }) => {
  await open(page, `${site.url}/btc`)
  await find(page).fill(NEWEST)
  await expect(page.getByText('No prediction matches')).toBeVisible()
  await add('newest', [
    entry('newest', {
      expert_name: NEWEST,
      price_target: 250_000,
      prediction_made: '2026-09-01',
      target_time: '2040-12-31',
    }),
  ])
  await expect(cards(page)).toHaveCount(1, { timeout: 20_000 })
  await expect(cards(page)).toContainText(NEWEST)
  expect(await countOf(chip(page, 'Pending'))).toBe(1)
})

test('a large record says that a question could not be answered, and answers it later', async ({
  page,
}) => {
  await open(page, `${site.url}/btc`)
  await page.route('**/api/v1/assets/btc/dashboard*', (route) => route.abort())
  await chip(page, 'Miss').click()
  await expect(page.getByText('BTC predictions could not be loaded')).toBeVisible({
    timeout: 20_000,
  })
  await page.unroute('**/api/v1/assets/btc/dashboard*')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(cards(page)).toHaveCount(20)
  await expect(cards(page).filter({ hasNotText: 'MISS' })).toHaveCount(0)
})
