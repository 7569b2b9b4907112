import { expectAccessible } from './support/accessible.ts'
import { sharedAdminSite } from './support/admin.ts'
import { expect, open, test, ofAJob } from './support/site.ts'

const site = sharedAdminSite()

test('a visitor reports an error, an administrator corrects it, and both pages say so', async ({
  page,
}) => {
  const id = await site.publish({
    expert_name: 'Rita Reported',
    price_prediction: '150,000',
  })
  const path = `${site.url}/predictions/${id}`
  await expect.poll(async () => (await page.request.get(path)).status(), ofAJob()).toBe(200)
  await open(page, path)
  await page.getByRole('button', { name: 'Report an error' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report an error' })
  await dialog.getByLabel('Kind of error').selectOption('Wrong price')
  // A missing value is reported at its field, which gets the focus.
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  const words = dialog.getByLabel('What is wrong, and what would be right?')
  await expect(words).toBeFocused()
  await expect(dialog.getByText('Please enter the address of a public page')).toBeVisible()
  await expectAccessible(page, 'report', { within: '[role=dialog]' })
  await words.fill('She said <i>ten thousand</i>.')
  await dialog.getByLabel('Source').fill('https://example.org/said')
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  const thanks = dialog.getByText(/^Thank you\. This is report \d+\./)
  await expect(thanks).toBeVisible()
  const number = /\d+/.exec((await thanks.textContent()) ?? '')?.[0] ?? ''
  await dialog.getByRole('link', { name: 'See the report' }).click()
  await expect(page.getByRole('heading', { name: `Report ${number}` })).toBeVisible()
  await expect(page.getByText('ten thousand')).toHaveCount(0)

  await site.signIn(page)
  await page.goto(`${site.url}/admin/home`)
  await page.getByRole('link', { name: /\d+ reports? (?:is|are) waiting/ }).click()
  await page.getByRole('button', { name: `Report ${number}: Wrong price` }).click()
  const card = page.getByRole('region', { name: 'Details' })
  await expect(card.getByText('She said <i>ten thousand</i>.')).toBeVisible()
  await card.getByRole('button', { name: 'Decline' }).click()
  await expectAccessible(page, 'a report that is declined', { within: 'main' })
  await card.getByRole('button', { name: 'Cancel' }).click()
  await card.getByRole('link', { name: 'Correct it' }).click()
  await expect(page.getByLabel(`Report ${number}: Wrong price`)).toBeChecked()
  const form = page.getByRole('form', { name: 'Correct this prediction' })
  await form.getByLabel('Price as said').fill('210.000')
  await form.getByLabel('Reason').fill('She said more')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Open reports' })).toHaveCount(0)

  await page.goto(`${site.url}/reports/${number}`)
  await expect(page.getByText('She said <i>ten thousand</i>.')).toBeVisible()
  await expect(page.getByText('Corrected: the level from')).toBeVisible()
  await expectAccessible(page, 'a report', { within: 'main' })
  await page.goto(`${site.url}/reports`)
  await expectAccessible(page, 'all reports', { within: 'main' })
  await page.goto(`${site.url}/corrections`)
  await expect(page.getByRole('link', { name: `report ${number}` }).first()).toBeVisible()
})
