import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { liveFeed, type LiveFeed } from './live.ts'

const NOW = Date.parse('2026-11-20T14:05:00Z')

/** A connection that the test ends and speaks through; it stands for sockets and streams alike. */
class Connection extends EventTarget {
  static readonly opened: Connection[] = []
  readonly url: string
  isOpen = true

  constructor(url: URL | string) {
    super()
    this.url = String(url)
    Connection.opened.push(this)
  }

  close(): void {
    this.isOpen = false
  }

  say(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))
  }

  /** @param aheadMs how far the clock of this machine is ahead of the server's */
  price(usd: number, agoMs = 0, aheadMs = 0): void {
    const now = Date.now() - aheadMs
    this.say('message', { price: usd, asset: 'btc', at: now - agoMs, source: 'kraken', now })
  }
}

class FakeSocket extends Connection {}
class FakeStream extends Connection {}

const open = (kind: typeof Connection) =>
  Connection.opened.filter((one) => one instanceof kind && one.isOpen)
const socket = () => open(FakeSocket)[0]
const stream = () => open(FakeStream)[0]

let sight: EventTarget & { hidden: boolean }
let feed: LiveFeed
let leave: () => void

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  Connection.opened.length = 0
  sight = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', sight)
  vi.stubGlobal('window', { location: { href: 'https://example.org/btc' } })
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('EventSource', FakeStream)
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new Error('no network')))
  feed = liveFeed('btc')
  leave = feed.onPrice(() => {})
})

afterEach(() => {
  leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function turn(hidden: boolean): void {
  sight.hidden = hidden
  sight.dispatchEvent(new Event('visibilitychange'))
}

describe('the live price', () => {
  it('comes by the socket of the own host, with where it went', () => {
    expect(socket()?.url).toBe('wss://example.org/ws/price?asset=btc')
    expect(feed.price()).toBeNull()
    socket()?.price(100)
    expect(feed.price()).toMatchObject({
      usd: 100,
      direction: null,
      isOld: false,
      source: 'kraken',
    })
    socket()?.price(101, -1)
    expect(feed.price()).toMatchObject({ usd: 101, direction: 'up' })
    socket()?.price(99, -2)
    expect(feed.price()).toMatchObject({ usd: 99, direction: 'down' })
  })

  it('passes over what is no price', () => {
    for (const data of [null, 7, 'x', {}, { price: '5' }, { price: -1 }, { price: 0 }]) {
      socket()?.say('message', data)
    }
    socket()?.dispatchEvent(new MessageEvent('message', { data: '{"price":' }))
    expect(feed.price()).toBeNull()
  })

  it('is old after a minute of silence, and a repeat does not make it younger', () => {
    socket()?.price(100)
    for (let agoMs = 15_000; agoMs < 60_000; agoMs += 15_000) {
      vi.advanceTimersByTime(15_000)
      socket()?.price(100, agoMs)
    }
    vi.advanceTimersByTime(14_000)
    expect(feed.price()?.isOld).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(feed.price()?.isOld).toBe(true)
    socket()?.price(100, 60_000)
    expect(feed.price()?.isOld).toBe(true)
  })

  it('is not live while a venue tells again what was traded before, however it changes', () => {
    for (let i = 0; i < 20; i += 1) socket()?.price(100 + i, 3_600_000 - i)
    expect(feed.price()).toMatchObject({ usd: 119, isOld: true })
  })

  it('is the last price as soon as no line is left, and live again with the next line', () => {
    stream()?.dispatchEvent(new Event('open'))
    socket()?.price(100)
    const at = Date.now()
    socket()?.dispatchEvent(new Event('close'))
    expect(feed.price()?.isOld).toBe(false)
    stream()?.dispatchEvent(new Event('error'))
    expect(feed.price()).toMatchObject({ usd: 100, at, isOld: true })
    vi.advanceTimersByTime(6_000)
    socket()?.price(100, 6_000)
    expect(feed.price()).toMatchObject({ usd: 100, at, isOld: false })
    vi.advanceTimersByTime(54_000)
    expect(feed.price()?.isOld).toBe(true)
  })

  it('is old from the start when the last one known is', () => {
    socket()?.price(100, 3_600_000)
    expect(feed.price()).toMatchObject({ usd: 100, isOld: true, at: NOW - 3_600_000 })
  })

  it('is live on a machine whose clock is five minutes ahead', () => {
    socket()?.price(100, 0, 300_000)
    expect(feed.price()?.isOld).toBe(false)
    vi.advanceTimersByTime(1_000)
    socket()?.price(101, 0, 300_000)
    expect(feed.price()?.isOld).toBe(false)
    vi.advanceTimersByTime(60_000)
    expect(feed.price()?.isOld).toBe(true)
  })

  it('is asked for when none comes', async () => {
    const answer = { price: 95, date: '2026-11-20', source: 'kraken', at: '2026-11-20T14:04:30Z' }
    vi.mocked(fetch).mockResolvedValue(new Response(JSON.stringify(answer)))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(fetch).toHaveBeenCalledWith('/live-price?asset=btc')
    expect(feed.price()).toMatchObject({ usd: 95, isOld: false })
  })
})

describe('its connections', () => {
  it('are made again five seconds after their end', () => {
    socket()?.dispatchEvent(new Event('close'))
    expect(socket()).toBeUndefined()
    vi.advanceTimersByTime(4_900)
    expect(socket()).toBeUndefined()
    vi.advanceTimersByTime(1_100)
    expect(socket()).toBeDefined()
  })

  it('are taken for dead after three repeats that did not come', () => {
    const first = socket()
    first?.price(100)
    vi.advanceTimersByTime(45_000)
    expect(first?.isOpen).toBe(false)
    vi.advanceTimersByTime(6_000)
    expect(socket()).toBeDefined()
  })

  it('live on while the server says an old price again, which stays old', () => {
    const [line, events] = [socket(), stream()]
    line?.price(100)
    const at = Date.now()
    events?.say('price', 99)
    for (let i = 0; i < 240; i += 1) {
      vi.advanceTimersByTime(15_000)
      line?.say('message', { price: 100, asset: 'btc', at, source: 'kraken' })
      events?.say('alive', 1)
    }
    expect([line?.isOpen, events?.isOpen]).toEqual([true, true])
    expect(feed.price()).toMatchObject({ usd: 100, at, isOld: true })
    vi.advanceTimersByTime(45_000)
    expect([line?.isOpen, events?.isOpen]).toEqual([false, false])
  })

  it('give prices by the stream where sockets are blocked, but not its welcome of unknown age', () => {
    socket()?.dispatchEvent(new Event('error'))
    stream()?.say('price', 100)
    expect(feed.price()).toBeNull()
    stream()?.say('price', 101)
    expect(feed.price()).toMatchObject({ usd: 101, isOld: false })
    stream()?.say('price', 102)
    expect(feed.price()).toMatchObject({ usd: 102, direction: 'up' })
  })

  it('are let go by a tab that is out of sight, and taken up when it is back', () => {
    turn(true)
    vi.advanceTimersByTime(29_000)
    expect(socket()).toBeDefined()
    vi.advanceTimersByTime(1_000)
    expect(open(Connection)).toEqual([])
    vi.advanceTimersByTime(600_000)
    expect(open(Connection)).toEqual([])
    turn(false)
    expect(open(Connection)).toHaveLength(2)
  })

  it('end with the last listener', () => {
    leave()
    expect(open(Connection)).toEqual([])
  })
})

describe('verdicts', () => {
  it('are told, and a gap is told after a lost connection', () => {
    const told = vi.fn<() => void>()
    const missed = vi.fn<() => void>()
    const changed = vi.fn<() => void>()
    const stop = feed.onVerdict({ told, changed, missed })
    stream()?.dispatchEvent(new Event('open'))
    const verdict = { id: 'a', asset: 'btc', mode: 'touch', outcome: 'hit' }
    stream()?.say('verdict', verdict)
    stream()?.say('verdict', { ...verdict, outcome: 'maybe' })
    expect(told.mock.calls).toEqual([[verdict]])
    stream()?.say('prediction', { id: 'b', asset: 'mstr', expert: 'ada' })
    stream()?.say('prediction', { id: 7 })
    expect(changed.mock.calls).toEqual([[{ id: 'b', expert: 'ada' }]])
    expect(missed).not.toHaveBeenCalled()
    stream()?.dispatchEvent(new Event('error'))
    vi.advanceTimersByTime(6_000)
    stream()?.dispatchEvent(new Event('open'))
    expect(missed).toHaveBeenCalledOnce()
    stream()?.say('reset', 1)
    expect(missed).toHaveBeenCalledTimes(2)
    stop()
  })
})
