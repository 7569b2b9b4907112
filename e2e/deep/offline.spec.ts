import { type Page } from '@playwright/test'
import { startBuiltSite } from './support/built-site.ts'
import { alive, expect, test } from './support/site.ts'

test.use({ serviceWorkers: 'allow' })

const NOTICE =
  /^You are offline, or the site cannot be reached\. Prices and verdicts are as of \d\d\/\d\d\/\d{4} \d\d:\d\d UTC\.$/

/** Waits for the worker, then clears the browser's own cache: from here on only the worker can answer. */
async function relyOnWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.clearBrowserCache')
  await devTools.detach()
}

test('pages seen before work without a network, and say how old they are', async ({
  page,
  context,
}) => {
  await page.goto('/btc')
  await alive(page)
  await relyOnWorker(page)
  // The worker serves pages from the next visit on.
  await page.reload()
  await alive(page)
  await relyOnWorker(page)
  await context.setOffline(true)
  await page.reload()
  await alive(page)
  await expect(page.getByRole('heading', { name: /Bitcoin Live Price/ })).toBeVisible()
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  await expect(page.getByText(NOTICE)).toBeVisible()
  const ground = await page.getByRole('banner').evaluate((header) => getComputedStyle(header))
  expect(ground.position).toBe('sticky')
  // Once the server can be reached again the page reloads its data, and the notice is gone.
  await context.setOffline(false)
  await expect(page.getByText(NOTICE)).toBeHidden({ timeout: 30_000 })
})

test('a page notices that the server is gone, even if the browser believes it is online', async ({
  page,
}) => {
  // Two servers are started, and the page tries to reach them a few seconds apart.
  test.setTimeout(120_000)
  const patiently = { timeout: 60_000 }
  const site = await startBuiltSite({})
  const { port } = new URL(site.url)
  let again: Awaited<ReturnType<typeof startBuiltSite>> | null = null
  try {
    await page.goto(`${site.url}/btc`)
    await alive(page)
    await relyOnWorker(page)
    await page.reload()
    await alive(page)
    await expect(page.getByText(NOTICE)).toBeHidden()
    await relyOnWorker(page)
    await site.stop()
    // The open page notices it by its live connections, and a reload shows what was kept.
    await expect(page.getByText(NOTICE)).toBeVisible(patiently)
    await page.reload()
    await alive(page)
    await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
    await expect(page.getByText(NOTICE)).toBeVisible()
    expect(await page.evaluate(() => navigator.onLine)).toBe(true)
    again = await startBuiltSite({ PORT: port })
    await expect(page.getByText(NOTICE)).toBeHidden(patiently)
  } finally {
    await (again ?? site).stop()
  }
})

test('without a network a page never opened before is replaced by one that says so, with a link to Bitcoin, which works', async ({
  page,
  context,
}) => {
  await page.goto('/methodology')
  await alive(page)
  await relyOnWorker(page)
  await context.setOffline(true)
  await page.goto('/experts/planb')
  await expect(page.getByRole('heading', { name: 'You are offline, or the site' })).toBeVisible()
  await expect(page.getByText(/as of \d\d\/\d\d\/\d{4} \d\d:\d\d UTC/)).toBeVisible()
  await page.getByRole('link', { name: 'Bitcoin predictions' }).click()
  await alive(page)
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  await expect(page.getByText(NOTICE)).toBeVisible()
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
