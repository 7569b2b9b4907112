import { writeFileSync } from 'node:fs'
import { onlyTicker, startTicker, type Ticker } from '#tests/support/stand-ins/tickers.ts'
import { startBuiltSite, type BuiltSite } from './support/built-site.ts'
import { drawn, expect, open, test } from './support/site.ts'

// A separate site, whose only venue is a stand-in and whose record may change.
test.describe.configure({ mode: 'serial' })

// Within five per cent of the last close of the starter data: a price farther off would need a second venue.
const FIRST = 86_000
let kraken: Ticker
let site: BuiltSite

test.beforeAll(async () => {
  kraken = await startTicker('kraken', FIRST)
  site = await startBuiltSite(onlyTicker(kraken))
  // The process connects to the venue once it is the leader.
  await expect.poll(() => kraken.subscribers()).toBe(1)
})

test.afterAll(async () => {
  await site.stop()
  await kraken[Symbol.asyncDispose]()
})

test('the price is live, blinks up and down, and floats when its header is gone', async ({
  page,
}) => {
  // A price that no venue has repeated for a minute is old, however slow this machine is.
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
  const blink = await header
    .getByText('$86,500')
    .evaluate((element) => getComputedStyle(element).animationDuration)
  expect(blink).toBe('0.8s')
  kraken.price(FIRST + 300)
  await expect(header).toContainText('$86,300▼')
  await expect(pulse).toHaveAttribute('data-direction', 'down')

  await page.mouse.move(700, 600)
  await page.evaluate(() => window.scrollTo(0, 1_500))
  const box = page.getByText(/^LIVEBTC \$86,300/)
  await expect(box).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(box).toHaveCount(0)
})

test('a price becomes old when no more arrive, and live again with the next one', async ({
  page,
}) => {
  await page.clock.install()
  kraken.price(FIRST + 2)
  await open(page, `${site.url}/btc`)
  const live = page.getByText('LIVE', { exact: true })
  await expect(live).toBeVisible()
  await page.route('**/api/v1/live**', (route) => route.abort())
  kraken.fallSilent()
  await page.clock.runFor(75_000)
  await expect(page.getByText(/^last price \d\d:\d\d$/)).toBeVisible()
  await expect(live).toHaveCount(0)
  await page.unroute('**/api/v1/live**')
  kraken.dropAll()
})

test('everything that a page follows comes by one event stream', async ({ page }) => {
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'eventsource') streams.push(new URL(request.url()).pathname)
  })
  page.on('websocket', (socket) => streams.push(socket.url()))
  kraken.price(FIRST + 3)
  await open(page, `${site.url}/btc`)
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible()
  await expect
    .poll(async () => {
      kraken.price(FIRST + Math.round(Math.random() * 900))
      return page.getByRole('banner').locator('~ main').getByText(/▲|▼/).count()
    })
    .toBeGreaterThan(0)
  expect(streams).toEqual(['/api/v1/live'])
})

test('open pages turn PENDING to SUCCESS when the bar comes in', async ({
  page,
  context,
}, testInfo) => {
  await open(page, `${site.url}/btc`)
  await page.getByRole('button', { name: /^Pending \d/ }).click()
  const cards = page.locator('[data-prediction-card]')
  await expect(cards.filter({ hasText: /SUCCESS|MISS/ })).toHaveCount(0)
  // These predictions have years left.
  const card = cards.filter({ hasText: '$500,000' }).first()
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
  await expect(same).toContainText('SUCCESS')
  await expect(own.getByRole('article').getByText('SUCCESS').first()).toBeVisible()
})
