import { expect } from 'vitest'
import { makeMarks, type Mark } from '#chart/marks.ts'
import { widthOf } from '#chart/picture-text.ts'
import { makeScene, type Scene, type SceneQuestion } from '#chart/scene.ts'
import { makeSeries, type Series } from '#chart/series.ts'
import { PEOPLE_SIZE } from '#chart/view-picture.ts'
import { ASSETS } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { barsFrom, judgedOn, statement } from './builders.ts'

export const TODAY = day('2026-11-20')

export function closes(first: string, ...prices: readonly number[]): AgreedBar[] {
  return barsFrom(first, prices)
}

/** As many closes as `count`, by the number of the day. */
export function closesBy(first: string, count: number, usd: (i: number) => number): AgreedBar[] {
  return barsFrom(
    first,
    Array.from({ length: count }, (_, i) => usd(i)),
  )
}

export const pointsOf = (bars: readonly { readonly day: number; readonly close: number }[]) => ({
  days: bars.map(({ day }) => day),
  closes: bars.map(({ close }) => close),
})

export function seriesFrom(bars: readonly AgreedBar[], today: Day = TODAY): Series {
  return makeSeries(pointsOf(bars), today).series
}

/** A prediction judged by the real rules over these bars, for tests; made 2024-01-01, due 2024-01-10. */
export function predicted(
  claim: Claim,
  bars: readonly AgreedBar[] = [],
  overrides: Partial<Prediction> = {},
): Prediction {
  const stated = { ...statement(claim), ...overrides }
  return judgedOn('2026-11-20', bars, stated, { id: 'p1', ...overrides })
}

export function marksOf(predictions: readonly Prediction[], mode: JudgeMode = 'touch'): Mark[] {
  return makeMarks(predictions, mode, TODAY).marks
}

/** A linear chart, by default without marks. */
export function sceneWith(overrides: Partial<SceneQuestion>): Scene {
  return makeScene({
    axis: ASSETS.btc.axis,
    width: 1_200,
    height: 600,
    dpr: 1,
    days: [day('2023-12-01'), day('2024-04-01')],
    prices: [0, 400],
    scale: 'linear',
    series: seriesFrom([]),
    marks: [],
    threads: [],
    median: null,
    live: null,
    pricesChosen: false,
    measure: (text) => text.length * 6,
    ...overrides,
  })
}

type Words = { text: string; x: number; y: number; size: number; isEnd: boolean }

/** The words of a picture of people or years, with their positions. */
export function wordsOf(svg: string): Words[] {
  const found = svg.matchAll(/<text x="(\d+)" y="(\d+)" font-size="(\d+)"([^>]*)>([^<]*)</g)
  return [...found].map(([, x, y, size, rest, text]) => ({
    text: text ?? '',
    x: Number(x),
    y: Number(y),
    size: Number(size),
    isEnd: (rest ?? '').includes('end'),
  }))
}

/** Words are readable at a third of the size, and neither leave the picture nor overlap. */
export function expectReadable(svg: string): void {
  const boxes = wordsOf(svg).map(({ text, x, y, size, isEnd }) => {
    const width = widthOf(text, size)
    expect([text, size >= 26]).toEqual([text, true])
    const left = isEnd ? x - width : x
    return { text, left, right: left + width, top: y - size * 0.75, bottom: y + size * 0.1 }
  })
  for (const box of boxes) {
    expect([box.text, box.left >= 50, box.right <= PEOPLE_SIZE.width - 40]).toEqual([
      box.text,
      true,
      true,
    ])
    expect(box.bottom).toBeLessThan(PEOPLE_SIZE.height)
    const meets = boxes.filter(
      (one) =>
        one !== box &&
        one.left < box.right &&
        one.right > box.left &&
        one.top < box.bottom &&
        one.bottom > box.top,
    )
    expect([box.text, meets.map(({ text }) => text)]).toEqual([box.text, []])
  }
}
