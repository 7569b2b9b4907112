import { type Prediction } from '#domain/prediction.ts'
import { type JudgeMode, type Outcome } from '#domain/verdict.ts'

export const STATUS_FILTERS = ['all', 'pending', 'success', 'miss'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

/**
 * Which predictions are on the chart: the leading ones, so many; those of a status, now and when others join; or exactly
 * these.
 */
export type Active =
  | { readonly leading: number }
  | { readonly status: StatusFilter }
  | { readonly ids: readonly string[] }

/** What a visitor chose to see of an asset's predictions. Everything about it stands in the address. */
export type Selection = {
  readonly filter: StatusFilter
  /** The experts looked at, by slug; none means all of them. */
  readonly experts: readonly string[]
  /** Choosing an expert adds to the others instead of replacing them. */
  readonly multiple: boolean
  readonly search: string
  readonly active: Active
}

const NOTHING: Active = { ids: [] }

/** A chart opens with so many as can be read at a glance; a press on All shows the rest. */
const LEADING = 12

export const OPENING_SELECTION: Selection = {
  filter: 'all',
  experts: [],
  multiple: false,
  search: '',
  active: { leading: LEADING },
}

/** After Reset: no filter, and a chart with its price line only. */
const CLEARED: Selection = { ...OPENING_SELECTION, active: NOTHING }

const STATUS: Readonly<Record<Outcome, StatusFilter | null>> = {
  hit: 'success',
  miss: 'miss',
  pending: 'pending',
  void: null,
}

/** Whether the prediction counts under the filter. A void one is listed under All, but counted in nothing. */
export function hasStatus(prediction: Prediction, filter: StatusFilter, mode: JudgeMode): boolean {
  const status = STATUS[prediction.verdicts[mode].outcome]
  return filter === 'all' ? status !== null : status === filter
}

/** The predictions of the chosen experts; all of them when none is chosen. */
export function inScope(
  { experts }: Selection,
  predictions: readonly Prediction[],
): readonly Prediction[] {
  if (experts.length === 0) return predictions
  const wanted = new Set(experts)
  return predictions.filter((prediction) => wanted.has(prediction.expert.slug))
}

/**
 * The predictions on the chart, most supported first; equal ones newest first.
 *
 * @see public-site.md §4, "Filtering and activation"
 */
export function activeOnes(
  selection: Selection,
  predictions: readonly Prediction[],
  mode: JudgeMode,
): readonly Prediction[] {
  const { active } = selection
  if ('ids' in active) {
    const byId = new Map(predictions.map((prediction) => [prediction.id, prediction]))
    return active.ids.flatMap((id) => byId.get(id) ?? [])
  }
  const status = 'status' in active ? active.status : 'all'
  const ordered = inScope(selection, predictions)
    .filter((prediction) => !prediction.excludeFromChart)
    .filter((prediction) => hasStatus(prediction, status, mode))
    .toSorted((a, b) => b.voteScore - a.voteScore || newestFirst(a, b))
  return 'leading' in active ? ordered.slice(0, active.leading) : ordered
}

export function newestFirst(a: Prediction, b: Prediction): number {
  return b.made - a.made || b.createdAt.localeCompare(a.createdAt) || a.id.localeCompare(b.id)
}

/** A filter chip was pressed: shows and activates its status; pressed again, it clears everything and returns to All. */
export function pressFilter(selection: Selection, filter: StatusFilter): Selection {
  const isOn =
    selection.filter === filter &&
    (filter !== 'all' || ('status' in selection.active && selection.active.status === 'all'))
  return isOn
    ? { ...selection, filter: 'all', active: NOTHING }
    : { ...selection, filter, active: { status: filter } }
}

const CYCLE: Readonly<Record<StatusFilter, StatusFilter>> = {
  all: 'success',
  success: 'miss',
  miss: 'pending',
  pending: 'all',
}

/** The status button of the phone's bottom bar: all, success, miss, pending, and round again. */
export function cycleFilter(selection: Selection): Selection {
  const filter = CYCLE[selection.filter]
  return { ...selection, filter, active: { status: filter } }
}

/** An expert was chosen; null is All Influencers. In multiple mode a chosen one is given up by choosing it again. */
export function chooseExpert(selection: Selection, slug: string | null): Selection {
  if (slug === null) return { ...selection, experts: [], filter: 'all', active: NOTHING }
  if (!selection.multiple) return onlyExperts(selection, [slug])
  return onlyExperts(
    selection,
    selection.experts.includes(slug)
      ? selection.experts.filter((chosen) => chosen !== slug)
      : [...selection.experts, slug],
  )
}

function onlyExperts(selection: Selection, experts: readonly string[]): Selection {
  return {
    ...selection,
    experts,
    filter: 'all',
    active: experts.length === 0 ? NOTHING : { status: 'all' },
  }
}

/** Back to single mode, the expert chosen last remains. */
export function toggleMultiple(selection: Selection): Selection {
  const multiple = !selection.multiple
  const last = selection.experts.at(-1)
  if (multiple || selection.experts.length < 2 || last === undefined) {
    return { ...selection, multiple }
  }
  return { ...onlyExperts(selection, [last]), multiple }
}

/** Puts a prediction on the chart or takes it off. */
export function togglePrediction(
  selection: Selection,
  id: string,
  predictions: readonly Prediction[],
  mode: JudgeMode,
): Selection {
  const ids =
    'ids' in selection.active
      ? selection.active.ids
      : activeOnes(selection, predictions, mode).map((prediction) => prediction.id)
  const next = ids.includes(id) ? ids.filter((known) => known !== id) : [...ids, id]
  return { ...selection, active: { ids: next } }
}

export function searchFor(selection: Selection, search: string): Selection {
  return { ...selection, search }
}

export function clearSelection(): Selection {
  return CLEARED
}

/** Nothing is on the chart: it returns to its home view. */
export function isBare({ active }: Selection): boolean {
  return 'ids' in active && active.ids.length === 0
}
