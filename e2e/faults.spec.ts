import { type Page } from '@playwright/test'
import { alive, drawn, expect, open, test, ofAJob } from './support/site.ts'

test.describe('with the worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('without a network, cached pages state their age, others link to them, and the site can be installed', async ({
    page,
    context,
    request,
  }) => {
    const notice =
      /^You are offline, or the site cannot be reached\. Prices and verdicts are as of \d\d\/\d\d\/\d{4} \d\d:\d\d UTC\.$/
    await open(page, '/btc')
    await relyOnWorker(page)
    // The worker serves pages from the next visit on.
    await page.reload()
    await alive(page)
    await relyOnWorker(page)
    await context.setOffline(true)
    await page.reload()
    await alive(page)
    await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
    await expect(page.getByText(notice)).toBeVisible()
    await expect(page.getByRole('banner')).toHaveCSS('position', 'sticky')
    await page.goto('/experts/planb')
    await expect(page.getByRole('heading', { name: 'You are offline, or the site' })).toBeVisible()
    await page.getByRole('link', { name: 'Bitcoin predictions' }).click()
    await alive(page)
    await expect(page.getByText(notice)).toBeVisible()
    // Once the server is reachable again the page reloads its data, and the notice disappears.
    await context.setOffline(false)
    await expect(page.getByText(notice)).toBeHidden(ofAJob())

    const worker = await (await request.get('/sw.js')).text()
    for (const path of ['/', '/btc', '/predictions/mcafee-1m-2020', '/offline.html']) {
      const html = await (await request.get(path)).text()
      const requested = (html.match(/<(?:script|link)\b[^>]*>/g) ?? [])
        .filter(
          (tag) =>
            /<script|rel="(?:stylesheet|modulepreload|preload|icon|manifest)"/.test(tag) &&
            !tag.includes('as="fetch"'),
        )
        .flatMap((tag) => /(?:src|href)="(\/[^"]*)"/.exec(tag)?.[1] ?? [])
      expect(requested.some((file) => file.endsWith('.css'))).toBe(true)
      for (const file of requested)
        expect(worker, `${path} asks for ${file}`).toContain(`"${file}"`)
    }
    const manifest: unknown = await (await request.get('/manifest.webmanifest')).json()
    expect(manifest).toMatchObject({ name: 'Proof of Price', display: 'standalone' })
    for (const name of ['icon-192', 'icon-512', 'maskable-512']) {
      const { 'content-type': type } = (await request.get(`/icons/${name}.png`)).headers()
      expect([name, type]).toEqual([name, 'image/png'])
    }
  })
})

/** Waits for the worker, then clears the browser's own cache, so that only the worker can answer. */
async function relyOnWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.clearBrowserCache')
  await devTools.detach()
}

/** Like a translator, wraps or replaces all text nodes. */
async function translate(page: Page, keep: boolean): Promise<void> {
  await page.evaluate((keep) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const all: Text[] = []
    while (texts.nextNode()) all.push(texts.currentNode as Text)
    for (const text of all) {
      const isNone =
        text.parentElement?.closest('script, style, font, svg') ?? text.data.trim() === ''
      if (isNone) continue
      const outer = document.createElement('font')
      text.replaceWith(outer)
      const inner = outer.appendChild(document.createElement('font'))
      inner.append(keep ? text : text.data)
    }
  }, keep)
}

const READ = ['/experts/planb', '/predictions/mcafee-1m-2020']
/** A page with few predictions, as it is drawn repeatedly. */
const BTC = '/btc?experts=planb'

test('a page works translated and in high contrast, and reports a server that is down, broken or partly failing', async ({
  page,
}) => {
  for (const [n, path] of READ.entries()) {
    await open(page, path)
    // Wait until the parts that are hydrated later are interactive, too.
    await page.waitForLoadState('networkidle')
    const controls = page.locator(
      'main :is([aria-pressed], th button, summary, [role="tab"]):visible',
    )
    await translate(page, n % 2 === 0)
    const control = controls.nth(n % 2)
    if ((await control.count()) > 0 && (await control.isEnabled())) await control.click()
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill('100k')
    await translate(page, n % 2 === 0)
    await dialog.getByRole('combobox').fill('planb')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('This page broke')).toHaveCount(0)
  }

  await open(page, BTC)
  await page.waitForLoadState('networkidle')
  for (const keep of [true, false]) {
    for (const name of [/^Miss/, /^Success/, /^All/]) {
      await translate(page, keep)
      const chip = page.locator('main').getByRole('button', { name }).first()
      await chip.click()
      await expect(chip).toHaveAttribute('aria-pressed', 'true')
      const count = /\d+/.exec((await chip.textContent()) ?? '')?.[0] ?? ''
      await expect(page.getByText(new RegExp(`^${count} of \\d+ on the chart`))).toBeVisible()
    }
  }

  // Choices and call outcomes can be distinguished.
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, BTC)
  const main = page.getByRole('main')
  await drawn(page)
  // Read at once, as cards that load become pressed a little later.
  const looks = await main
    .locator('[aria-pressed]:visible')
    .evaluateAll((all) =>
      all.map((one) => [one.ariaPressed, getComputedStyle(one).backgroundColor] as const),
    )
  const coloursOf = (state: string) =>
    new Set(looks.filter(([pressed]) => pressed === state).map(([, colour]) => colour))
  const [pressed, others] = [coloursOf('true'), coloursOf('false')]
  expect([pressed.size, others.size > 0]).toEqual([1, true])
  expect([...others].filter((colour) => pressed.has(colour))).toEqual([])
  const discs = main.locator('[data-outcome] svg circle')
  await expect(discs.first()).toHaveCSS('fill', 'none')
  await page.emulateMedia({ forcedColors: 'none' })

  await open(page, '/about')
  await page.route('**/api/v1/assets/mstr/**', (route) => route.abort())
  await page.route('**/api/v1/page**', (route) => route.abort())
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'MSTR' }).click()
  await expect(page.getByText('Failed to fetch MSTR data')).toBeVisible()
  await page.unroute('**/api/v1/assets/mstr/**')
  await page.getByRole('alert').filter({ hasText: 'Failed to fetch' }).getByRole('button').click()
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  await header.getByRole('link', { name: 'Proof of Price' }).click()
  await expect(page.getByText('This page could not be loaded')).toBeVisible()
  await page.unroute('**/api/v1/page**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The Truth About')

  await open(page, '/about')
  await page.route('**/api/v1/assets/mstr/dashboard*', (route) =>
    route.fulfill({ json: { success: true, data: [{ id: 7, price: '<b>' }] } }),
  )
  await header.getByRole('link', { name: 'MSTR' }).click()
  await expect(page.getByText('MSTR predictions could not be loaded')).toBeAttached()

  const parts = '**/assets/{payment-notes,submit-dialog,open-targets}-*'
  await page.route(parts, (route) => route.abort())
  await page.addInitScript(() => {
    // A begun submission; its content does not matter, as the note is not loaded.
    localStorage.setItem('own-submissions', '[{}]')
  })
  // React reports errors caught by a boundary in the console.
  const caught = page.waitForEvent('console', (message) => message.text().includes('payment-notes'))
  await open(page, '/btc')
  await caught
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page.getByRole('alert')).toHaveText('Open targets could not be loaded.')
  await page.getByRole('button', { name: 'Open targets' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  const submit = page.getByRole('banner').getByRole('button', { name: 'Submit Prediction' })
  await submit.click()
  await expect(page.getByText('The form could not be loaded.', { exact: false })).toBeVisible()
  await expect(page.getByTestId('price-chart')).toBeVisible()
  await page.unroute(parts)
  await page.getByRole('button', { name: 'Load the page again' }).click()
  await expect(page.getByRole('dialog', { name: /^Submit .* Prediction$/ })).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  const PAGES = [
    '/',
    '/experts',
    '/experts/planb',
    '/predictions/mcafee-1m-2020',
    '/history',
    '/years/2021',
    '/data',
    '/receipt/unknown',
    '/confirm/unknown',
    '/nowhere',
  ]

  test('without scripts every page is readable, a picture replaces the chart, and no control is dead', async ({
    page,
  }) => {
    for (const [path, elements, bytes] of [
      ['/', 1_500, 110_000],
      ['/btc', 1_500, 150_000],
      ['/history', 900, 120_000],
    ] as const) {
      await page.goto(path)
      expect(await page.locator('*').count(), path).toBeLessThan(elements)
      expect((await page.content()).length, path).toBeLessThan(bytes)
    }
    // The table of calls needs scripts.
    await page.getByText(/calls as a table$/).click()
    await expect(page.getByRole('link', { name: /calls as CSV$/ })).toBeVisible()
    await page.goto('/btc?status=miss')
    await expect(page.getByRole('table').getByRole('rowheader').first()).toBeVisible()
    const picture = page.locator('noscript img')
    await expect(picture).toHaveAttribute('alt', /^Chart of the Bitcoin price/)
    // The content that has loaded is laid out for this screen and fills it.
    const width = () =>
      picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)
    await expect.poll(width).toBe(960)
    expect((await picture.boundingBox())?.width).toBeGreaterThan(900)
    await expect(page.locator('figcaption')).toContainText('JavaScript is off')
    await expect(page.locator('th').getByText('Expert', { exact: true })).toBeVisible()
    const card = page.getByRole('list', { name: 'BTC predictions' }).getByRole('listitem').first()
    await expect(card.getByRole('link', { name: /^Details/ })).toBeVisible()
    await page.getByText('Download and cite').click()
    await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute(
      'href',
      '/btc.csv?status=miss',
    )
    for (const path of ['/btc', ...PAGES]) {
      await page.goto(path)
      const controls = page.locator('button, input, select, textarea, label, [tabindex="0"]')
      const dead = await controls.evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          // A frame that scrolls answers the arrow keys.
          .filter((one) => !/^(?:auto|scroll)$/.test(getComputedStyle(one).overflowX))
          .map((one) => one.outerHTML),
      )
      expect(dead, path).toEqual([])
      // The other pages can be reached from each page.
      await expect(page.getByRole('banner').getByRole('link', { name: 'MSTR' })).toBeVisible()
      if (!path.endsWith('/unknown')) continue
      await expect(page.locator('noscript p').first()).toContainText('needs JavaScript')
    }
  })
})
