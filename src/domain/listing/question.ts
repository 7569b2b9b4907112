import { isoDay, readDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { historyParams, readHistory, type HistoryView } from './history-view.ts'
import { readSelection, selectionParams } from './selection-address.ts'
import { type Selection } from './selection.ts'

/** What a dashboard asks of a record. */
export type Question = {
  readonly selection: Selection
  readonly mode: JudgeMode
  readonly history: HistoryView
  /** The first and the last day in view of a chart that cannot show all; null where it shows all days. */
  readonly days: readonly [Day, Day] | null
  /** The past day at whose end the record is shown; null for now. */
  readonly past: Day | null
  /** The whole page of the table is wanted; without it only the first rows. */
  readonly isWholePage: boolean
}

/** A question as the parameters of a call, equal for equal questions; what is as on opening is left out. */
export function questionParams({
  selection,
  mode,
  history,
  days,
  past,
  isWholePage,
}: Question): Readonly<Record<string, string>> {
  // How experts are chosen is no matter of what is shown of them.
  const { multi: _multi, ...chosen } = selectionParams(selection)
  return {
    ...chosen,
    ...historyParams(history),
    ...(isWholePage && { hall: '1' }),
    ...(mode === 'close' && { judge: 'close' }),
    ...(past !== null && { day: isoDay(past) }),
    ...(days && { first_day: isoDay(days[0]), last_day: isoDay(days[1]) }),
  }
}

/** Reads a question; whatever is missing or makes no sense is as on opening. */
export function readQuestion(param: (name: string) => string | null): Question {
  const [from, to] = [readDay(param('first_day') ?? ''), readDay(param('last_day') ?? '')]
  return {
    selection: readSelection(param),
    mode: param('judge') === 'close' ? 'close' : 'touch',
    history: readHistory(param),
    past: readDay(param('day') ?? ''),
    isWholePage: param('hall') === '1',
    days: from !== null && to !== null && from <= to ? [from, to] : null,
  }
}

/** The same as text, for a name. */
export function questionText(question: Question): string {
  return Object.entries(questionParams(question))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}
