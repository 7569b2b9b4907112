import { expectAccessible } from './support/accessible.ts'
import { expect, open, test } from './support/site.ts'

test('a visitor understands the site and goes on to its people, its calls and the Bitcoin dashboard', async ({
  page,
}) => {
  await open(page, '/')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('The Truth About Bitcoin Predictions')
  // It fades from one call to the next, and half-faded text has no contrast to measure.
  await page.getByRole('button', { name: 'Pause' }).click()
  await expectAccessible(page, '/')

  // The finding of the day leads to the people it is about.
  const finding = page.getByRole('main').getByText(/people with five or more comparable calls/)
  const words = (await finding.first().textContent()) ?? ''
  await expect(page.getByRole('img', { name: /^Calls of .* decided/ })).toHaveCount(5)
  await expect(page.getByRole('table', { name: /came true/ })).toBeVisible()
  await page.getByRole('link', { name: /^Compare all \d+ people/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible()
  await page.goBack()

  // Examples are turned by hand and link to their page. During the change two are visible.
  const current = page
    .getByRole('region', { name: 'Real predictions' })
    .locator('[data-current=true]')
  await expect(current.locator('svg[role=img]:visible')).toHaveCount(1)
  const first = await current.getByRole('heading').textContent()
  await page.getByRole('button', { name: /^2 of 5/ }).click()
  await expect(current.getByRole('heading')).not.toHaveText(first ?? '')
  await expect(current.locator('svg[role=img]:visible')).toHaveCount(1)
  const second = (await current.getByRole('heading').textContent()) ?? ''
  await current.getByRole('link').last().click()
  await expect(heading).toHaveText(second)
  await page.goBack()

  // What is going on: the name leads to the person, the words to the call.
  const list = (title: string) =>
    page
      .locator('section section')
      .filter({ has: page.getByRole('heading', { name: title }) })
      .getByRole('listitem')
  await expect(list('Newest calls')).toHaveCount(5)
  const verdicts = list('Latest verdicts').getByRole('img', { name: /^(?:SUCCESS|MISS)$/ })
  await expect(verdicts).toHaveCount(5)
  await expect(list('Next deadlines').first()).toContainText(/ends today|days? left/)
  const links = list('Newest calls').first().getByRole('link')
  const [name, said] = [await links.first().innerText(), await links.last().innerText()]
  await links.last().click()
  await expect(heading).toHaveText(`${name}: ${said}`)
  await page.goBack()

  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: 'About Us' })).toHaveAttribute('target', '_blank')
  // No contact is set up: no link leads nowhere.
  await expect(footer.getByRole('link', { name: /^(?:X|Contact Us|Nostr)$/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Explore Bitcoin Predictions' }).first().click()
  await expect(page).toHaveURL(/\/btc$/)
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})
