import {
  OPENING_SELECTION,
  STATUS_FILTERS,
  type Active,
  type Selection,
  type StatusFilter,
} from './selection.ts'

/** The names of the address parameters that the panel owns; the chart's are in #chart/view-state.ts. */
export const SELECTION_PARAMS = ['status', 'experts', 'multi', 'q', 'on'] as const
export type SelectionParam = (typeof SELECTION_PARAMS)[number]

/** An address longer than this is cut by some mail programs and chats. */
const MOST_IDS = 60

/** The selection as address parameters; what stands as on opening is left out. */
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

function activeParam(active: Active): string | null {
  if ('leading' in active) return null
  if ('status' in active) return active.status
  return active.ids.length === 0 ? 'none' : active.ids.slice(0, MOST_IDS).join(',')
}

function activeOf(text: string | null): Active {
  if (text === null || text === '') return OPENING_SELECTION.active
  if (text === 'none') return { ids: [] }
  const status = statusOf(text)
  return status ? { status } : { ids: listOf(text) }
}

function statusOf(text: string | null): StatusFilter | null {
  return STATUS_FILTERS.find((known) => known === text) ?? null
}

function listOf(text: string | null): readonly string[] {
  return [...new Set((text ?? '').split(',').filter((part) => part !== ''))]
}
