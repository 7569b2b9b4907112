import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { extract } from '@extractus/oembed-extractor'
import { violationsIn } from '../support/accessible.ts'
import { EMBEDS, framing, layoutShift, SITE } from '../support/framing.ts'
import { expect, test } from '../support/site.ts'

for (const [theme, widths] of [
  ['light', [320, 1_200]],
  ['dark', [640]],
] as const) {
  test(`embeds are complete at ${widths.join(' and ')} px, in a ${theme} theme`, async ({
    browser,
  }) => {
    await using site = await framing(browser, { colorScheme: theme })
    for (const path of EMBEDS) {
      for (const width of widths) {
        const frame = await site.frame(path, width)
        await site.expectWhole(frame, `${path} at ${String(width)}`, theme)
        if (theme === 'dark') expect(await violationsIn(frame, null), path).toEqual([])
      }
    }
  })
}

test('an embed received in two parts is drawn once, when complete', async ({ page }) => {
  const whole = await (await fetch(`${SITE()}/embed/experts`)).text()
  const middle = whole.indexOf('</th>', whole.length / 4)
  const server = createServer((request, reply) => {
    if (request.url !== '/') return reply.end()
    reply.setHeader('content-type', 'text/html')
    reply.write(whole.slice(0, middle))
    // Long enough that a browser which does not wait would show the first half.
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

test("an oEmbed consumer finds the embed from a page's address", async () => {
  const found = await extract(`${SITE()}/btc?status=miss&on=miss`, { maxwidth: 500 })
  expect(found).toMatchObject({ type: 'rich', width: 500, provider_name: 'Proof of Price' })
  const code = '/embed/btc?status=miss&amp;on=miss"'
  expect(found).toHaveProperty('html', expect.stringContaining(code))
  await expect(extract(`${SITE()}/about`)).rejects.toThrow('No oEmbed link found')
})
