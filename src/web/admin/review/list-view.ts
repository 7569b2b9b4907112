import { useSearchParams } from 'wouter'
import { REVIEW_SORTS } from '#contracts/review.ts'
import { type ReviewSort } from './dashboards.ts'

export const STATUS_TABS = ['pending', 'approved', 'rejected', 'all'] as const
export type StatusTab = (typeof STATUS_TABS)[number]

export const SHOWN_FLAGS = ['all', 'flagged', 'clean'] as const
export type ShownFlags = (typeof SHOWN_FLAGS)[number]

/** What a dashboard shows. It is kept in the address, so that a reload and the back button keep it. */
export type ListView = {
  /** A status, or the name of a tool such as `posts`. */
  readonly tab: string
  readonly q: string
  readonly sort: ReviewSort
  readonly dir: 'asc' | 'desc'
  /** Of those that wait: all, or those that need a closer look, or the others. */
  readonly show: ShownFlags
  /** From 0, for the numbers below the list. */
  readonly page: number
  /** Where the page begins or ends, as the page beside it has said; both null at the list's beginning. */
  readonly after: string | null
  readonly before: string | null
  /** The submission opened over the list. */
  readonly open: string | null
}

/** The first page of a list. */
export const FIRST_PAGE = { page: 0, after: null, before: null } as const

/** Who has waited longest comes first; of what was decided the newest. */
const startDir = (tab: string): 'asc' | 'desc' => (tab === 'pending' ? 'asc' : 'desc')

const START: Omit<ListView, 'dir'> = {
  tab: 'pending',
  q: '',
  sort: 'submitted',
  show: 'all',
  ...FIRST_PAGE,
  open: null,
}
const LONGEST_Q = 200
const MOST_PAGES = 100_000

/** Reads an address; what makes no sense in it counts as absent. */
function viewOf(params: URLSearchParams): ListView {
  const [after, before] = [params.get('after'), params.get('before')]
  // A number alone leads nowhere: where a page begins moves with every submission that comes.
  const page = after === null && before === null ? 1 : Number(params.get('page') ?? 1)
  const sort = REVIEW_SORTS.find((one) => one === params.get('sort')) ?? START.sort
  const open = params.get('open')
  const tab = params.get('tab') ?? START.tab
  return {
    tab,
    q: (params.get('q') ?? '').slice(0, LONGEST_Q),
    sort,
    dir: (['asc', 'desc'] as const).find((one) => one === params.get('dir')) ?? startDir(tab),
    show: SHOWN_FLAGS.find((one) => one === params.get('show')) ?? START.show,
    page: Number.isInteger(page) && page >= 1 && page <= MOST_PAGES ? page - 1 : 0,
    after,
    before: after === null ? before : null,
    open: open !== null && /^[\da-f-]{36}$/i.test(open) ? open : null,
  }
}

/** The search part of an address; what is as it starts is left out. */
function paramsOf(view: ListView): Record<string, string> {
  return {
    ...(view.tab === START.tab ? {} : { tab: view.tab }),
    ...(view.q === '' ? {} : { q: view.q }),
    ...(view.sort === START.sort ? {} : { sort: view.sort }),
    ...(view.dir === startDir(view.tab) ? {} : { dir: view.dir }),
    ...(view.show === START.show ? {} : { show: view.show }),
    ...(view.page === 0 ? {} : { page: String(view.page + 1) }),
    ...(view.after === null ? {} : { after: view.after }),
    ...(view.before === null ? {} : { before: view.before }),
    ...(view.open === null ? {} : { open: view.open }),
  }
}

export type ChangeView = (change: Partial<ListView>, how?: 'replace') => void

/** The view in the address, and the way to change it: as a step of the history, unless it is replaced. */
export function useListView(): readonly [ListView, ChangeView] {
  const [params, setParams] = useSearchParams()
  const change: ChangeView = (changed, how) => {
    setParams((now) => paramsOf(changedView(viewOf(now), changed)), { replace: how === 'replace' })
  }
  return [viewOf(params), change]
}

/** Another tab begins in its own direction, unless the list was turned around. */
function changedView(now: ListView, changed: Partial<ListView>): ListView {
  const next = { ...now, ...changed }
  const isTurned = now.dir !== startDir(now.tab) || now.sort !== START.sort
  if (changed.dir !== undefined || next.tab === now.tab || isTurned) return next
  return { ...next, dir: startDir(next.tab) }
}

export function isStatusTab(tab: string): tab is StatusTab {
  return STATUS_TABS.some((one) => one === tab)
}
