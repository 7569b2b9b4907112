import { startBuiltSite, type BuiltSite } from '../support/built-site.ts'
import { alive, expect, test } from '../support/site.ts'

test.use({ serviceWorkers: 'allow' })

const NOTICE =
  /^You are offline, or the site cannot be reached\. Prices and verdicts are as of \d\d\/\d\d\/\d{4} \d\d:\d\d UTC\.$/

test('a page notices that the server is gone, even if the browser believes it is online', async ({
  page,
}) => {
  // Two servers are started, and the page tries to reach them a few seconds apart.
  test.setTimeout(180_000)
  const patiently = { timeout: 60_000 }
  // On its own database, as on an operator's computer.
  const site = await startBuiltSite({ DATABASE_URL: '' })
  const { port } = new URL(site.url)
  let again: BuiltSite | null = null
  const visit = async (): Promise<void> => {
    await page.goto(`${site.url}/btc`)
    await alive(page)
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Network.clearBrowserCache')
    await devTools.detach()
  }
  try {
    await visit()
    await visit()
    await expect(page.getByText(NOTICE)).toBeHidden()
    await site.stop()
    // The open page notices it by its live connections, and a reload shows cached content.
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
