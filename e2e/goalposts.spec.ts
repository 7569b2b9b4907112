import { type Page } from '@playwright/test'
import { DESKTOP, expectAccessible, expectNothingCutOff, PHONE } from './support/accessible.ts'
import { startAdminSite, type AdminSite } from './support/admin.ts'
import { expect, test } from './support/site.ts'

test.describe.configure({ mode: 'serial' })

let site: AdminSite

test.beforeAll(async () => {
  site = await startAdminSite()
})

test.afterAll(() => site.stop())

const pair = (page: Page) => page.getByRole('listitem', { name: 'Peter Brandt, $200,000' })
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const chip = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Pairs by state' }).getByRole('button', { name })

test('a moved deadline is confirmed by key, undone, and cut, and visitors see each of it', async ({
  page,
  context,
}) => {
  const visitor = await context.newPage()
  await visitor.goto(`${site.url}/experts/peter-brandt`)
  const calls = visitor.getByRole('list', { name: 'Calls for $200,000' })
  await expect(calls.getByRole('listitem')).toHaveCount(2)
  await expect(visitor.getByText('$200,000: moved by 3 years and 9 months')).toBeVisible()
  const unchecked = visitor.getByText('Looks like a revision; not yet checked by a person.')
  await expect(unchecked).toBeVisible()

  await site.signIn(page)
  await page.goto(`${site.url}/admin/home`)
  await page.getByRole('link', { name: 'Goalposts' }).click()
  await expect(pair(page)).toBeVisible()
  await expect(pair(page)).toContainText('Bitcoin at $200,000 by')
  const suggested = (await chip(page, /^Suggested/).textContent()) ?? ''

  // By keys, from the pair that has the focus; the next one has it then.
  await pair(page).focus()
  await page.keyboard.press('c')
  await expect(toast(page, 'Confirmed: the page of the person shows it as checked.')).toBeVisible()
  await expect(pair(page)).toHaveCount(0)
  await expect(page.locator('[data-row]:focus')).toHaveCount(1)
  await expect(chip(page, /^Confirmed/)).toContainText('1')
  await visitor.reload()
  await expect(visitor.getByText('Checked by a person.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(pair(page)).toBeVisible()
  await expect(chip(page, /^Suggested/)).toHaveText(suggested)

  await pair(page).getByRole('button', { name: 'Cut' }).click()
  await expect(toast(page, 'Cut: no page shows it any more.')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Predictions' })).toBeVisible()
  await expect(calls).toHaveCount(0)
  await chip(page, /^Cut/).click()
  await expect(pair(page)).toContainText(site.names.first)
  await pair(page).getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByText('No matching pairs.')).toBeVisible()

  // From one call to the next on their own pages.
  await visitor.reload()
  await calls.getByRole('link').first().click()
  await expect(visitor.getByRole('heading', { name: 'How the deadline was moved' })).toBeVisible()
  await expect(calls.locator('[aria-current=page]')).toHaveCount(1)
  await calls.getByRole('link').last().click()
  await expect(visitor.getByText('Deadline Sep 2029', { exact: false })).toBeVisible()
  await visitor.close()
})

test('moved deadlines are accessible on both pages', async ({ page }) => {
  await page.goto(`${site.url}/experts/tim-draper`)
  await page.getByRole('list', { name: 'Calls for $250,000' }).getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'How the deadline was moved' })).toBeVisible()
  for (const path of ['/experts/tim-draper', new URL(page.url()).pathname]) {
    await page.goto(site.url + path)
    for (const size of [DESKTOP, PHONE]) {
      const screen = `${path} at ${String(size.width)} px`
      await page.setViewportSize(size)
      await expectNothingCutOff(page, screen)
      await expectAccessible(page, screen, { within: 'main', themes: ['light', 'dark'] })
    }
  }
})
