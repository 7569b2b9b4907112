import { type Page } from '@playwright/test'
import { DESKTOP, expectAccessible, expectNothingCutOff, PHONE } from './support/accessible.ts'
import { sharedAdminSite } from './support/admin.ts'
import { expect, test, ofAJob } from './support/site.ts'

const site = sharedAdminSite()

test.beforeEach(({ page }) => site.signIn(page))

const correct = (page: Page) => page.getByRole('form', { name: 'Correct this prediction' })
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

test('a published prediction is corrected, withdrawn and restored with public reasons', async ({
  page,
  context,
}) => {
  await page.goto(`${site.url}/admin/home`)
  await page.getByRole('link', { name: 'Predictions', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('mcafee-1m')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'John McAfee' }).click()
  await correct(page).getByLabel('Price as said').fill('15.000')
  await expect(correct(page).getByText('read as $15,000')).toBeVisible()
  await expect(correct(page).getByText(/By intraday prices: MISS → SUCCESS/)).toBeVisible()
  await correct(page).getByLabel('Reason').fill('He said fifteen thousand')
  await correct(page).getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Data saved successfully!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'The prediction' })).toContainText('SUCCESS')

  const visitor = await context.newPage()
  await visitor.goto(`${site.url}/predictions/mcafee-1m-2020`)
  const why = 'Target $1,000,000 to Target $15,000. Reason: He said fifteen thousand.'
  await expect(visitor.getByText(why, { exact: false })).toBeVisible()
  // An open chart shows the change.
  await visitor.goto(`${site.url}/btc?hq=mcafee`)
  const listed = visitor.getByRole('row', { name: /McAfee/ })
  await expect(listed).toHaveCount(5)
  const decide = page.getByRole('region', { name: 'Decide about this prediction' })
  await decide.getByLabel('Reason').fill('In doubt')
  await decide.getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText(/^Withdrawn on/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Withdrawn on/)).toHaveCount(0, ofAJob())
  await expect(listed).toHaveCount(5, ofAJob())
  await page.getByRole('link', { name: /audit log of this prediction/ }).click()
  await expect(page.getByRole('row', { name: /Prediction restored/ })).toBeVisible()

  // All corrections are in one public list, which can be filtered without leaving the page.
  await visitor.goto(`${site.url}/corrections`)
  const entries = visitor.getByRole('main').getByRole('listitem').filter({ hasText: 'Why:' })
  await expect(entries.filter({ hasText: 'Why: He said fifteen thousand.' })).toHaveCount(1)
  const kinds = visitor.getByRole('navigation', { name: 'Kind of change' })
  await kinds.getByRole('link', { name: 'Withdrawn' }).click()
  await expect(entries.filter({ hasText: 'Why: In doubt.' })).toHaveCount(1)
  await expect(visitor).toHaveURL(`${site.url}/corrections?kind=withdrawn`)
  await visitor.getByText('Download and cite').click()
  const csv = visitor.getByRole('link', { name: 'CSV' })
  await expect(csv).toHaveAttribute('href', '/corrections.csv?kind=withdrawn')
  await expectAccessible(visitor, 'corrections')
})

test('a person is renamed and merged, and the old addresses still work', async ({ page }) => {
  await page.goto(`${site.url}/admin/experts?q=saylor`)
  await page.getByRole('button', { name: 'Michael Saylor' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Michael J. Saylor')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Michael J. Saylor' })).toBeVisible()
  await page.getByLabel('Search whom to merge into').fill('daniel masters')
  await page.getByRole('option', { name: 'Daniel Masters' }).click()
  await page.getByRole('button', { name: 'Merge into Daniel Masters' }).click()
  await expect(toast(page, 'Merged into Daniel Masters.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Daniel Masters' })).toBeVisible()
  const leadsTo = async () =>
    (await page.request.get(`${site.url}/experts/michael-saylor`)).url().replace(site.url, '')
  await expect.poll(leadsTo, ofAJob()).toBe('/experts/daniel-masters')
})

/** Screens without a journey of their own, with a text that appears once they have loaded. */
const SCREENS = [
  ['Home', 'Decided today'],
  ['MSTR', /submissions found|MSTR Price Prediction/],
  ['Goalposts', 'Suggested'],
  ['Payments', 'No payments found.'],
  ['Operations', 'Checking open invoices'],
  ['Audit log', 'Audit log'],
  ['Accounts', 'New account'],
] as const
const OPENED = [
  ['predictions?q=mcafee-5000&open=mcafee-5000-2017', 'Public history'],
  ['experts?q=mcafee&open=1', 'Same as another entry on record?'],
] as const

test("every other administrators' screen opens, is accessible, and fits a phone", async ({
  page,
}) => {
  const look = async (screen: string, ready: string | RegExp): Promise<void> => {
    await expect(page.getByRole('main').getByText(ready).last()).toBeAttached()
    await expect(page.getByText(/^Loading/)).toHaveCount(0)
    await expectAccessible(page, screen, { within: 'main' })
    await page.setViewportSize(PHONE)
    await expectNothingCutOff(page, screen)
    await page.setViewportSize(DESKTOP)
  }
  for (const [path, ready] of OPENED) {
    await page.goto(`${site.url}/admin/${path}`)
    await look(path, ready)
  }
  const places = page.getByRole('navigation', { name: 'Screens' })
  for (const [name, ready] of SCREENS) {
    await places.getByRole('link', { name: new RegExp(`^${name}(?: ?\\d|$)`) }).click()
    await look(name, ready)
  }
})
