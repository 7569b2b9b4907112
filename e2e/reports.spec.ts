import {
  DESKTOP,
  expectAccessible,
  expectNothingCutOff,
  PHONE,
  TABLET,
} from './support/accessible.ts'
import { startAdminSite, type AdminSite } from './support/admin.ts'
import { expect, open, test } from './support/site.ts'

test.describe.configure({ mode: 'serial' })

let site: AdminSite

test.beforeAll(async () => {
  site = await startAdminSite()
})

test.afterAll(() => site.stop())

const SIZES = [DESKTOP, TABLET, PHONE]

test('a visitor reports an error, an administrator corrects it, and both pages say so', async ({
  page,
}) => {
  await open(page, `${site.url}/predictions/mcafee-1m-2020`)
  await page.getByRole('button', { name: 'Report an error' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report an error' })
  await dialog.getByLabel('Kind of error').selectOption('Wrong price')
  // What is missing is said at its field, which gets the focus.
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  const words = dialog.getByLabel('What is wrong, and what would be right?')
  await expect(words).toBeFocused()
  await expect(dialog.getByText('Please enter the address of a public page')).toBeVisible()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expectNothingCutOff(page, `dialog at ${String(size.width)} px`)
    await expectAccessible(page, `dialog at ${String(size.width)} px`)
  }
  await words.fill('He said <i>ten thousand</i>.')
  await dialog.getByLabel('Source').fill('https://example.org/said')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await expect(dialog.getByText('Thank you. This is report 1.')).toBeVisible()
  await dialog.getByRole('link', { name: 'See the report' }).click()
  await expect(page.getByRole('heading', { name: 'Report 1' })).toBeVisible()
  await expect(page.getByText('ten thousand')).toHaveCount(0)

  await site.signIn(page)
  await page.goto(`${site.url}/admin/home`)
  await page.getByRole('link', { name: '1 report waits' }).click()
  const card = page.getByRole('listitem', { name: 'Report 1' })
  await expect(card.getByText('He said <i>ten thousand</i>.')).toBeVisible()
  await card.getByRole('button', { name: 'Decline' }).click()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expectNothingCutOff(page, `admin at ${String(size.width)} px`)
    await expectAccessible(page, `admin at ${String(size.width)} px`)
  }
  await card.getByRole('button', { name: 'Cancel' }).click()
  await page.setViewportSize(DESKTOP)
  await card.getByRole('link', { name: 'Correct it' }).click()
  await expect(page.getByLabel('Report 1: Wrong price')).toBeChecked()
  const form = page.getByRole('form', { name: 'Correct this prediction' })
  await form.getByLabel('Price as said').fill('10.000')
  await form.getByLabel('Reason').fill('He said ten thousand')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Open reports' })).toHaveCount(0)

  await page.goto(`${site.url}/reports/1`)
  await expect(page.getByText('He said <i>ten thousand</i>.')).toBeVisible()
  await expect(page.getByText('Corrected: the level from')).toBeVisible()
  for (const path of ['/reports/1', '/reports', '/corrections']) {
    await page.goto(site.url + path)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expectNothingCutOff(page, `${path} at ${String(size.width)} px`)
    }
    await expectAccessible(page, path)
  }
  await expect(page.getByRole('link', { name: 'report 1' }).first()).toBeVisible()
})

test('with a deposit the report is there once it is paid', async ({ page }) => {
  const paid = await startAdminSite({ LIGHTNING_WALLET: 'demo', REPORT_DEPOSIT_SATS: '21' })
  try {
    await open(page, `${paid.url}/predictions/mcafee-1m-2020`)
    await page.getByRole('button', { name: 'Report an error' }).click()
    const dialog = page.getByRole('dialog', { name: 'Report an error' })
    await expect(dialog.getByText('A report costs a deposit of 21 sats')).toBeVisible()
    await dialog.getByLabel('What is wrong, and what would be right?').fill('Another day.')
    await dialog.getByLabel('Source').fill('https://example.org/said')
    await dialog.getByRole('button', { name: 'Send the report' }).click()
    await expect(dialog.getByRole('button', { name: /demonstration/i })).toBeVisible()
    await expect(dialog.getByText('a deposit of 21 sats')).toBeVisible()
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expectNothingCutOff(page, `deposit at ${String(size.width)} px`)
      await expectAccessible(page, `deposit at ${String(size.width)} px`)
    }
    // Given up, everything that was typed is still there.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog.getByLabel('Source')).toHaveValue('https://example.org/said')
    await dialog.getByRole('button', { name: 'Send the report' }).click()
    await dialog.getByRole('button', { name: /demonstration/i }).click()
    // Sent once more in the same words, it is the same report.
    await expect(dialog.getByText('Thank you. This is report 1.')).toBeVisible()
    await dialog.getByRole('link', { name: 'See the report' }).click()
    await expect(page.getByText('It is open')).toBeVisible()
  } finally {
    // It may still be loading its parts, and is to miss none.
    await page.close()
    await paid.stop()
  }
})

test('on the page of a person the visitor chooses the call', async ({ page }) => {
  await open(page, `${site.url}/experts/john-mcafee`)
  await page.getByRole('button', { name: 'Report an error' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report an error' })
  await expect(dialog.getByText('John McAfee')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})
