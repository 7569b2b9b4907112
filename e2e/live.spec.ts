import { writeFileSync } from 'node:fs'
import { onlyTicker, startTicker } from '#tests/support/stand-ins/tickers.ts'
import { startBuiltSite } from './support/built-site.ts'
import { drawn, expect, open, test, ofAJob } from './support/site.ts'

// Within five per cent of the last close of the starter data: a price farther off would need a second venue.
const FIRST = 86_000

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('the price is live by one stream, flashes up and down, floats, and a new bar turns PENDING into SUCCESS', async ({
  page,
  context,
}, testInfo) => {
  await using kraken = await startTicker('kraken', FIRST)
  await using site = await startBuiltSite(onlyTicker(kraken), true)
  // The process connects to the venue once it leads.
  await expect.poll(() => kraken.subscribers(), ofAJob()).toBe(1)
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'eventsource') streams.push(new URL(request.url()).pathname)
  })
  page.on('websocket', (socket) => streams.push(socket.url()))
  kraken.price(FIRST)
  await open(page, `${site.url}/btc`)
  await drawn(page)
  const header = page.locator('header', {
    has: page.getByRole('heading', { name: 'Bitcoin Live Price' }),
  })
  await expect(header.getByText('LIVE', { exact: true })).toBeVisible()
  await expect(header.getByText('kraken')).toBeVisible()
  await expect(header).toContainText('$86,000')
  const pulse = page.locator('.price-chart-live')
  kraken.price(FIRST + 500)
  await expect(header).toContainText('$86,500▲')
  await expect(pulse).toHaveAttribute('data-direction', 'up')
  await expect(header.getByText('$86,500')).toHaveCSS('animation-duration', '0.8s')
  kraken.price(FIRST + 300)
  await expect(header).toContainText('$86,300▼')
  await expect(pulse).toHaveAttribute('data-direction', 'down')
  await page.mouse.move(700, 600)
  await page.evaluate(() => window.scrollTo(0, 1_500))
  await expect(page.getByText(/^LIVEBTC \$86,300/)).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
  expect(streams).toEqual(['/api/v1/live'])

  await page.getByRole('button', { name: /^Pending \d/ }).click()
  const cards = page.locator('[data-prediction-card]')
  await expect(cards.filter({ hasText: /SUCCESS|MISS/ })).toHaveCount(0)
  // A call that is open until 2029.
  const card = cards.filter({ hasText: '$500,000' })
  const id = (await card.getAttribute('data-prediction-card')) ?? ''
  const same = page.locator(`[data-prediction-card="${id}"]`)
  await page.getByRole('button', { name: /^All \d/ }).click()
  await expect(same).toContainText('PENDING')
  const own = await context.newPage()
  await open(own, `${site.url}/predictions/${id}`)
  await expect(own.getByRole('article').getByText('PENDING').first()).toBeVisible()

  // A believable rise: seven per cent a day, up to yesterday, from $85,000 to more than $500,000.
  const RISE_DAYS = 28
  const bars = Array.from({ length: RISE_DAYS }, (_, i) => {
    const date = new Date(Date.now() - (RISE_DAYS - i) * 86_400_000).toISOString().slice(0, 10)
    const close = Math.round(85_000 * 1.07 ** i)
    return [date, close - 1_000, close + 2_000, close - 2_000, close].join()
  })
  const file = testInfo.outputPath('bars.csv')
  writeFileSync(file, ['date,open,high,low,close', ...bars, ''].join('\n'))
  await site.cli('import-prices', 'btc', file, '--source', 'stand-in')
  await expect(same).toContainText('SUCCESS', ofAJob())
  await expect(own.getByRole('article').getByText('SUCCESS').first()).toBeVisible(ofAJob())
})
