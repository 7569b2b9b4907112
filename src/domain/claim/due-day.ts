import { endOfPrecision, type Day } from '#domain/day.ts'
import { type Prediction } from './prediction.ts'

/** The last day of a prediction as drawn: the end of its known period; an assumed deadline is exact. */
export function dueDay({
  by,
  byPrecision,
  deadlineAssumed,
}: Pick<Prediction, 'by' | 'byPrecision' | 'deadlineAssumed'>): Day {
  return deadlineAssumed ? by : endOfPrecision(by, byPrecision)
}
