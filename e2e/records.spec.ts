import { expect, open, test } from './support/site.ts'

test('a prediction has its own page with verdicts, evidence, source and history', async ({
  page,
}) => {
  await open(page, '/predictions/mcafee-1m-2020')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'John McAfee: Bitcoin at $1,000,000 by 31/12/2020',
  )
  const main = page.getByRole('main')
  await expect(main.getByRole('img', { name: /^Chart\. John McAfee.*MISS\.$/ })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Intraday and by daily close' })).toBeVisible()
  await expect(main.getByText('Level compared')).toHaveCount(1)
  await expect(main.getByText(/First verdict by intraday prices/)).toBeVisible()
  await expect(main.getByRole('link', { name: /lastcryptocurrency\.com/ })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Copy link' })).toBeVisible()

  await main.getByRole('link', { name: 'See it on the BTC chart' }).click()
  await expect(page).toHaveURL(/\/btc\?on=mcafee-1m-2020/)
  await expect(page.getByText('1 prediction drawn')).toBeVisible()
})

test('a level from before a split shows both numbers', async ({ page }) => {
  await open(page, '/mstr?q=harte')
  await expect(page.getByText(/said \$[\d,]+ = \$[\d,]+ today/).first()).toBeVisible()
})

test('an expert has a record with its interval, all predictions, and a link to the chart', async ({
  page,
}) => {
  await open(page, '/experts/planb')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PlanB')
  const main = page.getByRole('main')
  await expect(main.getByText(/\d+ % to \d+ % with 95 % confidence/)).toBeVisible()
  await expect(main.getByText(/first call Feb 2020/)).toBeVisible()
  const calls = main.getByRole('region', { name: 'Predictions' }).getByRole('listitem')
  const count = await calls.count()
  expect(count).toBeGreaterThan(5)
  await main.getByRole('link', { name: 'Show on the BTC chart' }).click()
  await expect(page.getByText(`${String(count)} predictions drawn`)).toBeVisible()
})

test('the first answer has the head for search engines and previews', async ({ request }) => {
  const html = await (await request.get('/predictions/mcafee-1m-2020')).text()
  expect(html).toContain('<title>John McAfee: Bitcoin at $1,000,000 by 31/12/2020')
  expect(html).toMatch(/<link rel="canonical" href="[^"]+\/predictions\/mcafee-1m-2020">/)
  expect(html).toContain('property="og:image"')
  expect(html).toContain('name="twitter:card"')
  const jsonLd: unknown = JSON.parse(
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}',
  )
  expect(jsonLd).toMatchObject({
    '@type': 'ClaimReview',
    claimReviewed: 'Bitcoin at $1,000,000 by 31/12/2020',
    reviewRating: { alternateName: 'MISS', ratingValue: 1 },
  })
})

test('a reader without scripts sees the text of every page', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await page.goto('/btc')
  await expect(page.getByRole('heading', { name: /Bitcoin Live Price/ })).toBeVisible()
  await expect(page.getByRole('table').getByRole('rowheader')).toHaveCount(100)
  await page.goto('/predictions/mcafee-1m-2020')
  await expect(page.getByRole('img', { name: /^Chart\./ })).toBeVisible()
  await context.close()
})
