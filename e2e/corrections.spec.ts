import { type Page } from '@playwright/test'
import {
  DESKTOP,
  expectAccessible,
  expectNothingCutOff,
  PHONE,
  TABLET,
} from './support/accessible.ts'
import { startAdminSite, type AdminSite } from './support/admin.ts'
import { expect, test } from './support/site.ts'

test.describe.configure({ mode: 'serial' })

let site: AdminSite

test.beforeAll(async () => {
  site = await startAdminSite()
})

test.afterAll(() => site.stop())

test.beforeEach(async ({ page }) => {
  await site.signIn(page)
})

const correct = (page: Page) => page.getByRole('form', { name: 'Correct this prediction' })
const decide = (page: Page) => page.getByRole('region', { name: 'Decide about this prediction' })
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

async function openRecord(page: Page, id: string): Promise<void> {
  await page.goto(`${site.url}/admin/predictions?open=${id}`)
  await expect(correct(page)).toBeVisible()
}

test('a published prediction is found, corrected with a reason, and everyone can read why', async ({
  page,
  context,
}) => {
  await page.goto(`${site.url}/admin/home`)
  await page.getByRole('link', { name: 'Predictions', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search predictions' }).fill('mcafee-1m')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'John McAfee' }).click()
  await correct(page).getByLabel('Price as said').fill('10.000')
  await expect(correct(page).getByText('read as $10,000')).toBeVisible()
  await expect(correct(page).getByText(/By intraday prices: MISS → SUCCESS/)).toBeVisible()

  // Without a reason nothing is saved; with one it is, and the verdict follows.
  await correct(page).getByRole('button', { name: 'Save' }).click()
  await expect(correct(page).getByText('Please say why', { exact: false }).first()).toBeVisible()
  await correct(page).getByRole('button', { name: 'Add a source' }).click()
  await page.keyboard.type('https://www.sec.gov/filing/1')
  await correct(page).getByLabel('Reason').fill('He said ten thousand')
  await correct(page).getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Data saved successfully!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'The prediction' })).toContainText('SUCCESS')

  const visitor = await context.newPage()
  await visitor.goto(`${site.url}/predictions/mcafee-1m-2020`)
  await expect(
    visitor.getByText(
      'Target $1,000,000 to Target $10,000; the sources. Reason: He said ten thousand.',
      { exact: false },
    ),
  ).toBeVisible()

  // An open chart shows the change.
  const dashboard = await context.newPage()
  await dashboard.goto(`${site.url}/btc?hq=mcafee`)
  const listed = dashboard.getByRole('row', { name: /McAfee/ })
  await expect(listed).toHaveCount(5)

  // Withdrawn, and restored by one press.
  await decide(page).getByLabel('Reason').fill('In doubt')
  await decide(page).getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText(/^Withdrawn on/)).toBeVisible()
  await expect(async () => {
    const shown = await (await visitor.request.get(visitor.url())).text()
    expect(shown).toContain('It counts in no list')
  }).toPass({ intervals: [50, 100, 250] })
  await expect(listed).toHaveCount(4)
  // It is offered for ten seconds.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Withdrawn on/)).toHaveCount(0)
  await expect(listed).toHaveCount(5)

  await page.getByRole('link', { name: /audit log of this prediction/ }).click()
  await expect(page.getByRole('row', { name: /Prediction restored/ })).toBeVisible()
  await page.getByRole('button', { name: 'Prediction edited' }).click()
  await expect(page.getByText('Target $1,000,000 → Target $10,000')).toBeVisible()

  // The record is read again by now: a filing says more than the report that was known.
  await visitor.reload()
  const sources = visitor.getByRole('link', { name: /sec\.gov|lastcryptocurrency/ })
  await expect(sources.first()).toHaveText(/sec\.gov/)

  // Everyone finds all of it in one list, and can narrow it without leaving the page.
  await visitor.getByRole('link', { name: 'All corrections of the record' }).click()
  const entries = visitor.getByRole('main').getByRole('listitem').filter({ hasText: 'Why:' })
  await expect(entries).toHaveCount(5)
  await expect(entries.last()).toContainText('Target $1,000,000 to Target $10,000; the sources.')
  await expect(entries.last()).toContainText('Why: He said ten thousand.')
  const kinds = visitor.getByRole('navigation', { name: 'Kind of change' })
  await kinds.getByRole('link', { name: 'Withdrawn' }).click()
  await expect(entries).toHaveCount(1)
  await expect(entries).toContainText('Why: In doubt.')
  await expect(visitor).toHaveURL(`${site.url}/corrections?kind=withdrawn`)
  await visitor.getByText('Download and cite').click()
  await expect(visitor.getByRole('link', { name: 'CSV' })).toHaveAttribute(
    'href',
    '/corrections.csv?kind=withdrawn',
  )
  await visitor.goBack()
  await expect(entries).toHaveCount(5)
  for (const size of [DESKTOP, PHONE]) {
    await visitor.setViewportSize(size)
    await expectAccessible(visitor, 'corrections')
    await expectNothingCutOff(visitor, 'corrections')
  }
})

test('the slower of two people sees what changed, loses nothing, and goes on', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage()
  await site.signIn(other, 'second')
  const id = 'mcafee-5000-2017'
  await openRecord(page, id)
  await openRecord(other, id)
  await correct(page).getByLabel('Private remarks optional').fill('mine')
  await correct(other).getByLabel('Public text optional').fill('Reworded.')
  await correct(other).getByLabel('Reason').fill('Clearer')
  await correct(other).getByRole('button', { name: 'Save' }).click()
  await expect(toast(other, 'Data saved successfully!')).toBeVisible()

  await correct(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/second-admin changed this/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Changed meanwhile' })).toContainText('Reworded.')
  await page.getByRole('button', { name: 'Keep my version and save' }).click()
  await expect(toast(page, 'Data saved successfully!')).toBeVisible()
  await expect(correct(page).getByLabel('Private remarks optional')).toHaveValue('mine')
  await expect(correct(page).getByLabel('Public text optional')).toHaveValue('Reworded.')
  await other.context().close()
})

test('a person is renamed and merged, and the old addresses still work', async ({ page }) => {
  await page.goto(`${site.url}/admin/experts?q=saylor`)
  await page.getByRole('button', { name: 'Michael Saylor' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Michael J. Saylor')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Michael J. Saylor' })).toBeVisible()
  await expect(async () => {
    await page.request
      .get(`${site.url}/experts/michael-saylor`, { maxRedirects: 0 })
      .then((answer) => {
        expect(answer.status()).toBe(301)
        expect(answer.headers()['location']).toBe('/experts/michael-j-saylor')
      })
  }).toPass()
  await page.getByRole('searchbox', { name: 'Search whom to merge into' }).fill('daniel masters')
  await page.getByRole('button', { name: 'Daniel Masters' }).click()
  await page.getByRole('button', { name: 'Merge into Daniel Masters' }).click()
  await expect(toast(page, 'Merged into Daniel Masters.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Daniel Masters' })).toBeVisible()
  await expect(async () => {
    const answer = await page.request.get(`${site.url}/experts/michael-saylor`)
    expect(answer.url()).toBe(`${site.url}/experts/daniel-masters`)
  }).toPass()
})

test('each screen of corrections is accessible', async ({ page }) => {
  for (const [path, ready] of [
    ['/admin/predictions', 'Published predictions'],
    ['/admin/predictions?open=mcafee-1m-2020', 'Public history'],
    ['/admin/experts', 'People and firms'],
    ['/admin/experts?open=1', 'Same as another entry on record?'],
    ['/admin/goalposts', 'Suggested'],
    ['/admin/replies', 'No replies wait.'],
    ['/admin/reports', 'No open reports.'],
    ['/admin/payments', 'No payments found.'],
    ['/admin/operations', 'Looking after invoices'],
    ['/admin/audit', 'Audit log'],
    ['/admin/accounts', 'New account'],
  ] as const) {
    await page.goto(site.url + path)
    await expect(page.getByText(ready).last()).toBeAttached()
    await expect(page.getByText(/^Loading/)).toHaveCount(0)
    for (const size of [DESKTOP, TABLET, PHONE]) {
      const screen = `${path} at ${String(size.width)} px`
      await page.setViewportSize(size)
      await expectNothingCutOff(page, screen)
      const themes = path.includes('open') ? (['light', 'dark'] as const) : (['light'] as const)
      await expectAccessible(page, screen, { within: 'main', themes })
    }
  }
})
