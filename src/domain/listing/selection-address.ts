import {
  OPENING_SELECTION,
  STATUS_FILTERS,
  statusActive,
  type Active,
  type Selection,
  type StatusFilter,
} from './selection.ts'

/** The names of the address parameters that the panel owns; the chart's are in #chart/view-state.ts. */
export const SELECTION_PARAMS = ['status', 'experts', 'multi', 'q', 'on'] as const
export type SelectionParam = (typeof SELECTION_PARAMS)[number]

/** The selection as address parameters, without defaults. */
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

/** Reads a selection from an address; whatever is missing or makes no sense there is as on opening. */
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

/** The parameter `on` for one prediction: its id. */
export function onParam(id: string): string {
  return written(id)
}

/** `miss,-a,b`: the misses but for a, and b. */
function activeParam(active: Active): string | null {
  if ('leading' in active) return null
  if ('ids' in active) return active.ids.length === 0 ? 'none' : active.ids.map(written).join(',')
  const { status, without = [], and = [] } = active
  return [status, ...without.map((id) => `-${written(id)}`), ...and.map(written)].join(',')
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

/** An id that reads as itself among others: without commas, and not like a status or a sign. */
function written(id: string): string {
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
