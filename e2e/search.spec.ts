import { expectAccessible } from './support/accessible.ts'
import { alive, expect, open, test } from './support/site.ts'

test('search opens with a key, finds people, levels and years, and leads there; Back skips it', async ({
  page,
}) => {
  await open(page, '/methodology')
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const field = dialog.getByRole('combobox', { name: 'Person, level, year or page' })
  await expect(field).toBeFocused()
  await expect(page).toHaveURL(/\/methodology#search$/)
  await page.route('**/api/v1/search*', (route) => route.abort())
  await field.fill('saylor')
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
  await page.unroute('**/api/v1/search*')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  const first = dialog.getByRole('option').first()
  await expect(first).toContainText('Michael Saylor')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page, 'search', { within: '[role=dialog]' })
  await field.press('ArrowDown')
  await expect(dialog.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
  await field.press('ArrowUp')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/experts\/michael-saylor$/)
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(/\/methodology$/)
  await expect(dialog).toBeHidden()

  // What is typed while its code is on the way is typed into it.
  let arrive = (): void => undefined
  const code = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/search-dialog*.js', async (route) => {
    await code
    await route.continue()
  })
  await page.reload()
  await alive(page)
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/#search$/)
  await page.keyboard.press('/')
  await page.keyboard.type('tim x')
  await page.keyboard.press('Backspace')
  arrive()
  await page.keyboard.type('draper')
  await expect(field).toHaveValue('tim draper')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)

  await field.fill('250k')
  await expect(dialog.getByRole('option')).toHaveCount(8)
  await dialog.getByRole('button', { name: 'Show all results' }).click()
  await expect.poll(() => dialog.getByRole('option').count()).toBeGreaterThan(8)
  await expect(field).toBeFocused()
  await field.fill('nobody at all')
  await expect(dialog.getByRole('status')).toHaveText('Nothing found for “nobody at all”.')
  await field.fill('$150,000')
  await expect(first).toContainText('$150,000')
  // Enter before the answer is there leads to what is found first.
  let answer = (): void => undefined
  const entered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/search*', async (route) => {
    await entered
    await route.continue()
  })
  await field.fill('planb')
  await field.press('Enter')
  answer()
  await expect(page).toHaveURL(/\/experts\/planb$/)
})
