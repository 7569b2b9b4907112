import { type Page } from '@playwright/test'
import { alive, expect, test } from './support/site.ts'

test.use({ serviceWorkers: 'allow' })

/** Waits for the worker, then forgets all that the browser itself kept: only the worker can answer from here on. */
async function relyOnWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.clearBrowserCache')
  await devTools.detach()
}

test('what was seen is there without a network, and says as of when', async ({ page, context }) => {
  await page.goto('/btc')
  await alive(page)
  await relyOnWorker(page)
  // The worker takes pages into its care from the next visit on.
  await page.reload()
  await alive(page)
  await relyOnWorker(page)
  await context.setOffline(true)
  await page.reload()
  await alive(page)
  await expect(page.getByRole('heading', { name: /Bitcoin Live Price/ })).toBeVisible()
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  await expect(
    page.getByText(/You are offline\..*as of \d\d\/\d\d\/\d{4} \d\d:\d\d UTC/),
  ).toBeVisible()
  const ground = await page.getByRole('banner').evaluate((header) => getComputedStyle(header))
  expect(ground.position).toBe('sticky')
})

test('without a network a page never seen gives way to one that says so, and Bitcoin is there', async ({
  page,
  context,
}) => {
  await page.goto('/methodology')
  await alive(page)
  await relyOnWorker(page)
  await context.setOffline(true)
  await page.goto('/experts/planb')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expect(page.getByText(/as of \d\d\/\d\d\/\d{4} \d\d:\d\d UTC/)).toBeVisible()
  await page.getByRole('link', { name: 'Bitcoin predictions' }).click()
  await alive(page)
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  await expect(page.getByText(/You are offline\./)).toBeVisible()
})

test('the worker keeps every script and style sheet that a page asks for', async ({ request }) => {
  const worker = await (await request.get('/sw.js')).text()
  for (const path of ['/', '/btc', '/predictions/mcafee-1m-2020', '/offline.html']) {
    const html = await (await request.get(path)).text()
    const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? []
    const asked = tags
      .filter((tag) => /<script|rel="(?:stylesheet|modulepreload|preload|icon|manifest)"/.test(tag))
      .flatMap((tag) => /(?:src|href)="(\/[^"]*)"/.exec(tag)?.[1] ?? [])
    expect(asked.some((file) => file.endsWith('.css'))).toBe(true)
    for (const file of asked) expect(worker, `${path} asks for ${file}`).toContain(`"${file}"`)
  }
})

test('the site can be installed', async ({ request }) => {
  const manifest: unknown = await (await request.get('/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ name: 'Proof of Price', display: 'standalone' })
  for (const path of ['/icons/icon-192.png', '/icons/icon-512.png', '/icons/maskable-512.png']) {
    const response = await request.get(path)
    expect(response.headers()['content-type']).toBe('image/png')
  }
})
