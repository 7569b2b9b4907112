import { type Prediction } from '#domain/claim/prediction.ts'
import { fitsSearch, isEmptySearch, readSearch } from '#domain/claim/search.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { LEADING, openingChoice, type Days } from './opening-choice.ts'

export const STATUS_FILTERS = ['all', 'pending', 'success', 'miss'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

export const FILTER_LABELS: Readonly<Record<StatusFilter, string>> = {
  all: 'All',
  pending: 'Pending',
  success: 'Successful',
  miss: 'Miss',
}

/**
 * Which predictions are on the chart: the leading ones, so many; those of a status, now and when others join, but for
 * some that were taken off and with some that were put on; or exactly these.
 */
export type Active =
  | { readonly leading: number }
  | {
      readonly status: StatusFilter
      readonly without?: readonly string[]
      readonly and?: readonly string[]
    }
  | { readonly ids: readonly string[] }

/** What a visitor chose to see of an asset's predictions. All of it is in the address. */
export type Selection = {
  readonly filter: StatusFilter
  /** The chosen experts by slug; an empty list means all. */
  readonly experts: readonly string[]
  /** Choosing an expert adds to the others instead of replacing them. */
  readonly multiple: boolean
  readonly search: string
  readonly active: Active
}

const NOTHING: Active = { ids: [] }

export const OPENING_SELECTION: Selection = {
  filter: 'all',
  experts: [],
  multiple: false,
  search: '',
  active: { leading: LEADING },
}

const STATUS: Readonly<Record<Outcome, StatusFilter | null>> = {
  hit: 'success',
  miss: 'miss',
  pending: 'pending',
  void: null,
}

/** Whether the prediction counts under the filter. A void one is listed under All, but counted in nothing. */
export function hasStatus(prediction: Prediction, filter: StatusFilter, mode: JudgeMode): boolean {
  const status = statusOf(prediction, mode)
  return filter === 'all' ? status !== null : status === filter
}

/** What the prediction counts under beside all; null where it counts in nothing. */
export function statusOf(prediction: Prediction, mode: JudgeMode): StatusFilter | null {
  return STATUS[prediction.verdicts[mode].outcome]
}

/** The predictions of the chosen experts that fit what is searched for; all of them when nothing was chosen. */
export function inScope(
  { experts, search }: Pick<Selection, 'experts' | 'search'>,
  predictions: readonly Prediction[],
): readonly Prediction[] {
  const wanted = new Set(experts)
  const words = readSearch(search)
  if (wanted.size === 0 && isEmptySearch(words)) return predictions
  return predictions.filter(
    (prediction) =>
      (wanted.size === 0 || wanted.has(prediction.expert.slug)) && fitsSearch(words, prediction),
  )
}

/** What there is to draw. */
export type Drawable = {
  readonly predictions: readonly Prediction[]
  readonly mode: JudgeMode
  /** The days of the opening view, which decide what is drawn at first. */
  readonly opening: Days
  /** A past day is drawn on a log axis. */
  readonly isPast?: boolean
  /** They are in the order of those that are drawn: most supported first, equal ones newest first. */
  readonly isOrdered?: boolean
  /** What is drawn of a record of which only a part is at hand; null where all of it is. */
  readonly part?: { readonly total: number; readonly ones: readonly Prediction[] } | null
}

/**
 * The predictions on the chart, most supported first; equal ones newest first.
 *
 * @see public-site.md §4, "Filtering and activation"
 */
export function activeOnes(
  selection: Selection,
  { predictions, mode, opening, isPast, isOrdered }: Drawable,
): readonly Prediction[] {
  const { active, experts } = selection
  if ('ids' in active) return withIds(active.ids, predictions)
  if ('leading' in active) {
    // What the chart opened with stays while words are typed.
    const scope = inScope({ experts, search: '' }, predictions)
    return openingChoice(counted('all', scope, mode), mode, opening, active.leading, isPast)
  }
  const { status, without = [], and = [] } = active
  const off = new Set([...without, ...and])
  const wanted = counted(status, inScope(selection, predictions), mode)
  const ordered = isOrdered ? wanted : wanted.toSorted(mostSupportedFirst)
  return [
    ...(off.size === 0 ? ordered : ordered.filter(({ id }) => !off.has(id))),
    ...withIds(and, predictions),
  ]
}

function withIds(
  ids: readonly string[],
  predictions: readonly Prediction[],
): readonly Prediction[] {
  if (ids.length === 0) return []
  const byId = new Map(predictions.map((prediction) => [prediction.id, prediction]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function counted(
  status: StatusFilter,
  scope: readonly Prediction[],
  mode: JudgeMode,
): readonly Prediction[] {
  return scope.filter(
    (prediction) => !prediction.excludeFromChart && hasStatus(prediction, status, mode),
  )
}

export function mostSupportedFirst(a: Prediction, b: Prediction): number {
  return b.voteScore - a.voteScore || newestFirst(a, b)
}

/** The order of lists, the same wherever they are made. */
export function newestFirst(a: Prediction, b: Prediction): number {
  return b.made - a.made || inText(b.createdAt, a.createdAt) || inText(a.id, b.id)
}

function inText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** A filter chip was pressed: shows and activates its status; pressed again, it clears everything and returns to All. */
export function pressFilter(selection: Selection, filter: StatusFilter): Selection {
  return selection.filter === filter && (filter !== 'all' || drawsAll(selection))
    ? { ...selection, filter: 'all', active: NOTHING }
    : { ...selection, filter, active: { status: filter } }
}

/**
 * The chip that is shown as pressed. While only some are drawn, All is not: a press on it draws the others and must not look
 * as if it took them away.
 */
export function pressedFilter(selection: Selection): StatusFilter | null {
  const { filter, active } = selection
  const isEmpty = 'ids' in active && active.ids.length === 0
  return filter === 'all' && !isEmpty && !drawsAll(selection) ? null : filter
}

function drawsAll({ active }: Selection): boolean {
  return 'status' in active && active.status === 'all' && (active.without ?? []).length === 0
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
export function togglePrediction(selection: Selection, id: string, drawable: Drawable): Selection {
  const active = toggled(selection, id, drawable)
  const next = { ...selection, active }
  const { part } = drawable
  const isEmpty = part
    ? part.total === 1 && part.ones[0]?.id === id
    : activeOnes(next, drawable).length === 0
  // Once the last one is off, it is off for others that join, too.
  return isEmpty ? { ...next, active: NOTHING } : next
}

/**
 * What stays drawn of a part while the answer to another selection is on its way: without what was taken off, and with what was
 * put on.
 */
export function drawnMeanwhile(
  { active }: Selection,
  drawn: readonly Prediction[],
  predictions: readonly Prediction[],
): readonly Prediction[] {
  if ('ids' in active) return withIds(active.ids, predictions)
  if ('leading' in active) return drawn
  const { without = [], and = [] } = active
  const off = new Set([...without, ...and])
  return [...drawn.filter(({ id }) => !off.has(id)), ...withIds(and, predictions)]
}

function toggled(selection: Selection, id: string, drawable: Drawable): Active {
  const { active } = selection
  const { part } = drawable
  const drawn = (part?.ones ?? activeOnes(selection, drawable)).map((prediction) => prediction.id)
  const isThinned = part ? part.total > part.ones.length : false
  const isOn = drawn.includes(id)
  if (!('status' in active)) return { ids: isOn ? less(drawn, id) : [...drawn, id] }
  const [without, and] = [less(active.without ?? [], id), less(active.and ?? [], id)]
  const plain = { status: active.status, without, and }
  const isThere = activeOnes({ ...selection, active: plain }, drawable).some(
    (prediction) => prediction.id === id,
  )
  return statusActive(
    active.status,
    isOn && isThere ? [...without, id] : without,
    !isOn && (!isThere || isThinned) ? [...and, id] : and,
  )
}

/** A status with its exceptions; ids that are no exception are left out, so that equal choices are equal. */
export function statusActive(
  status: StatusFilter,
  without: readonly string[],
  and: readonly string[],
): Active {
  return {
    status,
    ...(without.length > 0 && { without }),
    ...(and.length > 0 && { and }),
  }
}

function less(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((known) => known !== id)
}

export function searchFor(selection: Selection, search: string): Selection {
  return { ...selection, search }
}

/** Takes everything off the chart and forgets every filter. */
export function clearSelection(): Selection {
  return { ...OPENING_SELECTION, active: NOTHING }
}

/** Nothing is on the chart: it returns to its home view. */
export function isBare({ active }: Selection): boolean {
  return 'ids' in active && active.ids.length === 0
}
