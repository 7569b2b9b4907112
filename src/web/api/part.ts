import { type DashboardPart } from '#contracts/dashboard.ts'
import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { readDay } from '#domain/day.ts'
import { type Part, type Some } from '#domain/listing/part.ts'

/** A part of a large record as it came. */
export type GivenPart = {
  readonly reply: DashboardPart
  /** Its predictions, in the order of its rows. */
  readonly rows: readonly Prediction[]
}

export function givenPart(reply: DashboardPart): GivenPart {
  return { reply, rows: predictionsOfRows(reply.rows) }
}

/** @param rows of the part, as they are now */
export function partOfRows({ reply }: GivenPart, rows: readonly Prediction[]): Part {
  // A row that cannot be read is left out of every list.
  const byId = new Map(rows.map((one) => [one.id, one]))
  const some = ({ total, rows: places }: { total: number; rows: readonly number[] }): Some => ({
    total,
    ones: places.flatMap((place) => byId.get(reply.rows[place]?.id ?? '') ?? []),
  })
  const { has_luck: hasLuck, page, made, due, years } = reply.history
  return {
    total: reply.total,
    first: reply.first === null ? null : readDay(reply.first),
    counts: reply.counts,
    totals: reply.totals,
    chosen: reply.chosen,
    listed: some(reply.listed),
    drawn: some(reply.drawn),
    history: { ...some(reply.history), page, hasLuck, made, due, years },
  }
}
