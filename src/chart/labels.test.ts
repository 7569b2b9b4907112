import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ASSETS } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { readClaim, type ClaimFields } from '#domain/claim/fields.ts'
import { addDays, day } from '#domain/day.ts'
import { bar } from '#tests/support/builders.ts'
import { predicted, sceneWith, seriesFrom } from '#tests/support/charts.ts'
import { rounds } from '#tests/support/deep.ts'
import { fittedDomain } from './axes.ts'
import {
  aroundPoint,
  labelSpace,
  levelGaps,
  uprightGaps,
  type Label,
  type Place,
} from './labels.ts'
import { makeMarks } from './marks.ts'
import { wordsOf, type Scene } from './scene.ts'
import { makeThreads } from './threads.ts'

const PLOT = { x: 0, y: 0, width: 400, height: 300 }
const NO_LINE = new Float64Array(0)
const WIDTH = 60

function spaceWith(...signs: readonly Place[]) {
  const space = labelSpace(PLOT, NO_LINE)
  for (const [x, y] of signs) space.block('sign', { x0: x, x1: x, y0: y, y1: y })
  return space
}

it('places a label next to its own sign, never on another', () => {
  const places = aroundPoint(100, 100, 6, WIDTH)
  const [beside, left] = places
  const own = spaceWith([100, 100])
  expect(own.take('$150,000', WIDTH, places)).toMatchObject({ x: beside?.[0], y: beside?.[1] })
  const crowded = spaceWith([100, 100], [140, 102])
  expect(crowded.take('$150,000', WIDTH, places)).toMatchObject({ x: left?.[0], y: left?.[1] })
  // It is omitted with signs on all sides.
  const full = spaceWith([100, 100], [140, 102], [60, 102], [90, 88], [110, 118])
  expect(full.take('$150,000', WIDTH, places)).toBeNull()
})

it.each([
  // To the right of the point, through the label's position.
  ['level', { x0: 105, x1: 400, y0: 100, y1: 100 }],
  ['upright', { x0: 130, x1: 130, y0: 50, y1: 150 }],
  ['upright', { x0: 130, x1: 130, y0: 50, y1: 98 }],
  ['upright', { x0: 130, x1: 130, y0: 106, y1: 150 }],
] as const)('keeps labels off a line: %s %j', (kind, line) => {
  const places = aroundPoint(100, 100, 6, WIDTH)
  const [, left] = places
  const space = labelSpace(PLOT, NO_LINE)
  space.block(kind, line)
  expect(space.take('$150,000', WIDTH, places)).toMatchObject({ x: left?.[0], y: left?.[1] })
})

it('places labels at least 25 px above and 6 px beside one another', () => {
  const space = labelSpace(PLOT, NO_LINE)
  space.take('$150,000', WIDTH, [[100, 100]])
  for (const x of [35, 165]) expect(space.take('$150,000', WIDTH, [[x, 100]])).toBeNull()
  for (const x of [34, 166]) expect(space.take('$150,000', WIDTH, [[x, 100]])).not.toBeNull()
  expect(space.take('$150,000', WIDTH, [[100, 76]])).toBeNull()
  expect(space.take('$150,000', WIDTH, [[100, 75]])).not.toBeNull()
})

it('interrupts grid lines at labels', () => {
  const labels = [
    { text: 'a', x: 100, y: 104, width: 50 },
    { text: 'b', x: 300, y: 104, width: 90 },
    { text: 'c', x: 120, y: 200, width: 50 },
  ]
  expect(levelGaps(100, 0, 350, labels)).toEqual([
    [0, 97],
    [153, 297],
  ])
  expect(levelGaps(150, 0, 350, labels)).toEqual([[0, 350]])
  expect(uprightGaps(130, 0, 300, labels)).toEqual([
    [0, 93],
    [108, 189],
    [204, 300],
  ])
  expect(uprightGaps(250, 0, 300, labels)).toEqual([[0, 300]])
})

type StarterRow = Readonly<Record<'asset_type' | 'prediction_made' | 'target_time', string>>

const STARTER: readonly (ClaimFields & StarterRow)[] = JSON.parse(
  readFileSync('data/starter/predictions.json', 'utf8'),
)

function recordOf(key: 'btc' | 'mstr') {
  const bars = readFileSync(`data/starter/${key}-daily-close.csv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [date = '', , , close] = line.split(',')
      return bar(date, Number(close))
    })
  const [first, last] = [bars[0]!.day, bars.at(-1)!.day]
  const own = STARTER.filter(({ asset_type }) => asset_type === key)
  const predictions = own.map((row, i) => {
    const [made, by] = [day(row.prediction_made), day(row.target_time)]
    const expert = { id: i, name: `Expert ${String(i % 60)} of Many`, slug: 'x', handle: null }
    return predicted(readClaim(row) as Claim, bars, { id: String(i), made, by, expert })
  })
  const today = addDays(last, 1)
  const series = seriesFrom(bars, today)
  return { axis: ASSETS[key].axis, first, last, today, series, predictions }
}

const RECORDS = { btc: recordOf('btc'), mstr: recordOf('mstr') }
const SIZES = { desk: { width: 1_000, height: 620 }, phone: { width: 390, height: 280 } }

/** Views of each asset, the same in each run: from days to its whole history, with all calls or a dozen. */
const VIEWS = (['btc', 'mstr'] as const).flatMap((asset) =>
  Array.from({ length: rounds(15, 30) }, (_, i) => {
    const { first, last, predictions } = RECORDS[asset]
    const part = (k: number) => ((i + 1) * k * 0.618_034) % 1
    const length = 20 * 1.22 ** (part(7) * 26)
    const from = first + part(3) * (last - first - length / 2)
    const days = [from, from + length] as const
    const count = i % 3 === 0 ? 12 : predictions.length
    // Copies of the calls, each a month later.
    const times = i % 5 === 4 ? 8 : 1
    return (['log', 'linear'] as const).flatMap((scale) =>
      (['desk', 'phone'] as const).map((size) => ({ i, asset, days, scale, count, times, size })),
    )
  }).flat(),
)

function sceneOf({ asset, days, scale, count, times, size }: (typeof VIEWS)[number]): Scene {
  const { axis, series, today, predictions } = RECORDS[asset]
  const visible = Array.from({ length: times }, (_, k) =>
    predictions
      .slice(-count)
      .map((one) => ({ ...one, id: `${one.id} ${String(k)}`, by: addDays(one.by, 30 * k) })),
  ).flat()
  const { marks } = makeMarks(visible, 'touch', today)
  const prices = fittedDomain({ axis, kind: scale, series, marks, days, live: null })
  const threads = makeThreads(marks, series)
  return sceneWith({ axis, ...SIZES[size], days, prices, scale, series, marks, threads })
}

/** Whether a line crosses the text of a label. */
function strikes({ x, y, width }: Label, x0: number, y0: number, x1: number, y1: number): boolean {
  const steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0)) + 1
  for (let i = 0; i <= steps; i++) {
    const [px, py] = [x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps]
    if (px > x && px < x + width && py > y - 9 && py < y + 2) return true
  }
  return false
}

it.each(VIEWS)(
  'labels of view $i ($asset, $scale, $size) cover nothing and nothing covers them',
  (view) => {
    const scene = sceneOf(view)
    const { plot, line, shapes, radius } = scene
    const words = wordsOf(scene)
    const faults: string[] = []
    for (const [i, label] of words.entries()) {
      const { text, x, y, width } = label
      const fault = (what: string) => faults.push(`${text}: ${what}`)
      const isWithin = x >= plot.x && x + width <= plot.x + plot.width
      if (!isWithin || y - 9 < plot.y || y + 2 > plot.y + plot.height) fault('cut')
      for (const other of words.slice(i + 1)) {
        const apart = other.x > x + width || x > other.x + other.width || Math.abs(other.y - y) > 12
        if (!apart) fault(`over ${other.text}`)
      }
      for (let k = 0; k + 3 < line.length; k += 2) {
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = line.subarray(k, k + 4)
        if (x1 < x || x0 > x + width) continue
        if (strikes(label, x0, y0, x1, y1)) fault('on the price line')
      }
      for (const { mark, x0, x1, y0, y1, signX, signY } of shapes) {
        const across = (at: number) => at > y - 9 && at < y + 2 && x0 < x + width && x1 > x
        if (x0 !== x1 && (across(y0) || (mark.kind === 'range' && across(y1))))
          fault('struck through by a level')
        const upright = (at: number) => at > x && at < x + width && y0 < y + 2 && y1 > y - 9
        if (mark.kind === 'range' && (upright(x0) || upright(x1)))
          fault('struck through by an edge')
        const dx = Math.max(x - signX, 0, signX - x - width)
        const dy = Math.max(y - 9 - signY, 0, signY - y)
        if (mark.sign && Math.hypot(dx, dy) < radius) fault('touches a sign')
      }
    }
    expect([...new Set(faults)]).toEqual([])
  },
)

it('every view has labels to check', () => {
  const few = VIEWS.filter((_, i) => i % 6 === 0)
  const counts = few.map((view) => wordsOf(sceneOf(view)).length)
  expect(counts.filter((count) => count > 3).length).toBeGreaterThan(3)
})
