import { type Outcome } from '#domain/judging/verdict.ts'

type Call = { readonly luck: number | null; readonly outcome: Outcome }

/** A call on a strip from 0 to 100% luck: its position, and its vertical offset to avoid overlaps. */
export type StripMark<One extends Call> = {
  readonly call: One & { readonly luck: number }
  readonly lane: number
}

/**
 * @param apart marks closer than this, as a share of the strip, are stacked
 * @param most lanes above and below the middle; further marks overlap
 */
export function marksOf<One extends Call>(calls: readonly One[], apart: number, most: number) {
  const ends: number[] = []
  return calls
    .filter((call): call is StripMark<One>['call'] => call.luck !== null && call.outcome !== 'void')
    .toSorted((a, b) => a.luck - b.luck)
    .map((call) => {
      const free = ends.findIndex((end) => call.luck - end >= apart)
      const isFull = free < 0 && ends.length > 2 * most
      // When full, the lane whose last mark is farthest away.
      const place = isFull ? ends.indexOf(Math.min(...ends)) : free < 0 ? ends.length : free
      ends[place] = call.luck
      // The middle lane first, then alternately above and below.
      return { call, lane: (place % 2 === 0 ? 1 : -1) * Math.ceil(place / 2) }
    })
}

/** More would only hide one another. */
export const MOST_MARKS = 30

export function isSample(row: {
  readonly calls: readonly unknown[]
  readonly call_count: number
}): boolean {
  return row.calls.length === MOST_MARKS && row.call_count > MOST_MARKS
}

/** Calls for a small strip, in their order: of more than `MOST_MARKS` a sample with the same shares of outcomes and luck. */
export function sampleOf<One extends StripMark<Call>['call']>(calls: readonly One[]): One[] {
  const ranked = calls.toSorted(
    (a, b) => a.outcome.localeCompare(b.outcome, 'en') || a.luck - b.luck,
  )
  const step = Math.max(1, calls.length / MOST_MARKS)
  const taken = new Set(ranked.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step)))
  return calls.filter((call) => taken.has(call))
}

/** Marks closer than `apart`, a share of the strip, are stacked; the other sizes are CSS pixels. */
export const STRIP_SIZES = {
  small: { apart: 0.03, lane: 9, radius: 4.5, lanes: 2 },
  large: { apart: 0.048, lane: 18, radius: 8, lanes: 5 },
} as const
export type StripSize = keyof typeof STRIP_SIZES

export function placedMarks<One extends Call>(calls: readonly One[], size: StripSize) {
  const { apart, lane, radius, lanes } = STRIP_SIZES[size]
  const marks = marksOf(calls, apart, lanes)
  const most = Math.max(1, ...marks.map((mark) => Math.abs(mark.lane)))
  const middle = most * lane + radius + 2
  return {
    radius,
    middle,
    marks: marks.map(({ call, lane: at }) => ({
      call,
      cx: acrossStrip(call.luck),
      cy: middle + at * lane,
    })),
  }
}

export function acrossStrip(luck: number): string {
  return `${String(1 + 98 * luck)}%`
}

export const STRIP_TICKS = [
  { luck: 0, name: '0%, bold', anchor: 'start' },
  { luck: 0.25, name: '25%', anchor: 'middle' },
  { luck: 0.5, name: '50%', anchor: 'middle' },
  { luck: 0.75, name: '75%', anchor: 'middle' },
  { luck: 1, name: '100%, easy', anchor: 'end' },
] as const
