import { type Page } from '@playwright/test'
import { alive, expect, MAIN_SCREENS, test } from './support/site.ts'

declare global {
  interface Window {
    /** Elements that moved on the page and their areas, as measured by the browser. */
    readonly shifts: { readonly by: number; readonly moved: readonly string[] }[]
  }
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a page has no layout shift while loading, even on a slow machine', async ({ page }) => {
  const machine = await page.context().newCDPSession(page)
  // The font arrives after the page, as over a slow network.
  let font = Promise.withResolvers<void>()
  await page.route('**/*.woff2', async (route) => {
    await font.promise
    await route.continue()
  })
  await page.addInitScript(() => {
    const shifts: { readonly by: number; readonly moved: readonly string[] }[] = []
    Object.assign(window, { shifts })
    const placeOf = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map((one) => Math.round(one)).join(' ')
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value: by, sources } = entry as PerformanceEntry & {
          readonly value: number
          readonly sources: readonly {
            readonly node: Node | null
            readonly previousRect: DOMRectReadOnly
            readonly currentRect: DOMRectReadOnly
          }[]
        }
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const what = node instanceof Element ? node.outerHTML.slice(0, 120) : node?.nodeName
          return `${what ?? ''} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`
        })
        shifts.push({ by, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of MAIN_SCREENS) {
    await machine.send('Emulation.setCPUThrottlingRate', { rate: path === '/' ? 6 : 1 })
    font = Promise.withResolvers<void>()
    // `load` fires only once the font has arrived.
    await page.goto(path, { waitUntil: 'commit' })
    await alive(page)
    await painted(page)
    font.resolve()
    await page.evaluate(() => document.fonts.ready)
    await painted(page)
    const shifts = await page.evaluate(() => window.shifts)
    const total = shifts.reduce((sum, { by }) => sum + by, 0)
    expect.soft(total, `${path} ${JSON.stringify(shifts, null, 1)}`).toBeLessThan(0.02)
  }
})

/** Waits for the next frame, when the observer has received all shifts so far. */
function painted(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
  })
}
