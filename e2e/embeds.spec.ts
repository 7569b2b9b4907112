import { extract } from '@extractus/oembed-extractor'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, type Frame, type Page } from '@playwright/test'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { expect, open, test } from './support/site.ts'

const EMBEDS = [
  '/embed/btc',
  '/embed/btc?on=all&targets=count',
  '/embed/predictions/mcafee-1m-2020',
  '/embed/experts/planb',
  '/embed/experts',
  '/embed/predictions/nothing',
]
const WIDTHS = { light: [320, 640, 1_200], dark: [640] } as const
/** What the first load of an embed may weigh, all that goes over the wire. */
const MOST_BYTES = 60_000
const SITE = (): string => process.env['SITE_URL'] ?? ''
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'

let elsewhere: Server

/** A site of another origin, whose pages frame whatever their address says. */
test.beforeAll(() => {
  elsewhere = createServer((request, reply) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://elsewhere')
    const [src = '', width = ''] = ['src', 'width'].map((name) =>
      (searchParams.get(name) ?? '').replaceAll('&', '&amp;'),
    )
    reply.setHeader('content-type', 'text/html')
    reply.end(`<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,">
      <iframe src="${src}" title="Embed" width="${width}" height="120" sandbox="${SANDBOX}" style="border:0"></iframe>
      <script>
        addEventListener('message', ({ data, source }) => {
          const frame = document.querySelector('iframe')
          if (data.type === 'proof-of-price:height' && source === frame.contentWindow) frame.height = data.height
        })
      </script>`)
  }).listen(0, '127.0.0.1')
})
test.afterAll(() => {
  elsewhere.close()
})

type Framing = AsyncDisposable & {
  readonly page: Page
  /** Opens a page of the other site with an address of ours in a frame so wide. */
  readonly frame: (path: string, width: number) => Promise<Frame>
}

async function framing(browser: Browser, options: BrowserContextOptions = {}): Promise<Framing> {
  const viewport = { width: 1_240, height: 1_000 }
  const context = await browser.newContext({ viewport, ...options })
  const page = await context.newPage()
  const { port } = elsewhere.address() as AddressInfo
  return {
    page,
    frame: async (path, width) => {
      const src = encodeURIComponent(SITE() + path)
      await page.goto(`http://127.0.0.1:${String(port)}/?width=${String(width)}&src=${src}`)
      const frame = await (await page.locator('iframe').elementHandle())?.contentFrame()
      if (!frame) throw new Error('there is no frame')
      return frame
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

for (const theme of ['light', 'dark'] as const) {
  test(`embeds in a page of another origin are whole at ${WIDTHS[theme].join(', ')} px, in a ${theme} theme`, async ({
    browser,
  }) => {
    await using site = await framing(browser, { colorScheme: theme })
    const faults: string[] = []
    site.page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) faults.push(message.text())
    })
    for (const path of EMBEDS) {
      for (const width of WIDTHS[theme]) {
        const at = `${path} at ${String(width)}`
        const frame = await site.frame(path, width)
        await expect(frame.locator('footer'), at).toBeVisible()
        // The page sets the height that the embed sends, so that nothing is left to scroll.
        const hidden = (): Promise<number> =>
          frame.evaluate(() => {
            const { scrollHeight, clientHeight } = document.documentElement
            return scrollHeight - clientHeight
          })
        await expect.poll(hidden, at).toBe(0)
        const found = await frame.evaluate(() => ({
          over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          clipped: [...document.querySelectorAll('h1, p, th, td, dd, li, summary')]
            .filter(
              (one) =>
                one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline',
            )
            .map((one) => one.textContent),
          letters: Math.min(
            ...[...document.querySelectorAll('.picture text')]
              .filter((one) => one.checkVisibility())
              .map((one) => one.getBoundingClientRect().height),
          ),
          ground: getComputedStyle(document.body).backgroundColor,
        }))
        expect({ at, ...found, letters: found.letters >= 11 }).toEqual({
          at,
          over: 0,
          clipped: [],
          letters: true,
          ground: theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(17, 24, 38)',
        })
        if (width === 640) {
          await frame.evaluate(axe.source)
          const violations = await frame.evaluate(async () =>
            (await window.axe?.run(document, { resultTypes: ['violations'] }))?.violations.map(
              ({ id, nodes }) => [id, nodes.map(({ html }) => html)],
            ),
          )
          expect(violations, at).toEqual([])
        }
      }
    }
    expect(faults).toEqual([])
  })
}

/** How much of the page has moved since it was opened, as browsers measure it. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
    }).observe({ type: 'layout-shift', buffered: true })
    // What was seen before is handed over with the next frame.
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return sum
  })
}

test('an embed that comes in two parts is drawn once, when it is all there', async ({ page }) => {
  const whole = await (await fetch(`${SITE()}/embed/experts`)).text()
  const middle = whole.indexOf('</th>', whole.length / 4)
  const server = createServer((request, reply) => {
    if (request.url !== '/') return reply.end()
    reply.setHeader('content-type', 'text/html')
    reply.write(whole.slice(0, middle))
    // Long enough to be drawn by a browser that does not wait; how long it takes decides nothing else.
    return setTimeout(() => reply.end(whole.slice(middle)), 700)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${String(port)}/`, { waitUntil: 'networkidle' })
  server.close()
  await expect(page.getByRole('table')).toBeVisible()
  expect(await layoutShift(page)).toBe(0)
  const [drawn, read] = await page.evaluate(() => {
    const [arrived] = performance.getEntriesByType('navigation')
    const end = arrived instanceof PerformanceNavigationTiming ? arrived.responseEnd : Infinity
    return [performance.getEntriesByName('first-paint')[0]?.startTime, end]
  })
  expect(drawn).toBeGreaterThanOrEqual(read)
})

test('an embed loads in 60 kB, nothing shifts, and it is a picture without scripts, too', async ({
  browser,
}) => {
  for (const path of EMBEDS) {
    await using site = await framing(browser)
    const { page } = site
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    const url = SITE() + path
    await page.goto(url, { waitUntil: 'networkidle' })
    const shift = await layoutShift(page)
    expect([path, shift]).toEqual([path, 0])
    expect(bytes, path).toBeGreaterThan(1_000)
    expect(bytes, path).toBeLessThan(MOST_BYTES)
  }
  await using site = await framing(browser, { javaScriptEnabled: false })
  await site.frame('/embed/btc', 640)
  const inFrame = site.page.frameLocator('iframe')
  await expect(inFrame.getByRole('img', { name: /^Chart of the Bitcoin price/ })).toBeVisible()
  await expect(inFrame.getByRole('heading')).toContainText('Bitcoin price predictions')
})

test('a link of an embed opens the site in a tab of its own; other pages are not framed', async ({
  browser,
}) => {
  await using site = await framing(browser)
  const { page } = site
  const embed = await site.frame('/embed/predictions/mcafee-1m-2020', 640)
  const tab = page.waitForEvent('popup')
  await embed.getByRole('link', { name: 'Proof of Price' }).click()
  await expect((await tab).getByRole('heading', { level: 1 })).toContainText('John McAfee')
  expect(page.url()).toContain('127.0.0.1')

  await site.frame('/predictions/mcafee-1m-2020', 640)
  await expect(page.frameLocator('iframe').getByRole('heading')).toHaveCount(0)
})

test('the panel of a page offers the code of its embed, which follows its filters', async ({
  page: dashboard,
}) => {
  await open(dashboard, '/btc?utm_source=letter')
  await dashboard.getByText('Download and cite').click()
  const panel = dashboard.getByRole('group', { name: 'Embed' })
  const code = panel.getByRole('code')
  await expect(code).toContainText('/embed/btc" title="Bitcoin price predictions" width="100%"')
  await dashboard.getByRole('button', { name: /^Miss \d/ }).click()
  await panel.getByRole('button', { name: 'Dark' }).click()
  await expect(code).toContainText('/embed/btc?status=miss&amp;on=miss&amp;theme=dark"')
  const preview = dashboard.waitForEvent('popup')
  await panel.getByRole('link', { name: 'Preview' }).click()
  await expect((await preview).getByRole('heading')).toContainText('all missed')
})

test('a consumer of oEmbed that knows only the address of a page finds its embed', async () => {
  const url = SITE() + '/btc?status=miss&on=miss'
  const found = await extract(url, { maxwidth: 500 })
  expect(found).toMatchObject({ type: 'rich', width: 500, provider_name: 'Proof of Price' })
  expect(found).toHaveProperty(
    'html',
    expect.stringContaining('/embed/btc?status=miss&amp;on=miss"'),
  )
  await expect(extract(SITE() + '/about')).rejects.toThrow('No oEmbed link found')
})
