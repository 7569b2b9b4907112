import { violationsIn } from './support/accessible.ts'
import { EMBEDS, framing, layoutShift } from './support/framing.ts'
import { expect, test } from './support/site.ts'

/** Maximum size of an embed's first load, over the wire. */
const MOST_BYTES = 60_000

test('embeds in a page of another origin are complete, small, stable, and link to the site', async ({
  browser,
}) => {
  await using site = await framing(browser)
  const { page } = site
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  for (const path of EMBEDS) {
    bytes = 0
    const frame = await site.frame(path, 640)
    await site.expectWhole(frame, path)
    expect(await violationsIn(frame, null), path).toEqual([])
    expect([path, await layoutShift(frame)]).toEqual([path, 0])
    // A busy browser reports its load late.
    await expect.poll(() => bytes, path).toBeGreaterThan(1_000)
    expect(bytes, path).toBeLessThan(MOST_BYTES)
  }
  const embed = await site.frame('/embed/predictions/mcafee-1m-2020', 640)
  const tab = page.waitForEvent('popup')
  await embed.getByRole('link', { name: 'Proof of Price' }).click()
  await expect((await tab).getByRole('heading', { level: 1 })).toContainText('John McAfee')
  await site.frame('/predictions/mcafee-1m-2020', 640)
  await expect(page.frameLocator('iframe').getByRole('heading')).toHaveCount(0)

  await using quiet = await framing(browser, { javaScriptEnabled: false })
  await quiet.frame('/embed/btc', 640)
  const within = quiet.page.frameLocator('iframe')
  await expect(within.getByRole('img', { name: /^Chart of the Bitcoin price/ })).toBeVisible()
})
