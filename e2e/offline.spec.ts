import { alive, expect, test } from './support/site.ts'

test.use({ serviceWorkers: 'allow' })

test('what was seen is there without a network, and says as of when', async ({ page, context }) => {
  await page.goto('/btc')
  await alive(page)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  // The worker takes pages into its care from the next visit on.
  await page.reload()
  await alive(page)
  await context.setOffline(true)
  await page.reload()
  await alive(page)
  await expect(page.getByRole('heading', { name: /Bitcoin Live Price/ })).toBeVisible()
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  await expect(
    page.getByText(/You are offline\..*as of \d\d\/\d\d\/\d{4} \d\d:\d\d UTC/),
  ).toBeVisible()
})

test('the site can be installed', async ({ request }) => {
  const manifest: unknown = await (await request.get('/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ name: 'Proof of Price', display: 'standalone' })
  for (const path of ['/icons/icon-192.png', '/icons/icon-512.png', '/icons/maskable-512.png']) {
    const response = await request.get(path)
    expect(response.headers()['content-type']).toBe('image/png')
  }
})
