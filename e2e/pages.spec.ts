import { readFile } from 'node:fs/promises'
import { expectAccessible } from './support/accessible.ts'
import { alive, expect, open, test } from './support/site.ts'

test('a visitor understands the site and continues to its people, its calls and the Bitcoin dashboard', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await open(page, '/')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('The Truth About Bitcoin Predictions')
  // The page fades from one call to the next, and half-faded text has no contrast to measure.
  await page.getByRole('button', { name: 'Pause' }).click()
  await expectAccessible(page, '/')

  // The finding of the day links to the people it is about.
  const finding = page.getByRole('main').getByText(/people with five or more comparable calls/)
  const words = (await finding.first().textContent()) ?? ''
  await expect(page.getByRole('img', { name: /^Calls of .* decided/ })).toHaveCount(5)
  await expect(page.getByRole('table', { name: /came true/ })).toBeVisible()
  await page.getByRole('link', { name: /^Compare all \d+ people/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: words })).toBeVisible()
  await page.goBack()

  // Examples are switched by hand and link to their pages. Two are visible during a transition.
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

  // In the latest news, the name links to the person, the words to the call.
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
  const [name, quoted] = [await links.first().innerText(), await links.last().innerText()]
  await links.last().click()
  await expect(heading).toHaveText(`${name}: ${quoted}`)
  await page.goBack()

  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: 'About Us' })).toHaveAttribute('target', '_blank')
  // No contact is set up, so no link is dead.
  await expect(footer.getByRole('link', { name: /^(?:X|Contact Us|Nostr)$/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Explore Bitcoin Predictions' }).first().click()
  await expect(page).toHaveURL(/\/btc$/)
  await expect(page.getByTestId('price-chart')).toHaveAttribute('data-ready', 'true')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
})

test('a prediction has its verdicts, evidence, source and luck, and can be judged in the browser', async ({
  page,
}) => {
  await open(page, '/predictions/mcafee-1m-2020')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('John McAfee: Bitcoin at $1,000,000 by 31/12/2020')
  const main = page.getByRole('main')
  const chart = main.getByRole('img', { name: /^Chart\. John McAfee.*MISS\.$/ })
  await expect(chart).toBeVisible()
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const letter = () => chart.locator('text').first().boundingBox()
    await expect.poll(async () => (await letter())?.height).toBeGreaterThan(12)
  }
  await expect(main.locator('header')).toContainText('Missed. The highest known price before')
  // The high of the nearest day is known, so the two modes use different prices.
  await expect(main.getByText('Level compared')).toHaveCount(2)
  await expect(main.getByText(/First verdict by intraday prices/)).toBeVisible()
  await expect(main.getByRole('link', { name: /lastcryptocurrency\.com/ })).toBeVisible()

  await page.getByRole('button', { name: 'Judge it here' }).click()
  const agreed = /^Our prices agree: MISS on .*, with the same evidence\.$/
  await expect(page.getByText(agreed)).toBeVisible()
  await page.getByRole('button', { name: 'A file of your own' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose daily prices of BTC' }).click()
  const name = 'mine.csv'
  const buffer = Buffer.from('Date,Close\n2017-11-29,9900\n2017-11-30,9950\n2017-12-01,1000001\n')
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer })
  await expect(page.getByText(/^Your prices say SUCCESS on 01\/12\/2017/)).toBeVisible()
  await expectAccessible(page, 'a prediction')
  await main.getByRole('link', { name: 'See it on the BTC chart' }).click()
  await expect(page).toHaveURL(/\/btc\?on=mcafee-1m-2020/)
  await expect(page.getByText('1 prediction drawn')).toBeVisible()

  await open(page, '/predictions/kendrick-100k-2026')
  const fan = page.locator('[data-fan]:visible')
  await expect(fan).toHaveCount(1)
  await page.getByRole('checkbox', { name: 'Show what luck expected' }).uncheck()
  await expect(fan).toHaveCount(0)
  await expect(page.getByText(/Needs .*\d+.% chance, from \$[\d,]+ on /).first()).toBeVisible()
})

test('calls are followed over the price by year and person, then from all years to one card, its picture and a call', async ({
  page,
}) => {
  await open(page, '/history')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('decided Bitcoin calls')
  const years = page.getByRole('group', { name: 'Calls made in' })
  await years.getByRole('button', { name: '2021' }).click()
  await expect(page).toHaveURL(/\/history\?year=2021$/)
  await expect(page.getByText(/Bitcoin calls made in 2021 are decided/)).toBeVisible()
  await expectAccessible(page, '/history?year=2021')
  // Pointing at a thread names its call; clicking it shows all calls of that person.
  const end = await page
    .locator('[data-strength="chosen"] polyline')
    .last()
    .evaluate((line: SVGPolylineElement) => {
      const { x, y } = line.points
        .getItem(line.points.length - 1)
        .matrixTransform(line.getScreenCTM() ?? undefined)
      return { x, y }
    })
  const quoted = page.getByText(/, said on \d\d\/\d\d\/2021 at \$/)
  await page.mouse.move(end.x, end.y)
  await expect(quoted).toBeVisible()
  await page.mouse.click(end.x, end.y)
  await expect(page).toHaveURL(/year=2021&person=/)
  await expect(page.getByRole('link', { name: 'Full record' })).toBeVisible()
  await page.reload()
  await expect(years.getByRole('button', { name: '2021' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Show all people' }).click()
  await expect(page).toHaveURL(/\?year=2021$/)
  await page.getByText(/calls as a table$/).click()
  const link = page.getByRole('row').nth(1).getByRole('link').last()
  await link.focus()
  await expect(quoted).toBeVisible()
  await link.press('Enter')
  await expect(page).toHaveURL(/\/predictions\//)

  await open(page, '/years')
  await expectAccessible(page, '/years')
  const bitcoin = page.getByRole('table', { name: /^Bitcoin/ })
  await bitcoin.getByRole('link', { name: '2025' }).click()
  await expect(heading).toContainText('Bitcoin calls due in 2025 came true. Luck expects')
  await expect(page.getByRole('heading', { name: 'Loudest consensus' })).toBeVisible()
  await expectAccessible(page, '/years/2025')
  for (const [name, type] of [
    ['Picture as PNG', 'image/png'],
    ['as SVG', 'image/svg+xml; charset=utf-8'],
  ] as const) {
    const picture = page.getByRole('link', { name, exact: true })
    const answer = await page.request.get((await picture.getAttribute('href')) ?? '')
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, type])
  }
  const places = page.getByRole('navigation', { name: 'Years and assets' })
  await places.getByRole('link', { name: 'MSTR 2025' }).click()
  await expect(heading).toContainText('Strategy calls due in 2025')
  await expect(page).toHaveURL(/\/years\/2025\/mstr$/)
  await places.getByRole('link', { name: '2026 →' }).click()
  await expect(heading).toContainText('due so far in 2026')
  await places.getByRole('link', { name: 'BTC 2026' }).click()
  await expect(page.getByRole('heading', { name: 'Still open' })).toBeVisible()
  const marks = page.getByRole('group', { name: /^Calls of 2026/ }).getByRole('link')
  await marks.first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/predictions\//)
})

test('the data page has every file, and its example calls run, also with other values', async ({
  page,
}) => {
  await open(page, '/data')
  await expectAccessible(page, '/data')
  const hrefs = await page
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  // Listed with the newest snapshot, and again among all.
  const files = new Set(hrefs.filter((href) => /^\/data\/\d/.test(href)))
  expect(files.size).toBe(15)
  for (const href of files) {
    expect([href, (await page.request.head(href)).status()]).toEqual([href, 200])
  }
  const canonical = await page.locator('link[rel="canonical"]').getAttribute('href')
  const { origin } = new URL(canonical ?? '')
  const commands = await page.locator('pre code').allTextContents()
  const calls = commands.flatMap((text) => [...text.matchAll(/curl -LO? '([^']+)'/g)])
  expect(calls.length).toBeGreaterThan(8)
  for (const [, url = ''] of calls) {
    expect(url.startsWith(`${origin}/`)).toBe(true)
    expect([url, (await page.request.get(url.slice(origin.length))).status()]).toEqual([url, 200])
  }
  const described = page.locator('script[type="application/ld+json"]')
  const dataset: unknown = JSON.parse((await described.textContent()) ?? '')
  expect(dataset).toMatchObject({ '@type': 'Dataset', license: expect.stringContaining('/by/4.0') })
  expect(dataset).toHaveProperty('distribution.length', 13)
  await page.getByText(/^verdicts\.csv \(/).click()
  await expect(page.getByText(/^What decides: up, down/)).toBeVisible()

  // Keeps only one call of the document: rendering all of them takes ten seconds on a busy machine.
  await page.route('**/api/openapi.json', async (route) => {
    const all = (await (await route.fetch()).json()) as { paths: Record<string, unknown> }
    const paths = { '/api/v1/assets': all.paths['/api/v1/assets'] }
    await route.fulfill({ json: { ...all, paths } })
  })
  await page.goto('/api/docs')
  await page.getByText('/api/v1/assets', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  const answer = page.locator('.live-responses-table')
  await expect(answer.getByRole('cell', { name: '200', exact: true })).toBeVisible()
})

test('a page offers its files, its citation and its embed, also after its filters changed', async ({
  page,
}) => {
  await open(page, '/btc?utm_source=letter')
  await page.getByText('Download and cite').click()
  const csv = page.getByRole('link', { name: 'CSV' })
  await expect(csv).toHaveAttribute('href', '/btc.csv')
  const panel = page.getByRole('group', { name: 'Embed' })
  const code = panel.getByRole('code')
  await expect(code).toContainText('/embed/btc" title="Bitcoin price predictions" width="100%"')
  const miss = page.getByRole('button', { name: /^Miss \d/ })
  await miss.click()
  await expect(csv).toHaveAttribute('href', '/btc.csv?status=miss&on=miss')
  const cited = /^Proof of Price: “Bitcoin price predictions”, as of .*status=miss/
  await expect(page.getByText(cited)).toBeVisible()
  await panel.getByRole('button', { name: 'Dark' }).click()
  await expect(code).toContainText('/embed/btc?status=miss&amp;on=miss&amp;theme=dark"')
  const count = Number(/\d+/.exec((await miss.textContent()) ?? '')?.[0])
  const download = page.waitForEvent('download')
  await csv.click()
  const file = await page.request.get(new URL((await download).url()).href)
  expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(count + 1)
  const preview = page.waitForEvent('popup')
  await panel.getByRole('link', { name: 'Preview' }).click()
  await expect((await preview).getByRole('heading')).toContainText('all missed')

  for (const path of ['/experts', '/experts/planb', '/history', '/predictions/mcafee-1m-2020']) {
    await page.goto(path, { waitUntil: 'commit' })
    for (const name of ['JSON', 'About the data (JSON)', 'PNG', 'SVG']) {
      const link = page.getByRole('link', { name, exact: true, includeHidden: true })
      const href = (await link.getAttribute('href')) ?? ''
      expect([path, name, (await page.request.get(href)).status()]).toEqual([path, name, 200])
    }
  }
})

test('search opens with a key and finds people, levels and years; text pages link onward and remember the theme', async ({
  page,
}) => {
  await open(page, '/methodology')
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const field = dialog.getByRole('combobox', { name: 'Person, level, year or page' })
  await expect(field).toBeFocused()
  await expect(page).toHaveURL(/\/methodology#search$/)
  await page.route('**/api/v1/search*', (route) => route.abort())
  await field.fill('saylor')
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
  await page.unroute('**/api/v1/search*')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  const first = dialog.getByRole('option').first()
  await expect(first).toContainText('Michael Saylor')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page, 'search', { within: '[role=dialog]' })
  await field.press('ArrowDown')
  await expect(dialog.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
  await field.press('ArrowUp')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/experts\/michael-saylor$/)
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(/\/methodology$/)
  await expect(dialog).toBeHidden()

  // Text typed while the dialog's code loads is entered into it.
  let arrive = (): void => undefined
  const code = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/search-dialog*.js', async (route) => {
    await code
    await route.continue()
  })
  await page.reload()
  await alive(page)
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/#search$/)
  await page.keyboard.press('/')
  await page.keyboard.type('tim x')
  await page.keyboard.press('Backspace')
  arrive()
  await page.keyboard.type('draper')
  await expect(field).toHaveValue('tim draper')
  expect(await page.evaluate(() => window.scrollY)).toBe(0)

  await field.fill('250k')
  await expect(dialog.getByRole('option')).toHaveCount(8)
  await dialog.getByRole('button', { name: 'Show all results' }).click()
  await expect.poll(() => dialog.getByRole('option').count()).toBeGreaterThan(8)
  await expect(field).toBeFocused()
  await field.fill('nobody at all')
  await expect(dialog.getByRole('status')).toHaveText('Nothing found for “nobody at all”.')
  await field.fill('$150,000')
  await expect(first).toContainText('$150,000')
  // Enter pressed before the reply opens the first result once it arrives.
  let answer = (): void => undefined
  const entered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/search*', async (route) => {
    await entered
    await route.continue()
  })
  await field.fill('planb')
  await field.press('Enter')
  answer()
  await expect(page).toHaveURL(/\/experts\/planb$/)

  const heading = page.getByRole('heading', { level: 1 })
  for (const [path, title] of [
    ['/about', 'About us'],
    ['/terms', 'Terms of service'],
    ['/corrections', 'Corrections'],
    ['/methodology', 'How verdicts are decided'],
  ] as const) {
    await open(page, path)
    await expect(heading).toContainText(title)
    // Another journey checks the corrections once there are some.
    if (path !== '/corrections') await expectAccessible(page, path)
  }
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(await background()).toBe('rgb(250, 250, 247)')
  await page.getByRole('button', { name: 'Dark mode' }).click()
  await expect.poll(background).toBe('rgb(11, 15, 23)')
  const frame = page.locator('meta[name="theme-color"]')
  await expect(frame).toHaveAttribute('content', '#0b0f17')
  await page.reload()
  await alive(page)
  expect(await background()).toBe('rgb(11, 15, 23)')

  const luck = page.locator('#luck')
  await expect(luck.getByRole('row', { name: /both/ })).toHaveCount(5)
  await luck.getByRole('link', { name: /by \d\d\/\d\d\/\d{4}$/ }).click()
  await expect(page).toHaveURL(/\/predictions\//)
  for (const path of ['/nowhere', '/predictions/unknown', '/experts/unknown', '/btc/more']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(heading).toHaveText(/No such|Page not found/)
    await expect(page.getByRole('link', { name: 'All Bitcoin predictions' })).toBeVisible()
  }
  await expectAccessible(page, 'no such page')
})

test('the first scripts of a page parse no schemas', async () => {
  const chunks = JSON.parse(await readFile('dist/web/page-chunks.json', 'utf8')) as Record<
    string,
    string[]
  >
  const scripts = [...new Set(Object.values(chunks).flat())]
  const texts = scripts.map((path) => readFile(`dist/web${path}`, 'utf8'))
  const found = (await Promise.all(texts)).map((text, i) =>
    text.includes('ZodType') ? scripts[i] : null,
  )
  expect(found.filter(Boolean)).toEqual([])
})
