import { type AxisRules } from '#domain/asset.ts'
import { addYears, dayOf, partsOf, type Day } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import {
  saidConsensus,
  yearOf,
  type SaidCall,
  type SaidConsensus,
} from '#domain/scoring/said-calls.ts'
import { type Rect } from './labels.ts'
import { makeScale, union, type Span } from './scale.ts'
import { extent, lineRoom, traceLine, type Series } from './series.ts'
import { drawThreads, type ThreadLine, type Way } from './threads.ts'
import { priceTicks, timeTicks } from './ticks.ts'

/** Every call of an asset over its whole price, in pixels. */
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

/** The middle call of a year, named at its end. */
type ConsensusThread = ThreadLine<SaidConsensus & Way> & {
  readonly year: number
  /** The left end and the base line of its name. */
  readonly nameX: number
  readonly nameY: number
}

export type HedgehogThread = ThreadLine<SaidCall & Way> & {
  readonly year: number
  /** Its deadline is beyond the picture: the thread is cut at the edge. */
  readonly isCut: boolean
}

export type HedgehogQuestion = {
  readonly axis: AxisRules
  readonly series: Series
  readonly calls: readonly SaidCall[]
  readonly today: Day
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** How many times as large as on a page its letters are. */
  readonly letters?: number
}

/** The price of so many days before the first call leads up to it. */
const DAYS_BEFORE = 120
const LEAST_DAYS = 365
/** Names of years are at least this far from one another, pixels, as large as letters are. */
const NAME = { width: 30, height: 13 } as const
/** Deadlines up to the end of this many years from now are in the picture; of later ones the way there. */
const YEARS_AHEAD = 2

/**
 * Lays out the hedgehog: the price on a log axis over its whole history, and a thread for each call. What a visitor
 * chooses has no part in it, so that choosing a year or a person moves nothing.
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
  const drawn = <One extends Ends>(given: readonly One[]) =>
    drawThreads(given.map(wayOf), days, plot, time, price)
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
    consensus: named(drawn(saidConsensus(calls)), plot, letters),
    last:
      lastDay === undefined || lastUsd === undefined
        ? null
        : { x: time.toPx(lastDay), y: price.toPx(lastUsd), text: showUsd(lastUsd) },
  }
}

/** Moves the names of years off one another, and off the last price at the right of the plot. */
function named(
  threads: readonly ThreadLine<SaidConsensus & Way>[],
  plot: Rect,
  letters: number,
): ConsensusThread[] {
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

type Ends = Pick<SaidCall, 'made' | 'due' | 'from' | 'level'>

function wayOf<One extends Ends>(one: One): One & Way {
  return { ...one, days: [one.made, one.due], usd: [one.from, one.level] }
}

function daysOf(series: Series, calls: readonly SaidCall[], today: Day): Span {
  const firstCall = calls.reduce((least, { made }) => Math.min(least, made), today - LEAST_DAYS)
  return [
    Math.max(series.days[0] ?? firstCall, firstCall - DAYS_BEFORE),
    dayOf(partsOf(addYears(today, YEARS_AHEAD)).year, 12, 31),
  ]
}

/** All of the line, and the levels that are due in the picture. */
function pricesOf(series: Series, calls: readonly SaidCall[], days: Span): Span {
  const line = extent(series, Math.floor(days[0]), Math.ceil(days[1]))
  const levels = calls
    .filter(({ due, level }) => due <= days[1] && level > 0)
    .map(({ level }): Span => [level, level])
  const all = [...(line ? [line] : []), ...levels]
  if (all.length === 0) return [1, 10]
  const [low, high] = all.reduce(union)
  return [low / 1.3, Math.max(high * 1.3, low * 3)]
}
