import { expect, open, test } from './support/site.ts'

test('from the experts to the card of a year, to its neighbours and to a person', async ({
  page,
}) => {
  await open(page, '/experts')
  await page.getByRole('link', { name: 'Year by year' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Calls year by year')
  await page
    .getByRole('table', { name: /^Bitcoin/ })
    .getByRole('link', { name: '2025' })
    .click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('Bitcoin calls due in 2025 came true. Luck expects')
  await expect(page).toHaveURL(/\/years\/2025$/)
  await expect(page.getByRole('heading', { name: 'Loudest consensus' })).toBeVisible()

  const places = page.getByRole('navigation', { name: 'Years and assets' })
  await places.getByRole('link', { name: 'MSTR 2025' }).click()
  await expect(heading).toContainText('Strategy calls due in 2025')
  await expect(page).toHaveURL(/\/years\/2025\/mstr$/)
  await places.getByRole('link', { name: '2026 →' }).click()
  await expect(heading).toContainText('due so far in 2026')
  await places.getByRole('link', { name: 'BTC 2026' }).click()
  await expect(page.getByRole('heading', { name: 'Still open' })).toBeVisible()
  await page.goBack()
  await expect(heading).toContainText('Strategy calls')

  await open(page, '/years/2025')
  for (const [name, type] of [
    ['Picture as PNG', 'image/png'],
    ['as SVG', 'image/svg+xml; charset=utf-8'],
  ] as const) {
    const picture = page.getByRole('link', { name, exact: true })
    const answer = await page.request.get((await picture.getAttribute('href')) ?? '')
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, type])
  }
  const marks = page.getByRole('group', { name: /^Calls of 2025/ }).getByRole('link')
  await marks.first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/predictions\//)
})
