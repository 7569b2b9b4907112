import { type AxisRules } from '#domain/asset.ts'
import { addYears, dayOf, partsOf, type Day } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import {
  yearConsensus,
  yearOf,
  type StatedCall,
  type YearConsensus,
} from '#domain/scoring/stated-calls.ts'
import { type Rect } from './labels.ts'
import { EDGE, frame, legend, QUIET, RIGHT, SMALL, titleOf } from './people-picture.ts'
import { fitted, footOf, textOf } from './picture-text.ts'
import { makeScale, union, type Span, priceTicks, timeTicks } from './scale.ts'
import { extent, lineRoom, traceLine, type Series, pathOf, tenths } from './series.ts'
import { OUTCOME_ORDER, outcomeColour, THEMES } from './theme.ts'
import { drawThreads, pathOfThreads, type ThreadLine, type Way } from './threads.ts'

/** Every call of an asset over its whole price history, in pixels. */
export type Hedgehog = {
  readonly width: number
  readonly height: number
  readonly plot: Rect
  /** Corners of the price line, `x, y, x, y …` */
  readonly line: Float64Array
  readonly columns: readonly { readonly x: number; readonly label: string }[]
  readonly rows: readonly { readonly y: number; readonly label: string }[]
  readonly threads: readonly HedgehogThread[]
  readonly consensus: readonly ConsensusThread[]
  /** The last price; null without prices. */
  readonly last: { readonly x: number; readonly y: number; readonly text: string } | null
}

type ConsensusThread = ThreadLine<YearConsensus & Way> & {
  readonly year: number
  readonly nameX: number
  readonly nameY: number
}

export type HedgehogThread = ThreadLine<StatedCall & Way> & {
  readonly year: number
  readonly isCut: boolean
}

export type HedgehogQuestion = {
  readonly axis: AxisRules
  readonly series: Series
  readonly calls: readonly StatedCall[]
  readonly today: Day
  readonly width: number
  readonly height: number
  readonly letters?: number
}

/** Days of price history before the first call. */
const DAYS_BEFORE = 120
const LEAST_DAYS = 365
/** Minimum distances between year names, pixels at font scale 1. */
const NAME = { width: 30, height: 13 } as const
/** Deadlines up to the end of this many years from now are shown; threads to later ones are cut. */
const YEARS_AHEAD = 2
/** Margin after today and after the last deadline. */
const DAYS_AFTER = 60

/**
 * Lays out the price on a log axis over its whole history, with a thread per call. It does not depend on filters, so
 * choosing a year or person moves nothing.
 */
export function makeHedgehog(question: HedgehogQuestion): Hedgehog {
  const { axis, series, calls, today, width, height, letters = 1 } = question
  const [top, right, bottom, left] = [10, 74, 24, 48].map((px) => px * letters)
  const plot: Rect = {
    x: left ?? 0,
    y: top ?? 0,
    width: Math.max(0, width - (left ?? 0) - (right ?? 0)),
    height: Math.max(0, height - (top ?? 0) - (bottom ?? 0)),
  }
  const days = daysOf(series, calls, today)
  const prices = pricesOf(series, calls, days)
  const time = makeScale('linear', days, [plot.x, plot.x + plot.width])
  const price = makeScale('log', prices, [plot.y + plot.height, plot.y])
  const room = new Float64Array(Math.max(lineRoom(plot.width), 64))
  const line = room.subarray(0, traceLine(series, time, price, plot, 1, room))
  const drawn = <One extends Ends>(calls: readonly One[]) => {
    const ways = calls.map((one): One & Way => {
      return { ...one, days: [one.made, one.due], usd: [one.from, one.level] }
    })
    return drawThreads(ways, days, plot, time, price)
  }
  const lastDay = series.days.at(-1)
  const lastUsd = series.closes.at(-1)
  return {
    width,
    height,
    plot,
    line,
    columns: timeTicks(days, plot.width / letters, axis.timeLabels).map(({ at, label }) => ({
      x: time.toPx(at),
      label,
    })),
    rows: priceTicks(prices, 'log', plot.height / letters / 40).map(({ at, label }) => ({
      y: price.toPx(at),
      label,
    })),
    threads: drawn(calls).map((thread) => ({
      ...thread,
      year: yearOf(thread.of),
      isCut: thread.of.due > days[1],
    })),
    consensus: named(drawn(yearConsensus(calls)), plot, letters),
    last:
      lastDay === undefined || lastUsd === undefined
        ? null
        : { x: time.toPx(lastDay), y: price.toPx(lastUsd), text: showUsd(lastUsd) },
  }
}

function named(threads: readonly ThreadLine<YearConsensus & Way>[], plot: Rect, letters: number) {
  const out: ConsensusThread[] = []
  for (const thread of threads) {
    const nameX = Math.min(thread.x1 + 5, plot.x + plot.width - NAME.width * letters)
    let nameY = thread.y1 + 4 * letters
    const isTaken = () =>
      out.some(
        (other) =>
          Math.abs(other.nameX - nameX) < NAME.width * letters &&
          Math.abs(other.nameY - nameY) < NAME.height * letters,
      )
    while (isTaken()) nameY += letters
    out.push({ ...thread, year: thread.of.year, nameX, nameY })
  }
  return out
}

type Ends = Pick<StatedCall, 'made' | 'due' | 'from' | 'level'>

export function firstDayOf(calls: readonly Pick<StatedCall, 'made'>[], today: Day): number {
  return calls.reduce((least, { made }) => Math.min(least, made), today - LEAST_DAYS) - DAYS_BEFORE
}

function daysOf(series: Series, calls: readonly StatedCall[], today: Day): Span {
  const first = firstDayOf(calls, today)
  const lastDue = calls.reduce((most, { due }) => Math.max(most, due), today + 0)
  return [
    Math.max(series.days[0] ?? first + DAYS_BEFORE, first),
    Math.min(dayOf(partsOf(addYears(today, YEARS_AHEAD)).year, 12, 31), lastDue + DAYS_AFTER),
  ]
}

function pricesOf(series: Series, calls: readonly StatedCall[], days: Span): Span {
  const line = extent(series, Math.floor(days[0]), Math.ceil(days[1]))
  const levels = calls
    .filter(({ level }) => level > 0)
    .map(({ made, due, from, level }): Span => {
      // Height of the thread at the edge; threads are straight on the log axis.
      const share = due <= days[1] ? 1 : (days[1] - made) / (due - made)
      const end = from * (level / from) ** share
      return [end, end]
    })
  const all = [...(line ? [line] : []), ...levels]
  if (all.length === 0) return [1, 10]
  const [low, high] = all.reduce(union)
  return [low / 1.3, Math.max(high * 1.3, low * 3)]
}

const THEME = THEMES.light
const FOOT = 604
/** Font scale for share pictures, which are often viewed at a third of their size. */
const LETTERS = 1.8

export function hedgehogPicture({
  finding,
  source,
  address,
  siteName,
  year,
  ...question
}: Omit<HedgehogQuestion, 'width' | 'height' | 'letters'> & {
  readonly finding: string
  /** `Closes as of 23/11/2026, judged by intraday prices` */
  readonly source: string
  /** Address of the page, without protocol. */
  readonly address: string
  readonly siteName: string
  /** The highlighted year; null for all. */
  readonly year: number | null
}): string {
  const title = titleOf(finding, 2, [42, 38, 34, 30])
  const top = title.bottom + 56
  const drawn = makeHedgehog({
    ...question,
    width: RIGHT - EDGE + 40,
    height: 530 - top,
    letters: LETTERS,
  })
  return frame(finding, [
    title.markup,
    textOf(
      year === null
        ? 'Each line is a call, log scale'
        : 'Each line is a call, the thick line their middle',
      EDGE,
      title.bottom + 36,
      QUIET,
    ),
    legend(RIGHT - 222, title.bottom + 36),
    `<g transform="translate(${String(EDGE - 20)} ${String(top)})">${hedgehogMarkup(drawn, year)}</g>`,
    textOf(fitted(source, SMALL, RIGHT - EDGE), EDGE, FOOT - 44, QUIET),
    footOf({ siteName, address }, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

function hedgehogMarkup(drawn: Hedgehog, year: number | null): string {
  const { plot, columns, rows, threads, consensus, last } = drawn
  const size = String(11 * LETTERS)
  const foot = plot.y + plot.height
  const own = threads.filter((thread) => year === null || thread.year === year)
  return [
    ...rows.map(
      ({ y, label }) =>
        `<path d="M${tenths(plot.x)},${tenths(y)}h${tenths(plot.width)}" stroke="${THEME.hairline}"/><text x="${tenths(plot.x - 8)}" y="${tenths(y + 7)}" fill="${THEME.ink2}" font-size="${size}" text-anchor="end">${label}</text>`,
    ),
    ...columns.map(
      ({ x, label }) =>
        `<text x="${tenths(x)}" y="${tenths(foot + 30)}" fill="${THEME.ink2}" font-size="${size}" text-anchor="middle">${label}</text>`,
    ),
    ...OUTCOME_ORDER.map((outcome) => {
      const of = own.filter((thread) => thread.of.outcome === outcome)
      if (of.length === 0) return ''
      const colour = outcomeColour(THEME, outcome)
      const ends = of
        .filter(({ isCut }) => !isCut)
        .map(
          ({ x1, y1 }) =>
            `<circle cx="${tenths(x1)}" cy="${tenths(y1)}" r="3.6" fill="${outcome === 'hit' ? colour : THEME.page}" stroke="${colour}" stroke-width="1.4"/>`,
        )
      return `<path d="${pathOfThreads(of)}" fill="none" stroke="${colour}" stroke-width="1.3" stroke-opacity="${year === null ? '0.45' : '0.8'}"/>${ends.join('')}`
    }),
    `<path d="${pathOf(drawn.line)}" fill="none" stroke="${THEME.brand}" stroke-width="4" stroke-linejoin="round"/>`,
    ...consensus
      .filter((thread) => thread.year === year)
      .map(
        (thread) =>
          `<path d="${pathOfThreads([thread])}" stroke="${THEME.ink}" stroke-width="3.4" stroke-opacity="0.75"/>`,
      ),
    last
      ? `<text x="${tenths(plot.x + plot.width + 8)}" y="${tenths(last.y + 7)}" fill="${THEME.brandText}" font-size="${size}" font-weight="700">${last.text}</text>`
      : '',
  ].join('')
}
