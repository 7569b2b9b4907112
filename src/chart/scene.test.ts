import { describe, expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { addDays, day } from '#domain/day.ts'
import { range, target, top } from '#tests/support/builders.ts'
import {
  closes,
  predicted,
  seriesFrom,
  sceneWith,
  marksOf,
  closesBy,
} from '#tests/support/charts.ts'
import { boxOf, markAt } from './hit-test.ts'
import { countOf, stackOf } from './marks.ts'
import { type Scene, type SceneQuestion } from './scene.ts'
import { EMPTY_SERIES } from './series.ts'
import { sceneToSvg } from './svg.ts'
import { THEMES } from './theme.ts'
import { makeThreads } from './threads.ts'

const BARS = closesBy('2023-12-01', 120, (i) => 100 + i + 8 * Math.sin(i))

function scene(predictions: readonly Prediction[], overrides: Partial<SceneQuestion> = {}): Scene {
  const marks = marksOf(predictions)
  const { axis } = ASSETS.mstr
  return sceneWith({ axis, series: seriesFrom(BARS), marks, ...overrides })
}

const many = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    predicted(target(20 + ((i * 37) % 370)), BARS, {
      id: `p${String(i)}`,
      by: addDays(day('2024-01-02'), (i * 13) % 80),
    }),
  )

it('a live price is connected to the line across days without a close', () => {
  const live = (date: string) => scene([], { live: { day: day(date), usd: 150 } })
  expect(live('2024-03-30').gap).toBeNull()
  const { gap, last } = live('2024-03-31')
  expect(gap?.slice(2)).toEqual([last?.x, last?.y])
})

describe('labels', () => {
  it('avoid the line of the median target', () => {
    const usd = 200
    const days = [day('2023-12-01'), day('2024-04-01')] as const
    const median = { usd, count: 3, days, label: 'median target $200' }
    const { labels, price } = scene(many(120), { median })
    const y = price.toPx(usd)
    expect(labels.length).toBeGreaterThan(10)
    expect(labels.filter(({ label }) => label.y - 10 < y && y < label.y + 4)).toEqual([])
  })

  it('number at most 26 on a desktop and 8 on a phone, and are shortened before they are dropped', () => {
    expect(scene(many(300)).labels.length).toBeLessThanOrEqual(26)
    const phone = scene(many(300), { width: 390, height: 280 })
    expect(phone.labels.length).toBeLessThanOrEqual(8)
    const long = { id: 1, name: 'Experienced Expert', slug: 'x', handle: null }
    const named = many(3).map((one) => ({ ...one, expert: long }))
    const { labels } = scene(named, { width: 390, height: 280 })
    expect(labels.filter(({ label }) => label.text.startsWith('E. Expert '))).not.toHaveLength(0)
  })

  it('name each call once, at its sign if it was a hit', () => {
    const { labels } = scene(many(60))
    const ids = labels.map(({ shape }) => shape.mark.prediction.id)
    expect(new Set(ids).size).toBe(ids.length)
    const hit = labels.find(({ shape }) => shape.mark.kind === 'success')
    expect(hit?.label.text).toMatch(/\$\d+, .*2024$/)
  })
})

it('the chart has the margins of the specification on a phone', () => {
  const margins = ({ width, height, plot }: Scene) => {
    const right = width - plot.x - plot.width
    return [plot.y, right, height - plot.y - plot.height, plot.x]
  }
  const phone = { width: 390, height: 280 }
  expect(margins(scene([], { ...phone, axis: ASSETS.btc.axis }))).toEqual([15, 40, 25, 45])
  expect(margins(scene([], phone))).toEqual([15, 15, 25, 45])
})

const low = predicted(target(-1_000), BARS)
it('a level beyond the axis is at the bottom edge of a log axis, with its true value', () => {
  const { shapes, labels, plot } = scene([low], { scale: 'log', prices: [10, 1_000] })
  expect(shapes[0]).toMatchObject({ pinned: 'below', y0: plot.y + plot.height - 8 })
  expect(labels[0]?.label.text).toBe('Expert A -$1k')
})
it('a level beyond the axis is at the top edge if it was excluded from the axis', () => {
  const high = predicted(target(49_000_000), BARS)
  expect(scene([high]).shapes[0]?.pinned).toBe('above')
  expect(scene([high], { pricesChosen: true }).shapes).toEqual([])
})

it('the chart counts calls due after its end with nothing in view', () => {
  const calls = ['2024-04-01', '2024-04-02', '2024-05-01'].map((by, i) =>
    predicted(target(49_000_000), BARS, { id: String(i), by: day(by) }),
  )
  const later = { count: 2, until: day('2024-05-01'), label: { text: '2 more after Apr 2024 →' } }
  expect(scene(calls, { pricesChosen: true }).later).toMatchObject(later)
})

describe('hit test', () => {
  const level = predicted(target(300), BARS, { id: 'dot', by: day('2024-02-01') })
  const area = predicted(range(250, 350), BARS, { id: 'area', by: day('2024-03-01') })
  const both = scene([level, area])
  const dot = both.shapes[0]
  const at = (dx: number, dy: number) =>
    dot ? (markAt(both, dot.signX + dx, dot.signY + dy, 6)?.prediction.id ?? null) : null

  it('finds a sign on top of an area, and the area beside it', () => {
    expect(at(3, 0)).toBe('dot')
    expect(at(60, 5)).toBe('area')
  })
  it('finds the first of two stacked signs, which alone is drawn, and the stack', () => {
    const twins = scene([level, { ...level, id: 'upper' }])
    const [shape] = twins.shapes
    const found = shape && markAt(twins, shape.signX, shape.signY, 6)
    expect(found?.prediction.id).toBe(shape?.mark.prediction.id)
    expect(twins.shapes).toHaveLength(2)
    const ids = found && stackOf(twins, found).map(({ prediction }) => prediction.id)
    expect(ids).toEqual(twins.shapes.map(({ mark }) => mark.prediction.id))
    expect(twins.signs).toHaveLength(1)
    expect(twins.stacks.map((stack) => countOf(stack, twins.radius).text)).toEqual(['2'])
    expect(dot && stackOf(both, dot.mark)).toEqual([])
  })
  it('finds a claim by its thread', () => {
    const threads = makeThreads(marksOf([level]), seriesFrom(BARS))
    const threaded = scene([level], { threads })
    const { x0, x1, y0, y1 } = threaded.threads[0]!
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
    expect(markAt(threaded, x, y + 2, 6)?.kind).toBe('target')
    expect(markAt(threaded, x, y + 9, 6)).toBeNull()
    expect(markAt(scene([level]), x, y, 6)).toBeNull()
  })
  it('finds nothing 30 px away', () => {
    expect(at(0, 150)).toBeNull()
  })
  it('finds a mark by its exposed box', () => {
    const box = dot && boxOf(both, dot)
    expect(box && markAt(both, box.x + box.w / 2, box.y + box.h / 2, 6)?.prediction.id).toBe('dot')
  })
})

it.each<[string, Partial<SceneQuestion>]>([
  ['no data', { series: EMPTY_SERIES }],
  ['one point', { series: seriesFrom(closes('2024-01-01', 5)) }],
  ['equal prices', { series: seriesFrom(closes('2024-01-01', 5, 5, 5)), prices: [5, 5] }],
  ['one day in view', { days: [day('2024-01-01'), day('2024-01-01')] }],
  ['a container without size', { width: 0, height: 0 }],
  ['a container smaller than its margins', { width: 60, height: 20 }],
  ['an impossible log axis', { scale: 'log', prices: [-5, 0] }],
])('bad input, %s, gives a picture in finite numbers', (_name, question) => {
  const drawn = scene(many(5), question)
  expect([...drawn.line].every(Number.isFinite)).toBe(true)
  for (const { signX, signY } of drawn.shapes) expect(Number.isFinite(signX + signY)).toBe(true)
})

const options = { theme: THEMES.light, font: 'Inter', description: 'A & B' }
it('a static picture escapes all text', () => {
  const evil = predicted(target(300), BARS, {
    expert: { id: 1, name: '<script>"x"&\'', slug: 'x', handle: null },
    by: day('2024-02-01'),
  })
  const svg = sceneToSvg(scene([evil]), options)
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&lt;script&gt;&quot;x&quot;&amp;&#39;')
  expect(svg).toContain('aria-label="A &amp; B"')
})
it('a static picture has no style attributes and closes every element', () => {
  const svg = sceneToSvg(scene(many(30)), options)
  expect(svg).not.toMatch(/style=|NaN|Infinity|undefined/)
  const opened = svg.match(/<(svg|text)[ >]/g)?.length
  expect(svg.match(/<\/(svg|text)>/g)?.length).toBe(opened)
})

it('a range outside the axis is labelled at the edge with an arrow', () => {
  const far = predicted(range(3_000, 49_000), [], { by: day('2045-12-31') })
  const { labels, plot } = scene([far])
  expect(labels.map(({ label }) => label.text)).toEqual(['↑ Expert A $3k–$49k'])
  expect(labels[0]?.label.y).toBeLessThan(plot.y + 30)
})

it('the chart draws void predictions dashed', () => {
  const broken = predicted(top(50), BARS)
  expect(broken.verdicts.touch.outcome).toBe('void')
  const options = { theme: THEMES.light, description: '', font: 'Inter' }
  const svg = sceneToSvg(scene([broken]), options)
  expect(svg).toMatch(/stroke-dasharray="5 4" stroke-width="1.5"/)
})

it('axis events are shown if they are in view, including both ends', () => {
  const xs = (from: string, to: string) =>
    scene([], { axis: ASSETS.btc.axis, days: [day(from), day(to)] }).events.map(({ x }) => x)
  expect(xs('2016-07-09', '2020-05-11')).toHaveLength(2)
  expect(xs('2016-07-10', '2020-05-10')).toEqual([])
})
