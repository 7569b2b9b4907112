import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { byName } from '#domain/people/by-name.ts'
import {
  FILTER_LABELS,
  hasStatus,
  inScope,
  newestFirst,
  statusOf,
  type Selection,
  type StatusFilter,
} from './selection.ts'

/** What the list shows: the chosen experts, status and words, newest first. */
export function listed(
  selection: Selection,
  predictions: readonly Prediction[],
  mode: JudgeMode,
): readonly Prediction[] {
  return listedIn(selection.filter, inScope(selection, predictions), mode).toSorted(newestFirst)
}

/** The same of predictions that are all in scope, in their order. */
export function listedIn(
  filter: StatusFilter,
  scope: readonly Prediction[],
  mode: JudgeMode,
): readonly Prediction[] {
  return filter === 'all' ? scope : scope.filter((one) => hasStatus(one, filter, mode))
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
  const counts = { all: 0, pending: 0, success: 0, miss: 0 }
  for (const one of scope) {
    const status = statusOf(one, mode)
    if (status === null) continue
    counts.all += 1
    counts[status] += 1
  }
  return counts
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
  const bySlug = new Map<string, { slug: string; name: string; predictions: number }>()
  for (const { expert } of predictions) {
    const known = bySlug.get(expert.slug)
    if (known) known.predictions += 1
    else bySlug.set(expert.slug, { slug: expert.slug, name: expert.name, predictions: 1 })
  }
  return [...bySlug.values()].toSorted((a, b) => byName(a.name, b.name))
}
