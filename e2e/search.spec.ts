import { expect, open, test } from './support/site.ts'

test('search opens with a key on every page, finds people, levels and years, and leads there by keyboard', async ({
  page,
}) => {
  await open(page, '/methodology')
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const field = dialog.getByRole('combobox', { name: 'Person, level or year' })
  await expect(field).toBeFocused()
  await field.fill('saylor')
  const first = dialog.getByRole('option').first()
  await expect(first).toContainText('Michael Saylor')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await field.press('ArrowDown')
  await expect(dialog.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
  await field.press('ArrowUp')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/experts\/michael-saylor$/)
  await expect(dialog).toBeHidden()

  await page.keyboard.press('Control+k')
  await field.fill('nobody at all')
  await expect(dialog.getByRole('status')).toHaveText('Nothing found for “nobody at all”.')
  await field.fill('$150,000')
  await expect(dialog.getByRole('option').first()).toContainText('$150,000')
  await field.fill('2026')
  await expect(dialog.getByRole('group', { name: /^Predictions due in 2026/ })).toBeVisible()
  await dialog.getByRole('option', { name: /^Bitcoin predictions for 2026/ }).click()
  await expect(page).toHaveURL(/\/years\/2026$/)

  // In a field, a slash is a slash.
  await open(page, '/btc')
  const find = page.getByRole('searchbox').first()
  await find.press('/')
  await expect(find).toHaveValue('/')
  await expect(dialog).toBeHidden()
})

test('a search that cannot reach the server says so and is tried again', async ({ page }) => {
  await open(page, '/experts')
  await page.route('**/api/v1/search*', (route) => route.abort())
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill('planb')
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
  await page.unroute('**/api/v1/search*')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('option').first()).toContainText('PlanB')
})

test('Enter before the answer of a search is there leads to what it finds first', async ({
  page,
}) => {
  await open(page, '/experts')
  let answer = (): void => undefined
  const entered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/search*', async (route) => {
    await entered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')
  await expect(field).toBeFocused()
  await field.fill('planb')
  await field.press('Enter')
  answer()
  await expect(page).toHaveURL(/\/experts\/planb$/)
})

test('a page that comes late leaves the keys to the search that was opened meanwhile', async ({
  page,
}) => {
  await open(page, '/experts')
  let answer = (): void => undefined
  const opened = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/page*', async (route) => {
    await opened
    await route.continue()
  })
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')
  await expect(field).toBeFocused()
  answer()
  await expect(page).toHaveTitle(/against the price/)
  await expect(field).toBeFocused()
})
