import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  followVerdicts,
  liveFeed,
  readChange,
  readPrice,
  readVerdict,
  type LiveFeed,
} from './live.ts'
import { follow } from './page-stream.ts'
import { noteSilence, watchReach } from './reach.ts'

const NOW = Date.parse('2026-11-20T14:05:00Z')

/** An event stream controlled by the test. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2
  static readonly opened: FakeStream[] = []
  readonly url: string
  isOpen = true
  readyState = 1

  constructor(url: URL | string) {
    super()
    this.url = String(url)
    FakeStream.opened.push(this)
  }

  close(): void {
    this.isOpen = false
    this.readyState = 2
  }

  /** Like a browser: reconnects a lost connection, but gives up a refused one. */
  fail(how: 'lost' | 'refused'): void {
    this.isOpen = how === 'lost'
    this.readyState = how === 'lost' ? 0 : 2
    this.dispatchEvent(new Event('error'))
  }

  say(type: string, data: unknown, lastEventId = ''): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }))
  }

  /** @param aheadMs by how much this machine's clock is ahead of the server's */
  price(usd: number, agoMs = 0, aheadMs = 0): void {
    const now = Date.now() - aheadMs
    this.say('price', { price: usd, asset: 'btc', at: now - agoMs, source: 'kraken', now })
  }
}

const open = () => FakeStream.opened.filter((one) => one.isOpen)
const stream = () => open()[0]

let sight: EventTarget & { hidden: boolean }
let feed: LiveFeed
let leave: () => void

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW })
  FakeStream.opened.length = 0
  sight = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', sight)
  vi.stubGlobal('EventSource', FakeStream)
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new Error('no network')))
  feed = liveFeed('btc')
  leave = feed.onPrice(() => {})
  await settled()
})

afterEach(async () => {
  leave()
  await settled()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Subscriptions changed in the same step reopen the stream once. */
const settled = () => Promise.resolve()

function turn(hidden: boolean): void {
  sight.hidden = hidden
  sight.dispatchEvent(new Event('visibilitychange'))
}

describe('the live price', () => {
  it('arrives by the stream, with its direction', () => {
    expect(stream()?.url).toBe('/api/v1/live?asset=btc')
    expect(feed.price()).toBeNull()
    stream()?.price(100)
    const first = { usd: 100, direction: null, isOld: false, source: 'kraken' }
    expect(feed.price()).toMatchObject(first)
    stream()?.price(101, -1)
    expect(feed.price()).toMatchObject({ usd: 101, direction: 'up' })
    stream()?.price(99, -2)
    expect(feed.price()).toMatchObject({ usd: 99, direction: 'down' })
  })

  it('ignores messages that are not prices', () => {
    stream()?.say('price', { price: -1 })
    stream()?.dispatchEvent(new MessageEvent('price', { data: '{"price":' }))
    expect(feed.price()).toBeNull()
  })

  it('is old after a minute of silence, also if the same price is repeated', () => {
    stream()?.price(100)
    for (let agoMs = 15_000; agoMs < 60_000; agoMs += 15_000) {
      vi.advanceTimersByTime(15_000)
      stream()?.price(100, agoMs)
    }
    vi.advanceTimersByTime(14_000)
    expect(feed.price()?.isOld).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(feed.price()?.isOld).toBe(true)
    stream()?.price(100, 60_000)
    expect(feed.price()?.isOld).toBe(true)
  })

  it('is not live while a venue repeats old trades, even at changing prices', () => {
    for (let i = 0; i < 20; i += 1) stream()?.price(100 + i, 3_600_000 - i)
    expect(feed.price()).toMatchObject({ usd: 119, isOld: true })
  })

  it('becomes old when the stream ends, and live with the next message', () => {
    stream()?.price(100)
    const at = Date.now()
    expect(feed.price()?.isOld).toBe(false)
    stream()?.fail('lost')
    expect(feed.price()).toMatchObject({ usd: 100, at, isOld: true })
    vi.advanceTimersByTime(9_000)
    stream()?.price(100, 9_000)
    expect(feed.price()).toMatchObject({ usd: 100, at, isOld: false })
    vi.advanceTimersByTime(51_000)
    expect(feed.price()?.isOld).toBe(true)
  })

  it("is live although this machine's clock is five minutes ahead", () => {
    stream()?.price(100, 0, 300_000)
    expect(feed.price()?.isOld).toBe(false)
    vi.advanceTimersByTime(1_000)
    stream()?.price(101, 0, 300_000)
    expect(feed.price()?.isOld).toBe(false)
    vi.advanceTimersByTime(60_000)
    expect(feed.price()?.isOld).toBe(true)
  })

  it('is requested when the stream sends none', async () => {
    const answer = { price: 95, date: '2026-11-20', source: 'kraken', at: '2026-11-20T14:04:30Z' }
    vi.mocked(fetch).mockResolvedValue(new Response(JSON.stringify(answer)))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(vi.mocked(fetch).mock.lastCall?.[0]).toBe('/live-price?asset=btc')
    expect(feed.price()).toMatchObject({ usd: 95, isOld: false })
  })
})

describe('the event stream', () => {
  it('leaves reconnecting to the browser after a lost connection', () => {
    const first = stream()
    first?.fail('lost')
    vi.advanceTimersByTime(40_000)
    first?.say('alive', 1)
    vi.advanceTimersByTime(40_000)
    expect([FakeStream.opened.length, first?.isOpen]).toEqual([1, true])
  })

  it('is reopened five seconds after a refusal, from the last event on', () => {
    const first = stream()
    first?.say('alive', 1, 'process-7')
    first?.fail('refused')
    first?.fail('refused')
    expect(stream()).toBeUndefined()
    vi.advanceTimersByTime(4_900)
    expect(stream()).toBeUndefined()
    vi.advanceTimersByTime(2_600)
    expect(stream()?.url).toBe('/api/v1/live?asset=btc&after=process-7')
  })

  it('counts as dead after three missed repeats', () => {
    const first = stream()
    first?.price(100)
    vi.advanceTimersByTime(45_000)
    expect(first?.isOpen).toBe(false)
    vi.advanceTimersByTime(9_000)
    expect(stream()).toBeDefined()
  })

  it('stays open on heartbeats alone, while the price becomes old', () => {
    const first = stream()
    first?.price(100)
    const at = Date.now()
    for (let i = 0; i < 240; i += 1) {
      vi.advanceTimersByTime(15_000)
      first?.say('alive', 1)
    }
    expect(first?.isOpen).toBe(true)
    expect(feed.price()).toMatchObject({ usd: 100, at, isOld: true })
    vi.advanceTimersByTime(45_000)
    expect(first?.isOpen).toBe(false)
  })

  it('closes in a hidden tab and reopens when it is visible again', () => {
    turn(true)
    vi.advanceTimersByTime(29_000)
    expect(stream()).toBeDefined()
    vi.advanceTimersByTime(1_000)
    expect(open()).toEqual([])
    vi.advanceTimersByTime(600_000)
    expect(open()).toEqual([])
    turn(false)
    expect(open()).toHaveLength(1)
  })

  it('closes with the last listener', async () => {
    leave()
    await settled()
    expect(open()).toEqual([])
  })

  it('is shared by all subscriptions, and reopening it does not make the price old', async () => {
    const receipts: unknown[] = []
    const none = (): void => undefined
    stream()?.price(100)
    stream()?.say('alive', 1, 'process-7')
    const first = stream()
    const ends = [
      followVerdicts({ judged: none, changed: none, missed: none }),
      follow({ receipt: 'a b', on: { receipt: (data) => receipts.push(data) } }),
      follow({ receipt: 'a b', on: {} }),
    ]
    await settled()
    expect(first?.isOpen).toBe(false)
    const [one, ...more] = open()
    expect([one?.url, more]).toEqual(['/api/v1/live?asset=btc&receipt=a+b&after=process-7', []])
    expect(feed.price()?.isOld).toBe(false)
    stream()?.say('receipt', { path: '/receipt/a b' })
    expect(receipts).toEqual([{ path: '/receipt/a b' }])
    for (const end of ends) end()
    await settled()
    expect(stream()?.url).toBe('/api/v1/live?asset=btc&after=process-7')
  })

  it('passes prices only to the feed of their asset', async () => {
    const other = liveFeed('mstr')
    const end = other.onPrice(() => {})
    await settled()
    expect(open().map(({ url }) => url)).toEqual([expect.stringContaining('asset=mstr')])
    stream()?.price(5)
    expect(other.price()?.usd).toBe(5)
    expect(feed.price()).toBeNull()
    end()
  })
})

it('prices are old once a call found the site unreachable', () => {
  Object.assign(sight, { querySelector: () => null })
  vi.stubGlobal('window', new EventTarget())
  watchReach()
  stream()?.price(86_000)
  expect(feed.price()?.isOld).toBe(false)
  noteSilence()
  expect(feed.price()?.isOld).toBe(true)
})

it('verdicts are passed on, and so is a gap in the stream', async () => {
  const judged = vi.fn<() => void>()
  const missed = vi.fn<() => void>()
  const changed = vi.fn<() => void>()
  const stop = followVerdicts({ judged, changed, missed })
  leave()
  await settled()
  expect(stream()?.url).toContain('asset=none')
  const verdict = { id: 'a', asset: 'btc', mode: 'touch', outcome: 'hit' }
  stream()?.say('verdict', verdict)
  stream()?.say('verdict', { ...verdict, outcome: 'maybe' })
  expect(judged.mock.calls).toEqual([[verdict]])
  stream()?.say('prediction', { id: 'b', asset: 'mstr', expert: 'ada' })
  stream()?.say('prediction', { id: 7 })
  expect(changed.mock.calls).toEqual([[{ id: 'b', expert: 'ada' }]])
  stream()?.fail('refused')
  vi.advanceTimersByTime(9_000)
  expect(missed).not.toHaveBeenCalled()
  stream()?.say('reset', 1)
  expect(missed).toHaveBeenCalledOnce()
  stop()
})

const PRICE = { usd: 5, at: null, source: null, now: null }

it.each([
  [{ price: 5 }, PRICE],
  [
    { price: 5, at: 7, source: 'kraken', now: 9 },
    { usd: 5, at: 7, source: 'kraken', now: 9 },
  ],
  [
    { price: 5, at: '1970-01-01T00:00:01Z', source: '', now: NaN },
    { ...PRICE, at: 1_000 },
  ],
  [{ price: 5, at: 'soon' }, PRICE],
  [{ price: 0 }, null],
  [{ price: -1 }, null],
  [{ price: '5' }, null],
  [{ price: Infinity }, null],
  ['5', null],
  [null, null],
])('reads %j as a price', (value, read) => expect(readPrice(value)).toEqual(read))

it('rejects incomplete verdicts and changes', () => {
  const verdict = { id: 'a', asset: 'btc', mode: 'touch', outcome: 'hit' }
  expect(readVerdict({ ...verdict, more: 1 })).toEqual(verdict)
  const odd = [{ id: 1 }, { asset: 'eth' }, { mode: 'open' }, { outcome: 'won' }]
  expect(odd.map((one) => readVerdict({ ...verdict, ...one }))).toEqual(odd.map(() => null))
  expect(readChange({ id: 'a', expert: 'b', more: 1 })).toEqual({ id: 'a', expert: 'b' })
  for (const part of [{ id: 'a' }, { expert: 'b' }, null]) expect(readChange(part)).toBeNull()
})
