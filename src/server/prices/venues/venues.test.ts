import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/kit/settings/config.ts'
import { type TickFeed } from '#server/prices/ports.ts'
import { startTicker, type Ticker } from '#tests/support/stand-ins/tickers.ts'
import { shows } from '#tests/support/waiting.ts'
import { tickFeeds, type VenuePatience } from './ticks.ts'

const PATIENCE = {
  silenceMs: 60_000,
  pricelessMs: 60_000,
  firstPauseMs: 20,
  longestPauseMs: 80,
  stableMs: 60_000,
  connectMs: 60_000,
}
const WATCHFUL = { ...PATIENCE, silenceMs: 150 }

function follow(feed: TickFeed) {
  const received: (number | string)[] = []
  const { close } = feed.open({
    tick: (usd) => received.push(usd),
    up: (again) => received.push(again ? 'up again' : 'up'),
    down: (reason) => received.push(reason),
  })
  return { received, [Symbol.dispose]: close }
}

function feedOf(venue: 'kraken' | 'coinbase', url: string, patience: VenuePatience): TickFeed {
  const name = `PRICES_${venue.toUpperCase()}_SOCKET`
  const { prices } = readConfig({ PRICES_KRAKEN_SOCKET: 'off', PRICES_COINBASE_SOCKET: 'off' }, '/')
  const [feed] = tickFeeds({ ...prices.urls, [name]: new URL(url) }, patience)
  if (!feed) throw new Error(`no feed of ${venue}`)
  return feed
}

describe.each(['kraken', 'coinbase'] as const)('the ticker of %s', (venue) => {
  const open = (ticker: Ticker, patience = PATIENCE) => follow(feedOf(venue, ticker.url, patience))

  it('reports prices as they arrive, and stays connected on heartbeats alone', async () => {
    await using ticker = await startTicker(venue, 100_000)
    using feed = open(ticker, WATCHFUL)
    await shows(() => expect(feed.received).toEqual(['up', 100_000]))
    ticker.price(100_001.5)
    await shows(() => expect(feed.received).toEqual(['up', 100_000, 100_001.5]))
    await new Promise((done) => setTimeout(done, 3 * WATCHFUL.silenceMs))
    expect(feed.received).toHaveLength(3)
    expect(ticker.connections()).toBe(1)
  })

  it('reports when a price was traded, if the venue says so', async () => {
    const at: (number | null)[] = []
    await using ticker = await startTicker(venue, 100)
    const feed = feedOf(venue, ticker.url, PATIENCE)
    const { close } = feed.open({ tick: (_, when) => at.push(when), up: () => {}, down: () => {} })
    await shows(() => expect(at).toHaveLength(1))
    const frame = (time: unknown): string =>
      JSON.stringify(
        venue === 'kraken'
          ? { channel: 'ticker', data: [{ symbol: 'BTC/USD', last: 101, timestamp: time }] }
          : { type: 'ticker', product_id: 'BTC-USD', price: '101', time },
      )
    const input = ['2026-11-20T12:00:00.123456Z', undefined, 'noon', 7]
    for (const time of input) ticker.raw(frame(time))
    await shows(() => expect(at).toHaveLength(1 + input.length))
    expect(at.slice(1)).toEqual([Date.parse('2026-11-20T12:00:00.123Z'), null, null, null])
    close()
  })

  it('ignores truncated messages, wrong types and impossible prices', async () => {
    await using ticker = await startTicker(venue, 100)
    using feed = open(ticker)
    await shows(() => expect(feed.received).toEqual(['up', 100]))
    ticker.raw('{"channel":"ticker","data":[{"symbol":"BTC/USD","la')
    ticker.raw('[]')
    ticker.raw('null')
    ticker.raw('{"channel":"ticker","data":[{"symbol":"BTC/USD","last":"101"}]}')
    ticker.raw('{"type":"ticker","product_id":"BTC-USD","price":null}')
    ticker.raw('{"type":"ticker","product_id":"ETH-USD","price":"5"}')
    ticker.price(-5)
    ticker.price(0)
    ticker.price(102)
    await shows(() => expect(feed.received).toEqual(['up', 100, 102]))
  })

  it('closes a socket without prices, and reports it', async () => {
    await using ticker = await startTicker(venue, -1)
    using feed = open(ticker, { ...PATIENCE, pricelessMs: 600 })
    await shows(() => expect(feed.received[0]).toMatch(/ sends no prices\.$/))
    ticker.price(100)
    await shows(() => expect(feed.received.slice(-2)).toEqual(['up', 100]))
  })

  it('closes a silent socket and reconnects', async () => {
    await using ticker = await startTicker(venue, 100)
    using feed = open(ticker, WATCHFUL)
    await shows(() => expect(feed.received).toContain(100))
    ticker.fallSilent()
    await shows(() => expect(feed.received.at(-1)).toMatch(/has been silent for 0.15 s/))
    ticker.dropAll()
    await shows(() => expect(feed.received.slice(-2)).toEqual(['up again', 100]))
  })

  it('retries with growing pauses while the venue is down', async () => {
    const ticker = await startTicker(venue, 100)
    using feed = open(ticker)
    await shows(() => expect(feed.received).toContain(100))
    const began = performance.now()
    await ticker[Symbol.asyncDispose]()
    const attempts = (): (number | string)[] =>
      feed.received.filter((one) => typeof one === 'string' && one.includes('reached'))
    await shows(() => expect(attempts().length).toBeGreaterThan(8))
    // At least 10, 20 and seven times 40 ms; without growing pauses at most nine times 20.
    expect(performance.now() - began).toBeGreaterThan(280)
    expect(attempts()[0]).toMatch(/cannot be reached \(ECONNREFUSED\)\.$/)
  })

  it('reports a refused subscription as a failure', async () => {
    await using ticker = await startTicker(venue, 100)
    ticker.refuse(true)
    using feed = open(ticker)
    await shows(() => expect(feed.received[0]).toMatch(/refused the subscription/))
    ticker.refuse(false)
    await shows(() => expect(feed.received).toContain(100))
  })
})

it('feeds require encryption for connections to other machines', () => {
  using feed = follow(feedOf('kraken', 'ws://ws.kraken.com/v2', PATIENCE))
  expect(feed.received).toEqual(['Kraken has an address without https.'])
})
