import { expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { addDays, day } from '#domain/day.ts'
import { type StatedCall } from '#domain/scoring/stated-calls.ts'
import { expectReadable, wordsOf, seriesFrom, closesBy } from '#tests/support/charts.ts'
import { hedgehogPicture, makeHedgehog } from './hedgehog.ts'
import { EMPTY_SERIES } from './series.ts'

const TODAY = day('2024-12-01')
const SERIES = seriesFrom(
  closesBy('2015-01-01', 3_600, (i) => 300 * 1.0015 ** i),
  TODAY,
)

function call(id: string, overrides: Partial<StatedCall> = {}): StatedCall {
  return {
    id,
    slug: id,
    name: `Expert ${id}`,
    made: day('2021-06-01'),
    due: day('2022-12-31'),
    from: 10_000,
    level: 50_000,
    outcome: 'miss',
    isDecided: true,
    isRepeat: false,
    error: 0.5,
    ...overrides,
  }
}
const draw = (calls: readonly StatedCall[], series = SERIES) =>
  makeHedgehog({ axis: ASSETS.btc.axis, series, calls, today: TODAY, width: 1_200, height: 600 })

it('the hedgehog draws each call from its starting price to its level at its deadline', () => {
  const { threads, plot } = draw([call('a'), call('b', { level: 500_000 })])
  const [low, high] = [threads[0]!, threads[1]!]
  expect([low.x0, low.y0]).toEqual([high.x0, high.y0])
  expect(low.x1).toBe(high.x1)
  expect(high.y1).toBeLessThan(low.y1)
  expect(low.y1).toBeLessThan(low.y0)
  for (const { x0, y0, x1, y1 } of threads) {
    for (const x of [x0, x1]) expect(x).toBeGreaterThanOrEqual(plot.x)
    for (const y of [y0, y1]) expect(y).toBeGreaterThanOrEqual(plot.y)
    expect(x1).toBeLessThanOrEqual(plot.x + plot.width)
  }
  const whole = { year: 2021, isCut: false }
  expect(threads).toMatchObject([whole, whole])
})

it('the hedgehog cuts a thread at the edge if its deadline is outside', () => {
  const far = call('far', { due: day('2045-12-31'), level: 49e6, outcome: 'pending' })
  const { threads, plot, rows } = draw([call('a'), far])
  expect(threads[1]).toMatchObject({ isCut: true })
  expect(threads[1]?.x1).toBeCloseTo(plot.x + plot.width)
  expect(threads[1]?.y1).toBeGreaterThan(plot.y)
  expect(rows.at(-1)?.label).not.toBe('$10M')
})

it('the hedgehog keeps year names apart', () => {
  const many = ['2020-03-0', '2021-03-0'].flatMap((month) =>
    [1, 2, 3, 4].map((of) => call(`${month}${of}`, { made: day(`${month}${of}`) })),
  )
  const { consensus } = draw(many)
  expect(consensus.map(({ year }) => year)).toEqual([2020, 2021])
  expect(Math.abs(consensus[0]!.nameY - consensus[1]!.nameY)).toBeGreaterThanOrEqual(13)
})

it('the hedgehog works without prices and without calls', () => {
  expect(draw([], EMPTY_SERIES)).toMatchObject({ threads: [], consensus: [], last: null })
  expect(draw([]).last?.text).toMatch(/^\$/)
})

it('the hedgehog picture has readable finding, source and address', () => {
  const picture = (finding: string) =>
    hedgehogPicture({
      axis: ASSETS.btc.axis,
      series: SERIES,
      calls: [call('a'), call('b', { due: addDays(TODAY, 90), outcome: 'pending' })],
      today: TODAY,
      year: 2021,
      finding,
      source: '264 calls, each with its source; judged by intraday prices up to 01/10/2026',
      address: 'example.org/history?year=2021',
      siteName: 'Proof of Price',
    })
  const finding =
    '22 Bitcoin calls made in 2021 are decided. 5 came true. The middle one was 153% too high at its deadline.'
  const svg = picture(finding)
  expectReadable(svg)
  const words = wordsOf(svg).map(({ text }) => text)
  expect(words.join(' ')).toContain(finding)
  expect(words).toContain('example.org/history?year=2021')
  expect(picture('<b>&')).toContain('&lt;b&gt;&amp;')
})
