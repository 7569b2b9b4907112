import { expect, it } from 'vitest'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day } from '#domain/day.ts'
import { shortVerdictSentence } from '#domain/judging/verdict-text.ts'
import { punchLine } from '#domain/scoring/score-text.ts'
import { target, range, atLeast, top, bottom } from '#tests/support/builders.ts'
import { closesBy, pointsOf, predicted } from '#tests/support/charts.ts'
import { predictionPicture, sharePicture } from './prediction-picture.ts'
import { rangeLayer, type RangeLayer } from './ranges.ts'
import { THEMES } from './theme.ts'
import { SHARE_SIZE } from './view-picture.ts'

type Words = { readonly text: string; readonly left: number; readonly right: number; y: number }

/** Texts within the plot with their boxes at 11 px. */
function wordsOf(svg: string): Words[] {
  const found = svg.matchAll(/<text ([^>]*paint-order="stroke"[^>]*)>([^<]*)<\/text>/g)
  return [...found].map(([, look = '', text = '']) => {
    const number = (name: string): number =>
      Number(new RegExp(` ${name}="([^"]+)"`).exec(` ${look}`)?.[1])
    return { text, left: number('x'), right: number('x') + text.length * 6.1, y: number('y') }
  })
}

const WAVE = closesBy('2023-12-01', 60, (i) => 100 + (i % 7))

/** Picture of a claim over some prices, 500 px wide. */
function pictureOf(
  claim: Claim,
  options: {
    readonly bars?: typeof WAVE
    readonly height?: number
    readonly ranges?: RangeLayer | null
    readonly odds?: Prediction['odds']
  } = {},
): string {
  const { bars = WAVE, height = 160, ranges = null, odds } = options
  const question = {
    prediction: predicted(claim, bars, { odds }),
    points: pointsOf(bars),
    ranges,
    today: day('2026-11-20'),
    size: { width: 500, height },
    withFan: odds !== undefined,
  } as const
  return predictionPicture(question, { theme: THEMES.light, font: 'Inter' })
}

it.each<[string, Claim]>([
  ['a level above the price', atLeast(200)],
  ['a range above the price', range(180, 200)],
  ['a top above the price', top(200)],
  ['a bottom below the price', bottom(20)],
])('keeps the starting day clear of the text of %s', (_, claim) => {
  const svg = pictureOf(claim)
  const words = wordsOf(svg)
  const made = words.find(({ text }) => text === 'made 01/01/2024')!
  const others = words.filter((one) => one !== made)
  expect(others.length).toBeGreaterThan(0)
  const meets = others.filter(
    ({ left, right, y }) => Math.abs(y - made.y) < 12 && left < made.right && right > made.left,
  )
  expect(meets).toEqual([])
})

it.each([
  [700, ['$200', '$400', '$600', '$700']],
  [2_000, ['$100', '$200', '$500', '$1k', '$2k', '$2k']],
])('shows a claim of %i over prices of 100 on an axis where both are readable', (usd, rows) => {
  const bars = closesBy('2023-12-01', 60, () => 100)
  const svg = pictureOf(target(usd), { bars })
  expect([...svg.matchAll(/>(\$[\dk]+)</g)].map(([, text]) => text)).toEqual(rows)
})

it('connects the price on the day of the call with its level', () => {
  const svg = pictureOf(target(200), { height: 300 })
  const [, x0 = '', y0 = '', x1 = '', y1 = ''] =
    /<path d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)" fill="none" stroke="#C42B2B"/.exec(svg) ?? []
  expect(Number(x1)).toBeGreaterThan(Number(x0))
  expect(Number(y1)).toBeLessThan(Number(y0))
})

it('draws the range of nine in ten prices around that of half of them, around the price', () => {
  const luck = { luck: 0.5, noLuck: null, motion: { sigma: 0.6, drift: 0 }, left: null }
  const svg = pictureOf(target(120), { odds: { touch: luck, close: luck } })
  const bands = [...svg.matchAll(/d="M([^"]+)Z" fill="[^"]+" fill-opacity/g)].map(([, path = '']) =>
    path.split('L').map((point) => Number(point.split(',')[1])),
  )
  const [most = [], half = []] = bands
  expect(Math.min(...most)).toBeLessThan(Math.min(...half))
  expect(Math.max(...half)).toBeGreaterThan(half[0] ?? Infinity)
})

it('shows highs and lows of a call shorter than a year within the plot', () => {
  const ranged = WAVE.map((bar, i) => ({ ...bar, high: i === 40 ? 400 : 110, low: 95 }))
  const pictureWith = (ranges: RangeLayer | null) => pictureOf(target(120), { ranges })
  const bar = `fill="${THEMES.light.brand}"`
  expect(pictureWith(null)).not.toContain(bar)
  const svg = pictureWith(rangeLayer(ranged, [day('2023-12-01'), day('2024-01-29')]))
  expect(svg).toContain(bar)
  const path = new RegExp(`d="([^"]+)" ${bar}`).exec(svg)?.[1] ?? ''
  let y = 0
  const heights = [...path.matchAll(/([Mlv])(?:[^,a-z]+,)?(-?[\d.]+)/g)].map(([, sign, by]) => {
    y = Number(by) + (sign === 'M' ? 0 : y)
    return y
  })
  expect(Math.min(...heights)).toBeGreaterThan(10)
})

const CALM = closesBy('2024-01-01', 12, (i) => 98_765 + i * 100)

const SITE = { siteName: 'Proof of Price', address: 'example.org/predictions/p1' }

/** Texts of a picture with positions, in drawing order. */
function textsOf(svg: string): { text: string; y: number; size: number }[] {
  return [...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)" font-size="([\d.]+)"[^>]*>([^<]*)</g)].map(
    ([, y, size, text]) => ({ text: text ?? '', y: Number(y), size: Number(size) }),
  )
}

it.each<Claim>([
  target(99_000),
  target(1_000_000),
  range(98_000, 98_500),
  range(98_000, 298_500),
  top(123_456_789),
  bottom(98_700),
  bottom(99_000),
])('the shared picture for %j explains the outcome in at most two lines', (claim) => {
  const prediction = predicted(claim, CALM)
  const points = pointsOf(CALM)
  const svg = sharePicture({ prediction, points, today: day('2026-11-20') }, SITE)
  const texts = textsOf(svg)
  const foot = texts.find(({ text }) => text === 'Proof of Price')
  const sentence = texts.filter(({ y }) => y > 532 && y < (foot?.y ?? 0))
  const punch = punchLine(prediction, 'touch', day('2026-11-20'))
  expect(sentence.map(({ text }) => text).join(' ')).toBe(
    shortVerdictSentence(prediction, 'touch').replace(`, ${punch}.`, '.'),
  )
  const large = texts.find(({ text }) => text === punch)
  expect(large?.size).toBeGreaterThanOrEqual(34)
  expect(texts.map(({ text }) => text)).toContain('example.org/predictions/p1')
  expect(sentence.length).toBeLessThanOrEqual(2)
  const last = sentence.at(-1)
  expect((last?.y ?? 0) + (last?.size ?? 0) / 4).toBeLessThan((foot?.y ?? 0) - 28)
  expect(foot?.y).toBeLessThan(SHARE_SIZE.height)
})
