import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import {
  FILTER_LABELS,
  hasStatus,
  inScope,
  newestFirst,
  STATUS_FILTERS,
  type Selection,
  type StatusFilter,
} from './selection.ts'

/** What the list shows: the chosen experts, status and words, newest first. */
export function listed(
  selection: Selection,
  predictions: readonly Prediction[],
  mode: JudgeMode,
): readonly Prediction[] {
  return inScope(selection, predictions)
    .filter((one) => selection.filter === 'all' || hasStatus(one, selection.filter, mode))
    .toSorted(newestFirst)
}

/** How many predictions each filter holds, for its chip; voids count in nothing. */
export function countsOf(
  selection: Selection,
  predictions: readonly Prediction[],
  mode: JudgeMode,
): Readonly<Record<StatusFilter, number>> {
  return countsIn(inScope(selection, predictions), mode)
}

/** The same of predictions that are all in scope. */
export function countsIn(
  scope: readonly Prediction[],
  mode: JudgeMode,
): Readonly<Record<StatusFilter, number>> {
  const [all, pending, success, miss] = STATUS_FILTERS.map(
    (filter) => scope.filter((one) => hasStatus(one, filter, mode)).length,
  )
  return { all: all ?? 0, pending: pending ?? 0, success: success ?? 0, miss: miss ?? 0 }
}

/**
 * What a selection narrows to, in words: `Miss · PlanB · “million”`; empty when it narrows nothing.
 *
 * @param options at least the chosen experts
 */
export function filterText(selection: Selection, options: readonly ExpertOption[]): string {
  const { filter, experts, search } = selection
  const names = options.filter(({ slug }) => experts.includes(slug)).map(({ name }) => name)
  return [
    filter === 'all' ? '' : FILTER_LABELS[filter],
    names.join(', '),
    search.trim() === '' ? '' : `“${search.trim()}”`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

export type ExpertOption = {
  readonly slug: string
  readonly name: string
  readonly predictions: number
}

/** Everyone with a prediction, by name. */
export function expertsOf(predictions: readonly Prediction[]): readonly ExpertOption[] {
  const bySlug = new Map<string, ExpertOption>()
  for (const { expert } of predictions) {
    const count = bySlug.get(expert.slug)?.predictions ?? 0
    bySlug.set(expert.slug, { slug: expert.slug, name: expert.name, predictions: count + 1 })
  }
  return [...bySlug.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}
