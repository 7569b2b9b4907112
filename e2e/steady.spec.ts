import { expect, MAIN_SCREENS, open, test } from './support/site.ts'

test('nothing moves while a page loads', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of MAIN_SCREENS) {
    await open(page, path)
    await page.waitForTimeout(500)
    const total = await page.evaluate(() => {
      const shifts: unknown = Reflect.get(window, 'shifts')
      return Array.isArray(shifts)
        ? shifts.reduce<number>((sum, shift) => sum + Number(shift), 0)
        : 1
    })
    expect(total, path).toBeLessThan(0.02)
  }
})
