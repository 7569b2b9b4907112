import { expect, open, test } from './support/site.ts'

test('a visitor understands the site and goes on to the Bitcoin dashboard', async ({ page }) => {
  await open(page, '/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'The Truth About Bitcoin Predictions',
  )
  await expect(page.getByText('Predictions on record')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Live Market Intelligence' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Why Proof of Price' })).toBeVisible()
  await expect(
    page.getByText('Data collected from public sources. Updated regularly.'),
  ).toBeVisible()

  await page.getByRole('link', { name: 'Explore Bitcoin Predictions' }).first().click()
  await expect(page).toHaveURL(/\/btc$/)
  await expect(page.getByRole('heading', { name: /Bitcoin Live Price/ })).toBeVisible()
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('the finding of the day leads to the people it is about', async ({ page }) => {
  // That page waits for scores which are computed for the first time.
  await open(page, '/experts')
  const finding = await page.getByRole('heading', { name: /leads with/ }).textContent()
  await open(page, '/')
  await expect(page.getByRole('main').getByText(finding ?? '', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Calls of .* decided/ })).toHaveCount(5)
  await expect(page.getByRole('table', { name: /came true/ })).toBeVisible()
  await page.getByRole('link', { name: /^Compare all \d+ people/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: finding ?? '' })).toBeVisible()
})

test('examples can be turned by hand, stop under the pointer, and link to their page', async ({
  page,
}) => {
  await open(page, '/')
  const exhibits = page.getByRole('region', { name: 'Real predictions' })
  // During the change two are visible.
  const current = exhibits.locator('article[data-current=true]')
  await expect(current.locator('svg[role=img]:visible')).toHaveCount(1)
  const first = await current.getByRole('heading').textContent()
  await exhibits.getByRole('button', { name: /^2 of 5/ }).click()
  await expect(current.getByRole('heading')).not.toHaveText(first ?? '')
  const second = (await current.getByRole('heading').textContent()) ?? ''
  await current.getByRole('link').last().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(second)
})

test('what is going on: prices, the newest calls, the last verdicts and the next deadlines', async ({
  page,
}) => {
  await open(page, '/')
  const now = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Live Market Intelligence' }) })
  await expect(now.getByRole('link', { name: /^Bitcoin \$[\d,]+/ })).toHaveAttribute('href', '/btc')
  const list = (title: string) =>
    now
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title }) })
      .getByRole('listitem')
  for (const title of ['Newest calls', 'Latest verdicts']) await expect(list(title)).toHaveCount(5)
  await expect(
    list('Latest verdicts').getByRole('img', { name: /^(?:SUCCESS|MISS)$/ }),
  ).toHaveCount(5)
  await expect(list('Next deadlines').first()).toContainText(/ends today|days? left/)
  // The name leads to the person, the words to the call.
  const first = list('Newest calls').first()
  const name = await first.getByRole('link').first().innerText()
  const said = await first.getByRole('link').last().innerText()
  await first.getByRole('link').last().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name}: ${said}`)
  await page.goBack()
  await list('Newest calls').first().getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
})

test('the same page is at /intro, and the links of its footer work', async ({ page }) => {
  await open(page, '/intro')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The Truth About')
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/')
  for (const [name, path] of [
    ['About Us', '/about'],
    ['Terms of Service', '/terms'],
  ] as const) {
    const link = footer.getByRole('link', { name })
    await expect(link).toHaveAttribute('href', path)
    await expect(link).toHaveAttribute('target', '_blank')
  }
  // The site under test has no contact set up: no link leads nowhere.
  for (const name of ['X', 'Contact Us', 'Nostr']) {
    await expect(footer.getByRole('link', { name, exact: true })).toHaveCount(0)
  }
})

test('the pages about, terms and methodology show worked examples', async ({ page }) => {
  await open(page, '/about')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About us')
  await open(page, '/terms')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service')
  await open(page, '/methodology')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How verdicts are decided')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Bitcoin at/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/predictions\//)
})
