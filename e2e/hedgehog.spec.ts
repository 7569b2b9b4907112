import { expect, open, test } from './support/site.ts'

test('every call against the price: by year, by person, and as a table, all in the address', async ({
  page,
}) => {
  await open(page, '/btc')
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Bitcoin calls are decided.')

  const years = page.getByRole('group', { name: 'Calls made in' })
  await years.getByRole('button', { name: '2021' }).click()
  await expect(page).toHaveURL(/\/history\?year=2021$/)
  await expect(page.getByText(/Bitcoin calls made in 2021 are decided/)).toBeVisible()

  // A thread is found under the mouse, names its call, and a press shows all calls of that person.
  const end = page.locator('[data-strength="chosen"] circle').last()
  const box = await end.boundingBox()
  if (!box) throw new Error('no thread in view')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await expect(page.getByText(/, said on \d\d\/\d\d\/2021 at \$/)).toBeVisible()
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(page).toHaveURL(/year=2021&person=/)
  await expect(page.getByRole('link', { name: 'Full record' })).toBeVisible()

  await page.reload()
  await expect(years.getByRole('button', { name: '2021' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Show all people' }).click()
  await expect(page).toHaveURL(/\?year=2021$/)

  await page.getByText(/calls as a table$/).click()
  const rows = page.getByRole('row')
  await expect(rows.nth(1)).toContainText('2021')
  const link = rows.nth(1).getByRole('link').last()
  await link.focus()
  await expect(page.getByText(/, said on \d\d\/\d\d\/2021 at \$/)).toBeVisible()
  await link.press('Enter')
  await expect(page).toHaveURL(/\/predictions\//)
})
