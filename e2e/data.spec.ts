import { expect, open, test } from './support/site.ts'

test('the data page has every file, and each of its calls runs as it stands', async ({ page }) => {
  await expect(async () => {
    const { total } = await (await page.request.get('/api/v1/snapshots')).json()
    expect(total).toBeGreaterThan(0)
  }).toPass()
  await open(page, '/data')
  const links = await page
    .getByRole('link')
    .evaluateAll((all) =>
      all.map((link) => link.getAttribute('href') ?? '').filter((href) => /^\/data\/\d/.test(href)),
    )
  // Those of the newest snapshot, and again in the list of all.
  expect(new Set(links).size).toBe(15)
  for (const href of new Set(links)) {
    expect([href, (await page.request.head(href)).status()]).toEqual([href, 200])
  }
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'SHA256SUMS' }).first().click()
  expect((await download).suggestedFilename()).toMatch(/^SHA256SUMS/)
  const canonical = await page.locator('link[rel="canonical"]').getAttribute('href')
  const { origin } = new URL(canonical ?? '')
  const commands = await page.locator('pre code').allTextContents()
  const calls = commands.flatMap((text) => [...text.matchAll(/curl -LO? '([^']+)'/g)])
  expect(calls.length).toBeGreaterThan(8)
  for (const [, url = ''] of calls) {
    expect(url.startsWith(`${origin}/`)).toBe(true)
    expect([url, (await page.request.get(url.slice(origin.length))).status()]).toEqual([url, 200])
  }

  const dataset = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
  )
  expect(dataset).toMatchObject({ '@type': 'Dataset', license: expect.stringContaining('/by/4.0') })
  expect(dataset.distribution).toHaveLength(13)
  await page.getByText(/^verdicts\.csv \(/).click()
  await expect(page.getByText('Where the price had to go from the reference')).toBeVisible()
})
