import { expect, it } from 'vitest'
import { type Claim } from '#domain/claim/claim.ts'
import { day } from '#domain/day.ts'
import { shortVerdictSentence } from '#domain/judging/verdict-text.ts'
import { punchLine } from '#domain/scoring/score-text.ts'
import { bottom, range, target, top } from '#tests/support/builders.ts'
import { predicted, closesBy, pointsOf } from '#tests/support/charts.ts'
import { sharePicture } from './prediction-picture.ts'
import { SHARE_SIZE } from './view-picture.ts'

const BARS = closesBy('2024-01-01', 12, (i) => 98_765 + i * 100)

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
  const prediction = predicted(claim, BARS)
  const points = pointsOf(BARS)
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
