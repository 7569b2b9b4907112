import { type PastReply } from '#contracts/past.ts'
import { predictionsOfPastRows } from '#contracts/prediction-wire.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { dayFromNumber, readDay, type Day } from '#domain/day.ts'
import { unpackPrices, type Prices } from './prices.ts'

/** The record of an asset at the end of a past day. */
export type PastRecord = {
  readonly day: Day
  /** The state of the record that it is of. */
  readonly version: string
  /** The first day whose price is on record; null when none is by then. */
  readonly first: Day | null
  readonly prices: Prices
  /** It is too large to be sent as a whole, and what is shown of it is asked for. */
  readonly isLarge: boolean
  /** Made by then, newest first; none of a large one. */
  readonly predictions: readonly Prediction[]
}

/** @param before the record of the day that a reply with `since` goes on from */
export function pastRecord(reply: PastReply, before: PastRecord | null): PastRecord {
  const known = reply.since === null ? null : before
  const prices = unpackPrices(reply.prices)
  const changed = predictionsOfPastRows(reply.predictions)
  return {
    day: readDay(reply.day) ?? dayFromNumber(0),
    version: reply.version,
    first: reply.first === null ? null : readDay(reply.first),
    prices: known ? joined(known.prices, prices) : prices,
    isLarge: reply.more,
    predictions: known ? merged(known.predictions, changed) : changed,
  }
}

function joined(before: Prices, more: Prices): Prices {
  return {
    days: Float64Array.of(...before.days, ...more.days),
    closes: Float64Array.of(...before.closes, ...more.closes),
    skipped: 0,
  }
}

/** Those that did not change stay the same objects. */
function merged(
  before: readonly Prediction[],
  changed: readonly Prediction[],
): readonly Prediction[] {
  if (changed.length === 0) return before
  const now = new Map(changed.map((one) => [one.id, one]))
  const kept = before.map((one) => {
    const next = now.get(one.id)
    now.delete(one.id)
    return next ?? one
  })
  return [...now.values(), ...kept]
}
