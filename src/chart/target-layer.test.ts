import { describe, expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { addDays, day, type Day } from '#domain/day.ts'
import { fanFrom } from '#domain/scoring/call-odds.ts'
import { motionAt, priceHistory } from '#domain/scoring/price-history.ts'
import { target } from '#tests/support/builders.ts'
import { predicted, seriesFrom, sceneWith, TODAY, closesBy } from '#tests/support/charts.ts'
import { openTargets } from './open-targets.ts'
import { type ScaleKind, type Span } from './scale.ts'
import { type Scene } from './scene.ts'
import { EMPTY_SERIES } from './series.ts'
import { sceneToSvg } from './svg.ts'
import { fanAhead, layerMarkup, strengthOf, targetPaths, targetShades } from './target-layer.ts'
import { THEMES } from './theme.ts'

const BARS = closesBy('2023-11-20', 1_097, (i) => 60_000 * 1.0004 ** i * (1 + 0.02 * Math.sin(i)))
const SERIES = seriesFrom(BARS)
const FAN = fanAhead(ASSETS.btc, SERIES)!
const open = (usd: number, voteScore: number, by: string) =>
  predicted(target(usd), [], { id: `p${usd}`, voteScore, made: TODAY, by: day(by) })
const OPEN = [open(150_000, 0, '2027-06-15'), open(155_000, 21, '2027-06-20')]
const { targets } = openTargets([...OPEN, open(300_000, 0, '2028-01-10')], 'touch', TODAY)

function sceneOf(overrides: { days?: Span; prices?: Span; scale?: ScaleKind } = {}): Scene {
  return sceneWith({
    width: 1_000,
    height: 500,
    days: [day('2026-01-01'), day('2029-01-01')],
    prices: [20_000, 400_000],
    series: SERIES,
    pricesChosen: true,
    ...overrides,
  })
}

describe('the fan from today', () => {
  it('starts at the last close with the motion used for scores', () => {
    const history = priceHistory('btc', BARS, TODAY)
    const motion = motionAt({ btc: history }, history, BARS.length - 1)
    expect(FAN).toEqual({ day: TODAY, usd: BARS.at(-1)?.close, motion })
  })

  it('is missing with too little history', () => {
    expect(fanAhead(ASSETS.btc, seriesFrom(BARS.slice(-80), TODAY))).toBeNull()
    expect(fanAhead(ASSETS.btc, EMPTY_SERIES)).toBeNull()
  })

  it.each(['btc', 'mstr'] as const)('ends for %s at the quantiles of luck', (asset) => {
    const fan = fanAhead(ASSETS[asset], SERIES)!
    // Luck is limited to two years.
    const scene = sceneOf({ days: [day('2026-01-01'), day('2027-12-31')] })
    const [solid, dashed] = targetPaths(scene, [], 'count', fan, ASSETS[asset], THEMES.light)
    const days = [0, 1, 2, 3, 4, 5, 6].map((more) => addDays(day('2027-12-31'), more))
    const ends = (band: 'half' | 'most', edge: number) =>
      fanFrom(ASSETS[asset].calendar, fan, days).map((one) => {
        const y = Math.max(-scene.plot.height, scene.price.toPx(one[band][edge] ?? 0))
        return `${tenth(scene.time.toPx(one.day))},${tenth(y)}`
      })
    const lastOf = (d = '') => d.split('M').map((line) => line.split('L').at(-1))
    expect(ends('half', 0)).toContain(lastOf(solid?.d)[1])
    expect(ends('half', 1)).toContain(lastOf(solid?.d)[2])
    expect(ends('most', 0)).toContain(lastOf(dashed?.d)[1])
    expect(dashed).toMatchObject({ kind: 'stroke', dash: [5, 4] })
  })

  it.each([
    [60, 40, 60],
    [900, 20, 65],
  ])(
    'the lines over %d days have from %d to %d points, starting at the last close',
    (more, few, many) => {
      const scene = sceneOf({ days: [day('2026-01-01'), addDays(TODAY, more)] })
      const [solid] = targetPaths(scene, [], 'count', FAN, ASSETS.btc, THEMES.light)
      const points = solid!.d.split('M')[1]!.split('L')
      expect(points.length).toBeGreaterThanOrEqual(few)
      expect(points.length).toBeLessThanOrEqual(many)
      expect(points[0]).toMatch(new RegExp(`^${tenth(scene.time.toPx(TODAY))},`))
    },
  )

  it('a past view has no fan', () => {
    const scene = sceneOf({ days: [day('2024-01-01'), TODAY] })
    expect(targetPaths(scene, targets, 'count', FAN, ASSETS.btc, THEMES.light)).toEqual([])
  })
})

function tenth(px: number): string {
  return String(Math.round(px * 10) / 10)
}

describe('the colours of cells', () => {
  it('a partly elapsed cell is painted from the last close on', () => {
    const own = openTargets([open(150_000, 0, '2026-12-31')], 'touch', TODAY).targets
    // Zoomed out until a cell is a year.
    const scene = sceneOf({ days: [day('2015-01-01'), day('2056-01-01')] })
    const startOf = (fan: typeof FAN | null) => {
      const [path] = targetPaths(scene, own, 'count', fan, ASSETS.btc, THEMES.light)
      return Number(/^M(-?[\d.]+)/.exec(path?.d ?? '')?.[1])
    }
    expect(startOf(null)).toBeLessThan(scene.time.toPx(TODAY) - 5)
    expect(startOf(FAN)).toBeGreaterThanOrEqual(scene.time.toPx(TODAY))
  })

  it('there is one path per strength, in the colour of open calls', () => {
    for (const theme of Object.values(THEMES)) {
      const paths = targetPaths(sceneOf(), targets, 'count', null, ASSETS.btc, theme)
      const fill = { kind: 'fill', colour: theme.pending }
      expect(paths).toMatchObject([fill, fill])
      expect(paths[0]!.opacity).toBeGreaterThan(paths[1]!.opacity)
    }
  })

  it('votes colour only cells with votes', () => {
    const paths = targetPaths(sceneOf(), targets, 'votes', null, ASSETS.btc, THEMES.light)
    expect(paths).toHaveLength(1)
    expect(paths[0]?.opacity).toBeGreaterThan(0.5)
  })

  it('a cell is placed at its days and prices', () => {
    const scene = sceneOf({ days: [day('2027-06-01'), day('2027-07-01')] })
    const [path] = targetPaths(scene, targets.slice(0, 1), 'count', null, ASSETS.btc, THEMES.light)
    const x = scene.time.toPx(day('2027-06-15')) + 0.5 + 2.5
    const y = scene.price.toPx(160_000) + 0.5
    expect(path?.d.startsWith(`M${tenth(x)},${tenth(y)}h`)).toBe(true)
  })

  it('more calls are stronger, the most are full, but a single call never is', () => {
    const strengths = [1, 2, 4, 6, 9].map((count) => strengthOf(count, 9, 'count'))
    expect(strengths).toEqual(strengths.toSorted((a, b) => a - b))
    expect(strengths[0]).toBeGreaterThan(0)
    expect(strengths.at(-1)).toBe(1)
    expect(strengthOf(1, 1, 'count')).toBeLessThan(0.6)
    expect(strengthOf(21, 21, 'votes')).toBe(1)
  })

  it('the legend shows the weakest and strongest cell, or nothing without cells', () => {
    const cell = { days: [0, 1], prices: [0, 1] } as const
    const cells = [
      { ...cell, calls: 3, votes: 0 },
      { ...cell, calls: 1, votes: 21 },
      { ...cell, calls: 7, votes: 2_100 },
    ]
    expect(targetShades(cells, 'count')).toEqual({ least: 1, most: 7 })
    expect(targetShades(cells, 'votes')).toEqual({ least: 21, most: 2_100 })
    expect(targetShades(cells.slice(0, 1), 'votes')).toBeNull()
    expect(targetShades([], 'count')).toBeNull()
  })
})

it.each([
  ['linear', [20_000, 400_000]],
  ['log', [0.5, 4e8]],
] as const)('the SVG has the same paths with finite numbers: %s', (scale, prices) => {
  const scene = sceneOf({ scale, prices, days: [day('2026-01-01') as Day, day('2060-01-01')] })
  const paths = targetPaths(scene, targets, 'count', FAN, ASSETS.btc, THEMES.light)
  for (const { d } of paths) expect(d).toMatch(/^[MLhvaz\d.,\s-]+$/)
  const under = layerMarkup(paths)
  const options = { theme: THEMES.light, description: 'Chart', font: 'Inter' }
  const svg = sceneToSvg(scene, { ...options, under })
  for (const { d } of paths) expect(svg).toContain(`<path d="${d}" `)
  expect(svg.indexOf(under)).toBeLessThan(svg.indexOf(`stroke="${THEMES.light.brand}"`))
})
