import { type Drawn } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { FILTER_LABELS, type Selection } from './selection.ts'

/** A prediction as lists and charts show it, with what they say of it by each way of judging. */
export type Listed = Drawn & {
  /** Where its best source is: `coindesk.com`. */
  readonly source: string | null
  readonly texts: Readonly<Record<JudgeMode, ListedTexts>>
}

type ListedTexts = {
  /** The verdict with its reason. */
  readonly sentence: string
  /** What luck says; empty where it says nothing. */
  readonly odds: readonly string[]
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
