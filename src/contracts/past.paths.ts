import { readGivenDay } from '#domain/given-day.ts'
import { type Day } from '#domain/day.ts'

/** The parameter of a dashboard's address that asks for the record as of a past day. */
export const PAST_PARAM = 'day'

/** @returns null where no real day is named */
export function readPastDay(text: string | null): Day | null {
  return readGivenDay(text ?? '')
}
