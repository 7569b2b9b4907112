import { type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { keysRested, sharedAdminSite } from './support/admin.ts'
import { expect, test, ofAJob } from './support/site.ts'

const [BTC, MSTR] = ['/api/submissions', '/api/mstr/submissions']
const APPROVED = 'Submission approved successfully! Switch to the Approved tab to see it.'

const site = sharedAdminSite()

test.beforeEach(({ page }) => site.signIn(page))

const target = (name: string, more: object = {}): object => ({
  expert_name: name,
  price_prediction: '150,000',
  ...more,
})

const row = (page: Page, name: string): Locator => page.getByRole('row', { name: `${name}:` })
const messageOn = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).first()
const detail = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name: new RegExp(`^${name}:`) })
const sendOf = (dialog: Locator): Locator =>
  dialog.locator('form').getByRole('button', { name: /^Approve/ })

async function openList(page: Page, path: string, name: string): Promise<void> {
  await page.goto(site.url + path)
  await expect(row(page, name)).toBeVisible()
}

async function approve(page: Page, name: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: /^Approve/ })
    .click()
  const dialog = detail(page, name)
  await expect(sendOf(dialog)).toHaveAttribute('aria-disabled', 'false')
  await sendOf(dialog).click()
  await expect(dialog).toHaveCount(0)
  await expect(messageOn(page, `${APPROVED} (${name})`)).toBeVisible()
}

/** Waits until this many predictions of a person are public. @param asset empty, or `mstr/` */
async function expectPublished(name: string, count: number, asset = ''): Promise<void> {
  const published = async (): Promise<number> => {
    const text = await (await fetch(`${site.url}/api/${asset}predictions`)).text()
    return text.split(`"name":"${name}"`).length - 1
  }
  await expect.poll(published, ofAJob()).toBe(count)
}

test('submissions are approved, undone, edited and rejected by keyboard', async ({ page }) => {
  await site.submit(BTC, target('Keyed Teller', { prediction_made: '2026-01-05' }))
  const range = { prediction_type: 'range', price_min: '80.000', price_max: '120.000' }
  await site.submit(BTC, { ...target('Keyed Reader'), ...range })
  for (const spam of ['Keyed One', 'Keyed Two']) await site.submit(BTC, target(spam))
  await openList(page, '/admin/dashboard?q=keyed', 'Keyed Teller')
  await expectAccessible(page, 'list', { within: 'main' })

  await page.keyboard.press('j')
  await expect(row(page, 'Keyed Reader')).toBeFocused()
  await page.keyboard.press('k')
  await expect(row(page, 'Keyed Teller')).toBeFocused()
  await page.keyboard.press('a')
  const first = detail(page, 'Keyed Teller')
  await expect(first.getByText('Intraday')).toBeVisible()
  await expect(first.getByRole('img').first()).toBeVisible()
  await expect(first.getByText('Creates a new influencer: Keyed Teller.').first()).toBeVisible()
  await expect(sendOf(first)).toBeFocused()
  await expect(sendOf(first)).toHaveAttribute('aria-disabled', 'false')
  await expectAccessible(page, 'approve', { within: '[role=dialog]' })
  await page.keyboard.press('Enter')
  await expect(messageOn(page, APPROVED)).toBeVisible()
  await expect(row(page, 'Keyed Teller')).toHaveCount(0)
  await expect(row(page, 'Keyed Reader')).toBeFocused()
  // Before anything else, as undo is offered for only ten seconds.
  await keysRested(page)
  await page.keyboard.press('z')
  await expect(row(page, 'Keyed Teller')).toBeVisible()
  await expectPublished('Keyed Teller', 0)

  // Edited: the parsed number is shown before it is saved.
  await row(page, 'Keyed Reader').focus()
  await page.keyboard.press('a')
  const second = detail(page, 'Keyed Reader')
  await expect(sendOf(second)).toBeFocused()
  await page.keyboard.press('e')
  await expect(second.getByLabel('Expert name')).toBeFocused()
  await second.getByLabel('Maximum price').fill('130.000')
  await expect(second.getByText('read as $130,000')).toBeVisible()
  await expectAccessible(page, 'edit', { within: '[role=dialog]' })
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(second.getByText('Data saved successfully!')).toBeVisible()
  await expect(page.getByRole('dialog', { name: /\$80,000 [–-] \$130,000/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(second).toHaveCount(0)

  // Rejects one with a reason, then two together.
  await keysRested(page)
  await row(page, 'Keyed Reader').focus()
  await page.keyboard.press('r')
  await expect(page.getByLabel('Reason')).toBeVisible()
  // Text that begins with a digit is a free-text reason, and its letters are not shortcuts.
  await page.keyboard.type('3 others said this, e.g. j')
  await expect(page.getByLabel('Reason')).toHaveValue('3 others said this, e.g. j')
  await page.keyboard.press('Control+Enter')
  await expect(messageOn(page, 'Submission rejected successfully!')).toBeVisible()
  await keysRested(page)
  await row(page, 'Keyed One').focus()
  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByLabel('Reason')).toBeVisible()
  await page.keyboard.press('1')
  await page.keyboard.press('Control+Enter')
  await expect(messageOn(page, '2 submissions rejected.')).toBeVisible()
  await page.getByRole('tab', { name: /^Rejected/ }).click()
  await expect(row(page, 'Keyed Reader')).toBeVisible()
  await expect(row(page, 'Keyed Reader').getByRole('button', { name: /^Approve/ })).toHaveCount(0)

  await site.submit(MSTR, target('Keyed Seer', { price_prediction: '600' }))
  await openList(page, '/admin/mstr?q=keyed', 'Keyed Seer')
  await expect(page.getByRole('columnheader', { name: 'MSTR Price Prediction' })).toBeVisible()
  await approve(page, 'Keyed Seer')
  await expectPublished('Keyed Seer', 1, 'mstr/')
})
