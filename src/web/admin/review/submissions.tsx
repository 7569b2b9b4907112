import { useQueryClient } from '@tanstack/react-query'
import {
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
  type FocusEvent,
  type RefObject,
} from 'react'
import { REVIEW_SORTS, searchSubmissions, type SubmissionRow } from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { AdminList, useList } from '#web/admin/kit/list.tsx'
import { ButtonKey } from '#web/admin/kit/screen.tsx'
import { useKeys } from '#web/admin/kit/use-keys.ts'
import { type CallInput } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { SearchBox } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack } from '#web/ui/primitives.tsx'
import { undoLast } from '#web/ui/toasts.tsx'
import { useParams } from '#web/ui/use-params.ts'
import { approvalBody, NEW_APPROVAL } from './approval.tsx'
import {
  dryRunQuery,
  REFRESH_MS,
  submissionQuery,
  type Decisions,
  type SubmissionPage,
} from './calls.ts'
import {
  useColumns,
  DASHBOARDS,
  isOpen,
  titleOf,
  type Mode,
  type StatusTab,
} from './dashboards.tsx'
import { ApproveAllDialog, RejectDialog } from './decide-dialogs.tsx'
import { DetailDialog } from './detail-dialog.tsx'
import css from './review.module.css'

const PAGE_SIZE = 50
const FILTER_NAMES = { all: 'This page', flagged: 'Flagged', clean: 'Without flags' } as const
type FlagFilter = keyof typeof FILTER_NAMES
const FILTERS = Object.keys(FILTER_NAMES) as readonly FlagFilter[]

function useFlagFilter() {
  const [param, change] = useParams()
  const choose = (one: FlagFilter): void => change({ show: one === 'all' ? null : one }, 'replace')
  return [FILTERS.find((one) => one === param('show')) ?? 'all', choose] as const
}

export type Approving = {
  readonly rows: readonly SubmissionRow[]
  readonly query: NonNullable<CallInput<typeof searchSubmissions>['query']>
}

/** Pending submissions are sorted oldest first, others newest first. */
function useSubmissions(asset: AssetKey, status: StatusTab) {
  const isPending = status === 'pending'
  return useList(
    searchSubmissions,
    {
      q: 'text',
      sort: REVIEW_SORTS,
      dir: isPending ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const),
      after: 'text',
      before: 'text',
    },
    {
      fixed: { asset, status, size: PAGE_SIZE, flags: isPending ? 'yes' : 'no' },
      refetchInterval: REFRESH_MS,
    },
  )
}

export function Submissions({
  asset,
  status,
  decisions,
  isCovered,
  onApproveAll,
}: {
  readonly asset: AssetKey
  readonly status: StatusTab
  readonly decisions: Decisions
  readonly isCovered: boolean
  readonly onApproveAll: ((chosen: Approving) => void) | null
}) {
  const isPending = status === 'pending'
  const list = useSubmissions(asset, status)
  const { open, values, asked: query } = list
  const { sort, dir, q } = values
  const [, change] = useParams()
  const [flagFilter] = useFlagFilter()
  const [mode, setMode] = useState<Mode>('view')
  const [rejecting, setRejecting] = useState<readonly SubmissionRow[] | null>(null)
  const [looking, setLooking] = useState<Approving | null>(null)
  const [reached, setReached] = useState<string | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const { flags, by } = byFlags(list.query.data, status)
  const { all } = by
  const { selected, choose, clear } = useSelected(all)
  const rows = isPending ? by[flagFilter] : all
  const isFree = !isCovered && open === '' && rejecting === null && looking === null
  function act(row: SubmissionRow, mode: Mode): void {
    if (mode === 'reject') return setRejecting([row])
    setMode(mode)
    change({ open: row.id })
  }
  const ifOpen = (next: Mode) => (row: SubmissionRow) => isOpen(row) && act(row, next)
  const rejectSelected = (): void => setRejecting(selected)
  const columns = useColumns(asset, { flags, onOpen: act })
  const toFirst = useFirstHit(place, list.query.data !== undefined && !list.query.isPlaceholderData)
  const look =
    by.clean.length > 0 && onApproveAll ? () => setLooking({ rows: by.clean, query }) : undefined
  useKeys(isFree, {
    A: look,
    R: selected.length > 0 ? rejectSelected : undefined,
    z: undoLast,
    '/': () => place.current?.querySelector<HTMLInputElement>('[role="search"] input')?.focus(),
  })
  useWholePage(list)
  useAhead(rows, reached)

  return (
    <Stack
      className={css.panel}
      ref={place}
      onFocus={({ target }: FocusEvent<HTMLElement>) => {
        const id = target.closest<HTMLElement>('[data-row]')?.dataset['row']
        if (id !== undefined) setReached(id)
      }}
    >
      <Tools list={list} by={isPending ? by : null} onEnter={toFirst} onApprove={look} />
      <AdminList
        label="Submissions"
        failed={DASHBOARDS[asset].loadFailed}
        list={{
          ...list,
          query: { ...list.query, data: list.query.data && { ...list.query.data, rows } },
          show(changed) {
            if (!('open' in changed)) return list.show(changed)
            setMode('view')
            change(changed)
          },
        }}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={titleOf}
        sort={{
          by: sort,
          dir,
          onSort(by) {
            const start = by === 'paid' ? 'desc' : 'asc'
            list.show({ sort: by, dir: by === sort ? (dir === 'asc' ? 'desc' : 'asc') : start })
          },
        }}
        {...(rows.some(isOpen) && {
          selection: {
            chosen: new Set(selected.map(({ id }) => id)),
            canChoose: isOpen,
            onChoose: choose,
          },
        })}
        keys={{
          a: ifOpen('approve'),
          r: selected.length > 0 ? rejectSelected : ifOpen('reject'),
          e: (row) => act(row, 'edit'),
        }}
        isKeyed={isFree}
        opens
        empty={
          <Notice title={emptyText(status, q, all.length > 0 ? flagFilter : 'all')}>
            {(q !== '' || all.length > 0) && (
              <Button onClick={() => list.show({ q: null, show: null })}>Show all again</Button>
            )}
          </Notice>
        }
      />
      {selected.length > 0 && (
        <Selection count={selected.length} onClear={clear} onReject={rejectSelected} />
      )}
      {open !== '' && (
        <DetailDialog
          id={open}
          start={mode}
          onStep={(step) => {
            const next = rows[rows.findIndex(({ id }) => id === open) + step]
            if (!next) return
            setMode('view')
            list.show({ open: next.id })
          }}
          onClose={() => list.show({ open: null })}
        />
      )}
      {looking && onApproveAll && (
        <ApproveAllDialog
          rows={looking.rows}
          onApprove={() => {
            setLooking(null)
            onApproveAll(looking)
          }}
          onClose={() => setLooking(null)}
        />
      )}
      {rejecting && (
        <RejectDialog
          rows={rejecting.map((row) => all.find(({ id }) => row.id === id) ?? row)}
          decisions={decisions}
          onDone={() => {
            clear()
            setRejecting(null)
          }}
          onCancel={() => setRejecting(null)}
        />
      )}
    </Stack>
  )
}

type SubmissionList = ReturnType<typeof useSubmissions>

/** Returns to the first page if this page is now empty, or if it is a partly filled first page. */
function useWholePage({ query, values: { after, before }, show }: SubmissionList): void {
  const { data, isPlaceholderData } = query
  const left = useEffectEvent(() => {
    if (!data || isPlaceholderData) return
    const count = data.rows.length
    const isShort = before !== '' && data.previous === null && count < PAGE_SIZE
    if ((after !== '' && count === 0) || isShort) show({ after: null }, 'replace')
  })
  useEffect(() => left(), [data, isPlaceholderData])
}

/** Selected rows of all pages, without those decided by others meanwhile. */
function useSelected(all: Rows) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, SubmissionRow>>(new Map())
  const selected = [...chosen.values()].flatMap((row) => {
    const now = all.find(({ id }) => id === row.id) ?? row
    return isOpen(now) ? [now] : []
  })
  return {
    selected,
    choose: (ids: readonly string[], isOn: boolean): void => {
      const next = new Map(selected.map((row) => [row.id, row]))
      for (const row of all.filter(({ id }) => ids.includes(id))) {
        if (isOn) next.set(row.id, row)
        else next.delete(row.id)
      }
      setChosen(next)
    },
    clear: (): void => setChosen(new Map()),
  }
}

/** Moves the focus to the first result once a search is loaded. */
function useFirstHit(place: RefObject<HTMLElement | null>, isHere: boolean): () => void {
  const isFocusPending = useRef(false)
  const [, lookAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    if (!isFocusPending.current || !isHere) return
    isFocusPending.current = false
    place.current?.querySelector<HTMLElement>('[data-row]')?.focus()
  })
  return () => {
    isFocusPending.current = true
    lookAgain()
  }
}

type Rows = readonly SubmissionRow[]

function byFlags(page: SubmissionPage | undefined, status: StatusTab) {
  const all: Rows = page?.rows ?? []
  const flags = status === 'pending' ? (page?.flags ?? {}) : {}
  const clean = all.filter(({ id }) => flags[id]?.length === 0)
  const flagged = all.filter(({ id }) => (flags[id]?.length ?? 0) > 0)
  return { flags, by: { all, flagged, clean } }
}

function Tools({
  list: { values, show },
  by,
  onEnter,
  onApprove,
}: {
  readonly list: SubmissionList
  readonly by: Readonly<Record<FlagFilter, Rows>> | null
  readonly onEnter: () => void
  readonly onApprove: (() => void) | undefined
}) {
  const [flagFilter, filter] = useFlagFilter()
  return (
    <Row gap={6} justify="between">
      <div className={css.search}>
        <SearchBox
          label="Search submissions"
          value={values.q}
          onSearch={(q) => show({ q })}
          onEnter={onEnter}
        />
      </div>
      {by && by.all.length > 0 && (
        <Row role="group" aria-label="Filter this page by flags">
          {FILTERS.map((one) => (
            <Chip
              key={one}
              pressed={flagFilter === one}
              count={by[one].length}
              onPress={() => filter(one)}
            >
              {FILTER_NAMES[one]}
            </Chip>
          ))}
          {onApprove && (
            <Button tone="good" onClick={onApprove}>
              Approve {by.clean.length} without flags <ButtonKey>A</ButtonKey>
            </Button>
          )}
        </Row>
      )}
    </Row>
  )
}

/** `No pending submissions found.` (administrator-tools.md §2) */
function emptyText(status: StatusTab, q: string, flagFilter: FlagFilter): string {
  if (flagFilter === 'clean') return 'All on this page have flags.'
  if (flagFilter === 'flagged') return 'None on this page has flags.'
  const words = q === '' ? '' : ` for “${q}”`
  return `No ${status === 'all' ? '' : `${status} `}submissions found${words}.`
}

/** Number of rows to prefetch, including the current one. */
const AHEAD = 4
/** Older data is shown at once, but loaded again on opening. */
const FRESH_MS = 30_000

function useAhead(rows: Rows, from: string | null): void {
  const client = useQueryClient()
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === from),
  )
  const next = rows.slice(at, at + AHEAD).filter(isOpen)
  const fetchAhead = useEffectEvent(() =>
    Array.fromAsync(next, async ({ id }) => {
      const detail = await client.fetchQuery({ ...submissionQuery(id), staleTime: FRESH_MS })
      const run = dryRunQuery(id, approvalBody(NEW_APPROVAL, detail))
      await client.fetchQuery({ ...run, staleTime: FRESH_MS })
    }),
  )
  const key = next.map(({ id, version }) => `${id} ${String(version)}`).join()
  useEffect(() => {
    // A failed prefetch is repeated when the row is opened.
    fetchAhead().catch(() => {})
  }, [key])
}

function Selection({
  count,
  onClear,
  onReject,
}: Record<'onClear' | 'onReject', () => void> & { readonly count: number }) {
  return (
    <Row whole className={`${css.bulk} floating`} role="region" aria-label="Selected submissions">
      <span role="status">{count} selected</span>
      <Button onClick={onClear}>Clear</Button>
      <Button tone="bad" onClick={onReject}>
        Reject {count === 1 ? 'it' : `these ${String(count)}`}
      </Button>
    </Row>
  )
}
