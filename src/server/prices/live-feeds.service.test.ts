import { afterEach, describe, expect, it, vi } from 'vitest'
import { SourceError } from '#server/kit/failure.ts'
import { dailySource, quiet } from '#tests/support/builders.ts'
import { liveFeeds, type LivePace } from './live-feeds.service.ts'
import { livePrices } from './live-prices.ts'
import { type DailySource, type TickFeed, type TickListener } from './ports.ts'
import { sourceHealth } from './price-history.service.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('live prices', () => {
  function played(name: string, asset: 'btc' = 'btc') {
    let listener: TickListener | null = null
    const feed: TickFeed = {
      name,
      title: name,
      asset,
      open: (on) => {
        listener = on
        return { close: () => (listener = null) }
      },
    }
    const on = () => {
      const to = listener
      if (!to) throw new Error(`${name} is not connected`)
      return { ...to, tick: (usd: number, at: number | null = null) => to.tick(usd, at) }
    }
    return { feed, on }
  }

  function leading(
    input: {
      polled?: readonly DailySource[]
      last?: number | null
      close?: number | null
      pace?: Partial<LivePace>
    } = {},
  ) {
    const [a, b] = [played('a'), played('b')]
    const state = { now: Date.parse('2026-11-20T12:00:00Z'), gaps: 0 }
    const { last = 100, close = null } = input
    const before = { source: 'before', at: state.now - 1_000 }
    const published: [number, string][] = []
    const at: number[] = []
    const lines: string[] = []
    const reported: (string | null)[][] = []
    const write = (_: object, line: string): void => void lines.push(line)
    const made = liveFeeds({
      clock: { now: () => state.now },
      health: sourceHealth({ info: write, warn: write, error: write }),
      feeds: input.polled ? [] : [a.feed, b.feed],
      polled: input.polled ?? [],
      publish: (message) => {
        published.push([message.price, message.source])
        at.push(message.at)
      },
      report: (_asset, source, fault) => reported.push([source, fault]),
      onGap: () => (state.gaps += 1),
      lastPrice: () => (last === null ? null : { ...before, usd: last }),
      lastClose: async () =>
        close === null ? null : { ...before, usd: close, at: state.now - 86_400_000 },
      pace: {
        leastGapMs: 0,
        repeatMs: 60,
        receivedWithinMs: 30_000,
        pollMs: 10,
        longestPollMs: 40,
        ...input.pace,
      },
    })
    made.start()
    return {
      a,
      b,
      state,
      shown: published,
      at,
      lines,
      reported,
      [Symbol.dispose]: () => made.stop(),
    }
  }

  it('show the first venue, and the second while the first is down', () => {
    using one = leading()
    one.a.on().up(false)
    one.a.on().tick(100)
    one.b.on().up(false)
    one.b.on().tick(100.5)
    one.a.on().tick(101)
    one.a.on().down('a is gone.')
    one.b.on().tick(101.5)
    one.a.on().down('a is still gone.')
    expect(one.reported).toEqual([
      ['a', null],
      ['b', null],
      ['a', 'a is gone.'],
    ])
    one.a.on().up(true)
    one.a.on().tick(102)
    expect(one.shown.join(' ')).toBe('100,a 101,a 100.5,b 101.5,b 102,a')
    expect(one.lines).toEqual(['a is gone. It will be retried.', 'a answers again.'])
    expect(one.state.gaps).toBe(1)
  })

  it('show a jump only once a second venue confirms it within a minute', () => {
    using one = leading()
    one.a.on().tick(100)
    one.b.on().tick(100)
    for (const usd of [138_000, 0.06, 110]) one.a.on().tick(usd)
    expect(one.shown.join(' ')).toBe('100,a 100,b')
    one.state.now += 61_000
    one.a.on().tick(110)
    one.b.on().tick(109)
    expect(one.shown.at(-1)).toEqual([110, 'a'])
  })

  it('show a jump that nothing else confirms or denies once it has lasted for a minute', () => {
    using one = leading()
    const tickAfter = (seconds: number, usd: number): void => {
      one.state.now += seconds * 1_000
      one.a.on().tick(usd)
    }
    tickAfter(0, 100)
    tickAfter(601, 120)
    tickAfter(59, 121)
    tickAfter(1, 140)
    tickAfter(40, 141)
    tickAfter(19, 142)
    expect(one.shown).toEqual([[100, 'a']])
    tickAfter(1, 140)
    expect(one.shown.at(-1)).toEqual([140, 'a'])
  })

  it("compare a new leader's first tick with the last price", () => {
    using one = leading({ last: 101_006 })
    one.a.on().tick(60)
    one.b.on().tick(101_010)
    one.a.on().tick(60)
    expect(one.shown).toEqual([[101_010, 'b']])
  })

  it('compare the very first tick with the last close', async () => {
    using one = leading({ last: null, close: 101_006 })
    one.a.on().tick(60)
    await new Promise((done) => setTimeout(done, 0))
    one.a.on().tick(60)
    expect(one.shown).toEqual([])
    one.a.on().tick(101_010)
    expect(one.shown).toEqual([[101_010, 'a']])
  })

  it('show the healthy venue while the first is stuck, however long', () => {
    using one = leading({ last: 100_000 })
    for (let i = 0; i < 800; i += 1) {
      one.a.on().tick(138_000)
      one.b.on().tick(100_010 + i)
      one.state.now += 1_000
    }
    expect(one.shown[0]).toEqual([100_010, 'b'])
    expect(one.shown.at(-1)).toEqual([100_809, 'b'])
    expect(one.shown.some(([usd]) => usd > 101_000)).toBe(false)
  })

  it('continue when the clock jumps back', () => {
    using one = leading()
    one.a.on().tick(100)
    one.state.now -= 7_200_000
    one.a.on().tick(101)
    expect(one.shown.at(-1)).toEqual([101, 'a'])
    const live = livePrices()
    const price = (usd: number, at: number) =>
      live.offer({ asset: 'btc', price: usd, at, source: 'kraken' })
    price(100, 10_000_000)
    price(99, 9_999_000)
    expect(live.last('btc')?.price).toBe(100)
    price(98, 1_000)
    expect(live.last('btc')?.price).toBe(98)
  })

  it('repeat an unchanged price only while the venue is up', async () => {
    vi.useFakeTimers()
    using one = leading()
    one.a.on().up(false)
    one.a.on().tick(100)
    await vi.advanceTimersByTimeAsync(200)
    expect(one.shown.length).toBeGreaterThan(2)
    one.a.on().down('a is gone.')
    const { length } = one.shown
    await vi.advanceTimersByTimeAsync(60_000)
    expect(one.shown).toHaveLength(length)
  })

  it('report when the venue traded a price, not when its connection was last alive', async () => {
    vi.useFakeTimers()
    using one = leading()
    const began = one.state.now
    one.a.on().up(false)
    one.a.on().tick(100, began - 500)
    expect(one.at).toEqual([began - 500])
    one.state.now += 50_000
    const { length } = one.at
    await vi.advanceTimersByTimeAsync(200)
    expect(one.at.length).toBeGreaterThan(length + 1)
    expect(new Set(one.at)).toEqual(new Set([began - 500]))
    // Its clock is ahead of ours; another venue sends no time.
    one.a.on().tick(101, one.state.now + 5_000)
    expect(one.at.at(-1)).toBe(one.state.now)
    one.a.on().down('a is gone.')
    one.state.now += 1_000
    one.b.on().tick(101.5)
    expect(one.at.at(-1)).toBe(one.state.now)
  })

  it('ignore a price that a venue repeats', () => {
    using one = leading()
    const began = one.state.now
    one.a.on().tick(100, began)
    one.b.on().up(false)
    one.b.on().tick(100.5, began - 1_800_000)
    one.a.on().tick(99, began - 3_600_000)
    one.a.on().down('a is gone.')
    one.b.on().tick(100.6, began - 1_700_000)
    expect(one.shown).toEqual([[100, 'a']])
    one.b.on().tick(100.7, began)
    expect(one.shown.at(-1)).toEqual([100.7, 'b'])
    // Nor does it replace the price shown before this process became the leader.
    using two = leading({ last: 100 })
    two.a.on().up(false)
    two.a.on().tick(100.5, two.state.now - 60_000)
    expect(two.shown).toEqual([])
  })

  it('show a replayed price with its age when nothing newer is known', async () => {
    using one = leading({ last: null, close: 100 })
    const began = one.state.now
    await new Promise((done) => setTimeout(done, 0))
    one.a.on().up(false)
    for (let i = 0; i < 5; i += 1) one.a.on().tick(100 + i, began - 3_600_000 + i)
    expect(one.shown.at(-1)).toEqual([104, 'a'])
    expect(one.at.every((at) => at < began - 3_000_000)).toBe(true)
  })

  const polledSource = (requests: number[]) =>
    dailySource({
      name: 'yahoo',
      title: 'Yahoo',
      asset: 'mstr',
      refreshMs: 10,
      daily: async ({ today }) => {
        requests.push(today)
        return { bars: quiet('2026-11-20', '2026-11-20', '90..110>105'), remoteMs: null }
      },
    })

  it('poll assets without a stream while their exchange is open', async () => {
    vi.useFakeTimers()
    const requests: number[] = []
    const source = polledSource(requests)
    using one = leading({ polled: [source], last: 105, pace: { repeatMs: 60_000 } })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests).toHaveLength(0)
    one.state.now = Date.parse('2026-11-20T15:00:00Z')
    // Each answer publishes the same number.
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.shown.length).toBeGreaterThan(2)
    expect(one.shown[0]).toEqual([105, 'yahoo'])
  })

  it('say why a polled source fails', async () => {
    vi.useFakeTimers()
    const fault = new SourceError('down', 'Yahoo is away.')
    using one = leading({ polled: [{ ...polledSource([]), daily: () => Promise.reject(fault) }] })
    one.state.now = Date.parse('2026-11-20T15:00:00Z')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.reported).toEqual([['yahoo', fault.message]])
  })

  it('poll often enough for pages that mark a price as old after a minute', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T15:00:00Z') })
    const at: number[] = []
    const made = liveFeeds({
      clock: { now: () => Date.now() },
      health: sourceHealth({ info: () => {}, warn: () => {}, error: () => {} }),
      feeds: [],
      polled: [{ ...polledSource([]), refreshMs: 300_000 }],
      publish: (message) => at.push(message.at),
      report: () => {},
      onGap: () => {},
      lastPrice: () => ({ source: 'yahoo', usd: 105, at: Date.now() }),
      lastClose: async () => null,
    })
    made.start()
    await vi.advanceTimersByTimeAsync(600_000)
    made.stop()
    const gaps = [...new Set(at)].map((one, i, all) => one - (all[i - 1] ?? one))
    expect(gaps.length).toBeGreaterThan(10)
    expect(Math.max(...gaps)).toBeLessThan(50_000)
  })
})
