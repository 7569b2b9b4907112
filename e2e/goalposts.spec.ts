import { sharedAdminSite } from './support/admin.ts'
import { expect, test } from './support/site.ts'

const site = sharedAdminSite()

test('a moved deadline is confirmed by key, undone and dismissed, visibly to visitors', async ({
  page,
  context,
}) => {
  const pair = page.getByRole('row', { name: /^Peter Brandt: BTC \$200,000/ })
  const chip = (name: RegExp) =>
    page.getByRole('group', { name: 'Pairs by state' }).getByRole('button', { name })
  const toast = (text: string) =>
    page.getByRole('region', { name: 'Notifications' }).getByText(text)
  const visitor = await context.newPage()
  await visitor.goto(`${site.url}/experts/peter-brandt`)
  const calls = visitor.getByRole('list', { name: 'Calls for $200,000' })
  await expect(calls.getByRole('listitem')).toHaveCount(2)
  await expect(visitor.getByText('$200,000: moved by 3 years and 9 months')).toBeVisible()
  const unchecked = visitor.getByText('Looks like a moved goalpost; not reviewed yet.')
  await expect(unchecked).toBeVisible()

  await site.signIn(page)
  await page.goto(`${site.url}/admin/goalposts`)
  await expect(pair).toContainText('Bitcoin at $200,000 by')
  const suggested = (await chip(/^Suggested/).textContent()) ?? ''
  // By keys, from the focused pair; the next one gets the focus.
  await pair.focus()
  await page.keyboard.press('c')
  await expect(toast('Confirmed: the page of the person shows it as checked.')).toBeVisible()
  await expect(pair).toHaveCount(0)
  await expect(page.locator('[data-row]:focus')).toHaveCount(1)
  await expect(chip(/^Confirmed/)).toContainText('1')
  await visitor.reload()
  await expect(visitor.getByText('Checked by a person.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(pair).toBeVisible()
  await expect(chip(/^Suggested/)).toHaveText(suggested)
  await pair.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast('Dismissed: no page shows it any more.')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Predictions' })).toBeVisible()
  await expect(calls).toHaveCount(0)
  await chip(/^Dismissed/).click()
  await expect(pair).toContainText('first-admin')
  await pair.getByRole('button', { name: 'Back to suggested' }).click()
  await expect(page.getByText('No matching pairs.')).toBeVisible()
})
