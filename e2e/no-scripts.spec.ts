import { type Browser } from '@playwright/test'
import { DESKTOP, PHONE, TABLET } from './support/accessible.ts'
import { expect, test } from './support/site.ts'

const PAGES = [
  '/',
  '/btc',
  '/btc?day=2020-03-12',
  '/mstr',
  '/naka',
  '/experts',
  '/experts/planb',
  '/predictions/mcafee-1m-2020',
  '/history',
  '/years',
  '/years/2021',
  '/methodology',
  '/data',
  '/corrections',
  '/about',
  '/terms',
  '/receipt/unknown',
  '/confirm/unknown',
  '/nowhere',
]

async function pageWithoutScripts(
  browser: Browser,
  baseURL: string | undefined,
  viewport: { width: number; height: number },
) {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport,
    baseURL: baseURL ?? '',
  })
  return context.newPage()
}

test('without scripts a dashboard shows a picture of its chart instead', async ({
  browser,
  baseURL,
}) => {
  for (const [size, across] of [
    [DESKTOP, 960],
    [TABLET, 960],
    [PHONE, 390],
  ] as const) {
    const page = await pageWithoutScripts(browser, baseURL, size)
    await page.goto('/btc')
    const picture = page.locator('noscript img')
    await expect(picture).toBeVisible()
    expect(await picture.getAttribute('alt')).toMatch(/^Chart of the Bitcoin price/)
    // What was loaded is laid out for this screen and fills it.
    expect(
      await picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth),
    ).toBe(across)
    const box = await picture.boundingBox()
    expect(box?.width).toBeGreaterThan(size.width * 0.65)
    expect(await page.locator('figcaption').textContent()).toContain('JavaScript is off')
    await expect(page.getByText(/predictions drawn/)).toBeHidden()
    await expect(page.getByText(/on the chart$/)).toBeHidden()
    await page.context().close()
  }
})

test('without scripts there is no control that nothing would answer', async ({
  browser,
  baseURL,
}) => {
  for (const size of [DESKTOP, TABLET, PHONE]) {
    const page = await pageWithoutScripts(browser, baseURL, size)
    for (const path of PAGES) {
      await page.goto(path)
      const controls = page.locator('button, input, select, textarea, label, [tabindex="0"]')
      expect(await controls.count(), path).toBeGreaterThan(0)
      const dead = await controls.evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          // A frame that scrolls answers the arrow keys.
          .filter((one) => !/^(?:auto|scroll)$/.test(getComputedStyle(one).overflowX))
          .map((one) => one.outerHTML),
      )
      expect(dead, `${path} at ${String(size.width)} px`).toEqual([])
      // The other places can be reached from each page.
      await expect(page.getByRole('banner').getByRole('link', { name: 'MSTR' })).toBeVisible()
    }
    await page.context().close()
  }
})

test('without scripts cards and heads of columns are text, and what only scripts load says so', async ({
  browser,
  baseURL,
}) => {
  const page = await pageWithoutScripts(browser, baseURL, DESKTOP)
  await page.goto('/btc')
  await expect(page.locator('th').getByText('Expert', { exact: true })).toBeVisible()
  const card = page.getByRole('list', { name: 'BTC predictions' }).getByRole('listitem').first()
  await expect(card.getByText(/\$\d/).first()).toBeVisible()
  await expect(card.getByRole('link', { name: /^Details/ })).toBeVisible()
  for (const path of ['/receipt/unknown', '/confirm/unknown']) {
    await page.goto(path)
    expect(await page.locator('noscript p').first().textContent()).toContain('needs JavaScript')
    await expect(page.getByRole('status')).toBeHidden()
  }
  await page.context().close()
})
