import { type Prediction } from '#domain/claim/prediction.ts'

export const STATUS_FILTERS = ['all', 'pending', 'success', 'miss'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

export const FILTER_LABELS: Readonly<Record<StatusFilter, string>> = {
  all: 'All',
  pending: 'Pending',
  success: 'Successful',
  miss: 'Miss',
}

/** Predictions on the chart: the leading ones; all of a status, including later ones, with exceptions; or a fixed list. */
export type Active =
  | { readonly leading: number }
  | {
      readonly status: StatusFilter
      readonly without?: readonly string[]
      readonly and?: readonly string[]
    }
  | { readonly ids: readonly string[] }

export type Selection = {
  readonly filter: StatusFilter
  /** Chosen experts by slug; empty means all. */
  readonly experts: readonly string[]
  /** Choosing an expert adds to the selection instead of replacing it. */
  readonly multiple: boolean
  readonly search: string
  readonly active: Active
}

/** How many predictions a chart opens with: as many as are readable at a glance. All shows the rest. */
const LEADING = 12

const NOTHING: Active = { ids: [] }

export const OPENING_SELECTION: Selection = {
  filter: 'all',
  experts: [],
  multiple: false,
  search: '',
  active: { leading: LEADING },
}

function withIds<One extends { readonly id: string }>(
  ids: readonly string[],
  predictions: readonly One[],
): readonly One[] {
  if (ids.length === 0) return []
  const byId = new Map(predictions.map((prediction) => [prediction.id, prediction]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The order of lists; `newestFirst` in SQL is the same. */
export function newestFirst(a: Prediction, b: Prediction): number {
  return b.made - a.made || inText(b.createdAt, a.createdAt) || inText(a.id, b.id)
}

function inText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Handles a press on a filter chip: activates its status, or, if active, returns to All. */
export function pressFilter(selection: Selection, filter: StatusFilter): Selection {
  return selection.filter === filter && (filter !== 'all' || drawsAll(selection))
    ? { ...selection, filter: 'all', active: NOTHING }
    : { ...selection, filter, active: { status: filter } }
}

/** The active chip; null while only some are drawn, as pressing All must not seem to remove them. */
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

/** Cycles the status of the phone's bottom bar: all, success, miss, pending. */
export function cycleFilter(selection: Selection): Selection {
  const filter = CYCLE[selection.filter]
  return { ...selection, filter, active: { status: filter } }
}

/** Selects an expert; null is All Influencers. In multiple mode, selecting again deselects. */
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

/** Toggles multiple mode; back in single mode, the last chosen expert remains. */
export function toggleMultiple(selection: Selection): Selection {
  const multiple = !selection.multiple
  const last = selection.experts.at(-1)
  if (multiple || selection.experts.length < 2 || last === undefined) {
    return { ...selection, multiple }
  }
  return { ...onlyExperts(selection, [last]), multiple }
}

/** Predictions on a chart, and how many there would be without its limit. */
export type OnChart = { readonly ids: readonly string[]; readonly total: number }

export function togglePrediction(selection: Selection, id: string, on: OnChart): Selection {
  const { active } = selection
  const isOn = on.ids.includes(id)
  // Removing the last one also excludes predictions added later.
  if (isOn && on.total === 1) return { ...selection, active: NOTHING }
  if (!('status' in active)) {
    return { ...selection, active: { ids: isOn ? less(on.ids, id) : [...on.ids, id] } }
  }
  const { status, without = [], and = [] } = active
  const isThinned = on.total > on.ids.length
  const isException = (isOn ? and : without).includes(id)
  const isPlain = isException && !isThinned
  const [off, joined] = [less(without, id), less(and, id)]
  return {
    ...selection,
    active: statusActive(
      status,
      isOn && !isPlain ? [...off, id] : off,
      isOn || isPlain ? joined : [...joined, id],
    ),
  }
}

/** Predictions to draw while a new selection loads: without removed ones, with added ones. */
export function drawnMeanwhile<One extends { readonly id: string }>(
  { active }: Selection,
  drawn: readonly One[],
  predictions: readonly One[],
): readonly One[] {
  if ('ids' in active) return withIds(active.ids, predictions)
  if ('leading' in active) return drawn
  const { without = [], and = [] } = active
  const off = new Set([...without, ...and])
  return [...drawn.filter(({ id }) => !off.has(id)), ...withIds(and, predictions)]
}

/** A status with its exceptions; other ids are dropped, so that equal choices are equal. */
function statusActive(status: StatusFilter, without: readonly string[], and: readonly string[]) {
  return {
    status,
    ...(without.length > 0 && { without }),
    ...(and.length > 0 && { and }),
  }
}

function less(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((known) => known !== id)
}

export function clearSelection(): Selection {
  return { ...OPENING_SELECTION, active: NOTHING }
}

/** Restores the chart's initial predictions. */
export function drawLeading(selection: Selection): Selection {
  return { ...selection, active: OPENING_SELECTION.active }
}

/** Whether nothing is on the chart, which then shows its home view. */
export function isBare({ active }: Selection): boolean {
  return 'ids' in active && active.ids.length === 0
}

/** Address parameters of the panel; the chart's are in #chart/view-state.ts. */
export const SELECTION_PARAMS = ['status', 'experts', 'multi', 'q', 'on'] as const
export type SelectionParam = (typeof SELECTION_PARAMS)[number]

/** The selection as address parameters, omitting defaults. */
export function selectionParams(selection: Selection): Partial<Record<SelectionParam, string>> {
  const on = activeParam(selection.active)
  return {
    ...(selection.filter !== 'all' && { status: selection.filter }),
    ...(selection.experts.length > 0 && { experts: selection.experts.join(',') }),
    ...(selection.multiple && { multi: '1' }),
    ...(selection.search.trim() !== '' && { q: selection.search }),
    ...(on !== null && { on }),
  }
}

/** Reads a selection from an address; missing or invalid parameters take their defaults. */
export function readSelection(param: (name: SelectionParam) => string | null): Selection {
  const experts = listOf(param('experts'))
  return {
    filter: statusOf(param('status')) ?? OPENING_SELECTION.filter,
    experts,
    multiple: param('multi') === '1',
    search: (param('q') ?? '').slice(0, 200),
    // A short link to an expert shows all their calls.
    active: activeOf(param('on') ?? (experts.length > 0 ? 'all' : null)),
  }
}

/** `miss,-a,b`: all misses except a, plus b. */
function activeParam(active: Active): string | null {
  if ('leading' in active) return null
  if ('ids' in active) return active.ids.length === 0 ? 'none' : active.ids.map(onParam).join(',')
  const { status, without = [], and = [] } = active
  return [status, ...without.map((id) => `-${onParam(id)}`), ...and.map(onParam)].join(',')
}

function activeOf(text: string | null): Active {
  if (text === null || text === '') return OPENING_SELECTION.active
  if (text === 'none') return { ids: [] }
  const [first = '', ...rest] = listOf(text)
  const status = statusOf(first)
  if (!status) return { ids: [first, ...rest].map(read) }
  const [without, and] = [
    rest.filter((id) => id.startsWith('-')),
    rest.filter((id) => !id.startsWith('-')),
  ]
  return statusActive(
    status,
    without.map((id) => read(id.slice(1))),
    and.map(read),
  )
}

/** An id in the `on` parameter: escaped if it contains a comma or looks like a status or a sign. */
export function onParam(id: string): string {
  const plain = id.replaceAll(/[%,]/g, encodeURIComponent)
  const isWord = plain === 'none' || statusOf(plain) !== null || plain.startsWith('-')
  return isWord ? `%${plain.charCodeAt(0).toString(16)}${plain.slice(1)}` : plain
}

function read(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}

function statusOf(text: string | null): StatusFilter | null {
  return STATUS_FILTERS.find((known) => known === text) ?? null
}

function listOf(text: string | null): readonly string[] {
  return [...new Set((text ?? '').split(',').filter((part) => part !== ''))]
}
