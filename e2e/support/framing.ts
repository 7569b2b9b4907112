import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import {
  expect,
  type Browser,
  type BrowserContextOptions,
  type Frame,
  type Page,
} from '@playwright/test'

export const EMBEDS = [
  '/embed/btc',
  '/embed/btc?experts=planb&on=all&targets=count',
  '/embed/predictions/mcafee-1m-2020',
  '/embed/experts/planb',
  '/embed/experts',
  '/embed/predictions/nothing',
]
export const SITE = (): string => process.env['SITE_URL'] ?? ''
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'

/** A site of another origin that frames the requested address, and a browser that opens it. */
export async function framing(browser: Browser, options: BrowserContextOptions = {}) {
  const elsewhere = createServer((request, reply) => {
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
  })
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  const { port } = elsewhere.address() as AddressInfo
  const viewport = { width: 1_240, height: 1_000 }
  const context = await browser.newContext({ viewport, ...options })
  const page = await context.newPage()
  return {
    page,
    /** Opens a page of the other site that frames one of our addresses at this width. */
    frame: async (path: string, width: number): Promise<Frame> => {
      const src = encodeURIComponent(SITE() + path)
      await page.goto(`http://127.0.0.1:${String(port)}/?width=${String(width)}&src=${src}`)
      const frame = await (await page.locator('iframe').elementHandle())?.contentFrame()
      if (!frame) throw new Error('there is no frame')
      return frame
    },
    expectWhole,
    [Symbol.asyncDispose]: async () => {
      await context.close()
      elsewhere.close()
    },
  }
}

/** Expects a complete and readable embed in its frame, on the background of its theme. */
async function expectWhole(frame: Frame, at: string, theme: 'light' | 'dark' = 'light') {
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
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .filter((one) => getComputedStyle(one).display !== 'inline')
      .map((one) => one.textContent),
    letters: Math.min(
      ...[...document.querySelectorAll('.picture text')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect().height),
    ),
    ground: getComputedStyle(document.body).backgroundColor,
  }))
  const ground = theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(17, 24, 38)'
  const right = { at, over: 0, clipped: [], letters: true, ground }
  expect({ at, ...found, letters: found.letters >= 11 }).toEqual(right)
}

/** The layout shift since it was opened, as measured by the browser. */
export function layoutShift(place: Page | Frame): Promise<number> {
  return place.evaluate(async () => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0
    }).observe({ type: 'layout-shift', buffered: true })
    // The next frame passes on earlier events.
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return sum
  })
}
