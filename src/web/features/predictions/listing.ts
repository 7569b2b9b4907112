import { type Prediction } from '#domain/prediction.ts'
import { showClaim } from '#domain/price-text.ts'
import { typeLabel } from '#domain/verdict-text.ts'
import { type JudgeMode } from '#domain/verdict.ts'
import {
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
  const matches = matcherOf(selection.search)
  return inScope(selection, predictions)
    .filter((one) => selection.filter === 'all' || hasStatus(one, selection.filter, mode))
    .filter(matches)
    .toSorted(newestFirst)
}

/** How many predictions each filter holds, for its chip; voids count in nothing. */
export function countsOf(
  selection: Selection,
  predictions: readonly Prediction[],
  mode: JudgeMode,
): Readonly<Record<StatusFilter, number>> {
  const scope = inScope(selection, predictions)
  const [all, pending, success, miss] = STATUS_FILTERS.map(
    (filter) => scope.filter((one) => hasStatus(one, filter, mode)).length,
  )
  return { all: all ?? 0, pending: pending ?? 0, success: success ?? 0, miss: miss ?? 0 }
}

export type ExpertOption = {
  readonly slug: string
  readonly name: string
  readonly predictions: number
}

/** Everybody with a prediction, by name. */
export function expertsOf(predictions: readonly Prediction[]): readonly ExpertOption[] {
  const bySlug = new Map<string, ExpertOption>()
  for (const { expert } of predictions) {
    const count = bySlug.get(expert.slug)?.predictions ?? 0
    bySlug.set(expert.slug, { slug: expert.slug, name: expert.name, predictions: count + 1 })
  }
  return [...bySlug.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Finds predictions that hold every word, whatever its case and accents. */
function matcherOf(search: string): (prediction: Prediction) => boolean {
  const words = plain(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return (prediction) => {
    const text = plain(
      [
        prediction.expert.name,
        prediction.expert.handle ?? '',
        typeLabel(prediction.said.type),
        showClaim(prediction.said),
        showClaim(prediction.said).replaceAll(',', ''),
        prediction.summary,
      ].join(' '),
    )
    return words.every((word) => text.includes(word))
  }
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
