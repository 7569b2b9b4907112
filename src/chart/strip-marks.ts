import { type Outcome } from '#domain/judging/verdict.ts'

type Call = { readonly luck: number | null; readonly outcome: Outcome }

/** A call on a strip from 0 to 100 % luck: where it lies, and how far it had to move up or down to be seen. */
export type StripMark<One extends Call> = {
  readonly call: One & { readonly luck: number }
  /** 0 in the middle, 1 below it, −1 above it, and so on. */
  readonly lane: number
}

/**
 * @param apart marks nearer than this, as a share of the strip, lie above each other
 * @param most lanes above and below the middle; further marks lie on those that are there
 */
export function marksOf<One extends Call>(
  calls: readonly One[],
  apart: number,
  most: number,
): StripMark<One>[] {
  const ends: number[] = []
  return calls
    .filter((call): call is StripMark<One>['call'] => call.luck !== null && call.outcome !== 'void')
    .toSorted((a, b) => a.luck - b.luck)
    .map((call) => {
      const free = ends.findIndex((end) => call.luck - end >= apart)
      const isFull = free < 0 && ends.length > 2 * most
      const place = isFull ? leastOf(ends) : free < 0 ? ends.length : free
      ends[place] = call.luck
      // The middle first, then above and below it in turn.
      return { call, lane: (place % 2 === 0 ? 1 : -1) * Math.ceil(place / 2) }
    })
}

/** The place whose last mark is farthest away. */
function leastOf(ends: readonly number[]): number {
  return ends.indexOf(Math.min(...ends))
}
