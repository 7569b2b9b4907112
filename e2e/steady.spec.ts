import { alive, expect, MAIN_SCREENS, test } from './support/site.ts'

test('nothing moves while a page loads, however slow the machine', async ({ page }) => {
  const machine = await page.context().newCDPSession(page)
  // The font comes once the page is there, as over a slow network.
  let font = Promise.withResolvers<void>()
  await page.route('**/*.woff2', async (route) => {
    await font.promise
    await route.continue()
  })
  await page.addInitScript(() => {
    const shifts: { readonly by: number; readonly moved: readonly string[] }[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value: by, sources } = entry as PerformanceEntry & {
          readonly value: number
          readonly sources: readonly { readonly node: Node | null }[]
        }
        const moved = sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.nodeName ?? ''),
        )
        shifts.push({ by, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of MAIN_SCREENS) {
    await machine.send('Emulation.setCPUThrottlingRate', { rate: path === '/' ? 6 : 1 })
    font = Promise.withResolvers<void>()
    // The load of a page ends after that of its font.
    await page.goto(path, { waitUntil: 'commit' })
    await alive(page)
    font.resolve()
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(500)
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { by: number; moved: string[] }[] }).shifts,
    )
    const total = shifts.reduce((sum, { by }) => sum + by, 0)
    expect(total, `${path} ${JSON.stringify(shifts)}`).toBeLessThan(0.02)
  }
})
