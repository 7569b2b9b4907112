import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { type SubmissionRow } from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { ApproveAllDialog } from './approve-all-dialog.tsx'
import { PAGE_SIZE, useSubmissions, type SubmissionPage } from './calls.ts'
import { DASHBOARDS, type Dashboard, type ReviewSort } from './dashboards.ts'
import { flaggedOf, FlagFilter } from './flag-filter.tsx'
import { FIRST_PAGE, type ChangeView, type ListView, type StatusTab } from './list-view.ts'
import { RejectDialog } from './reject-dialog.tsx'
import { isOpen, SubmissionList, type Mode } from './submission-list.tsx'
import { Loading, Stale } from '#web/ui/loaded.tsx'
import tools from '#web/ui/admin-page.module.css'
import css from './submissions-panel.module.css'
import { useCurrentRow } from '#web/ui/use-current-row.ts'
import { undoLast } from './undo-list.tsx'
import { useAhead } from './use-ahead.ts'
import { useDecisions } from './use-decisions.ts'
import { namesAt, useHere } from './use-here.ts'
import { useKeys } from '#web/ui/use-keys.ts'
import { useSelection } from './use-selection.ts'
import { Row, Stack } from '#web/ui/stack.tsx'

export type PanelControls = {
  /** The row after or before the one of this id, or of the place where it was. */
  readonly beside: (id: string, by: 1 | -1) => SubmissionRow | null
}

/** In which direction a column is first ordered. */
const FIRST_DIR: Readonly<Record<ReviewSort, 'asc' | 'desc'>> = {
  submitted: 'asc',
  target: 'asc',
  expert: 'asc',
  paid: 'desc',
}

/** One list of a dashboard, with its search, its keys and its pages. */
export function SubmissionsPanel({
  ref,
  asset,
  view,
  onChange,
  onOpen,
  onShowKeys,
  isCovered,
}: {
  readonly ref?: Ref<PanelControls>
  readonly asset: AssetKey
  readonly view: ListView & { readonly tab: StatusTab }
  readonly onChange: ChangeView
  readonly onOpen: (row: SubmissionRow, mode: Mode) => void
  readonly onShowKeys: () => void
  /** A dialog is open over the list: its keys do nothing. */
  readonly isCovered: boolean
}) {
  const { name, columns, loadFailed } = DASHBOARDS[asset]
  const { data, error, isPlaceholderData, refetch } = useSubmissions(asset, view)
  const { flags, by, shown, listed, rows } = flaggedOf(data, view)
  const decisions = useDecisions()
  const [rejecting, setRejecting] = useState<readonly SubmissionRow[] | null>(null)
  const [isApproving, setApproving] = useState(false)
  const search = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const isResting = isCovered || isApproving || rejecting !== null
  const { current, step, reach } = useCurrentRow(rows, place, isResting)
  const here = useHere()
  useAhead(rows, current)
  const { selected, select, selectAll, clear } = useSelection(rows)

  useImperativeHandle(ref, () => ({
    beside: (id, by) => {
      const at = rows.findIndex((row) => row.id === id)
      return at < 0 ? current : (rows[at + by] ?? null)
    },
  }))

  function open(row: SubmissionRow, mode: Mode): void {
    reach(row)
    if (mode === 'reject') setRejecting([row])
    else onOpen(row, mode)
  }

  const rejectSelected = (): void => setRejecting([...selected.values()])
  const ifOpen = (mode: Mode) =>
    current && isOpen(current) ? () => open(current, mode) : undefined
  useKeys(!isResting, {
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    Enter: current ? () => open(current, 'view') : undefined,
    a: ifOpen('approve'),
    r: selected.size > 0 ? rejectSelected : ifOpen('reject'),
    e: current ? () => open(current, 'edit') : undefined,
    x: current ? () => select(current) : undefined,
    A: by.clean.length > 0 && view.tab === 'pending' ? () => setApproving(true) : undefined,
    z: undoLast,
    '/': () => search.current?.querySelector('input')?.focus(),
    '?': onShowKeys,
  })

  const previous = data?.previous ?? null
  const isCurrent = data !== undefined && !isPlaceholderData
  useEffect(() => {
    if (!isCurrent) return
    // All that came after was decided meanwhile.
    if (view.after !== null && listed.length === 0) {
      onChange({ page: Math.max(0, view.page - 1), after: null, before: view.after }, 'replace')
    }
    // A page short of rows is the first one; it has more now.
    if (view.before !== null && previous === null && listed.length < PAGE_SIZE) {
      onChange(FIRST_PAGE, 'replace')
    }
  })

  function turn(to: Partial<ListView>): void {
    onChange({ ...FIRST_PAGE, ...to })
    window.scrollTo({ top: 0 })
  }

  return (
    <Stack className={css.panel} ref={place}>
      <ListTools ref={search} view={view} onChange={onChange} />
      {view.tab === 'pending' && listed.length > 0 && (
        <FlagFilter
          by={by}
          shown={shown}
          onShow={(show) => onChange({ show }, 'replace')}
          onApprove={() => setApproving(true)}
        />
      )}
      <ListState
        loadFailed={loadFailed}
        error={error}
        rows={data?.rows ?? null}
        view={view}
        onRetry={() => void refetch()}
        onShowAll={() => onChange({ q: '', ...FIRST_PAGE })}
      />
      {rows.length > 0 && (
        <div aria-busy={isPlaceholderData}>
          <SubmissionList
            label={`${name} submissions`}
            columns={columns}
            rows={rows}
            flags={flags}
            namesAt={(id) => namesAt(here, id)}
            sort={view.sort}
            dir={view.dir}
            onSort={(sort) =>
              onChange({
                sort,
                dir: sort === view.sort ? opposite(view.dir) : FIRST_DIR[sort],
                ...FIRST_PAGE,
              })
            }
            current={current?.id ?? null}
            selected={new Set(selected.keys())}
            onSelectAll={selectAll}
            onOpen={open}
            onSelect={select}
            onReach={reach}
          />
        </div>
      )}
      <ListPager data={data} view={view} onTurn={turn} />
      {selected.size > 0 && (
        <Row whole className={css.bulk} role="region" aria-label="Selected submissions">
          <span role="status">{selected.size} selected</span>
          <Button onClick={clear}>Clear</Button>
          <Button tone="bad" onClick={rejectSelected}>
            Reject {selected.size === 1 ? 'it' : `these ${String(selected.size)}`}
          </Button>
        </Row>
      )}
      {isApproving && (
        <ApproveAllDialog
          rows={by.clean}
          decisions={decisions}
          onClose={() => setApproving(false)}
        />
      )}
      {rejecting && (
        <RejectDialog
          rows={rejecting.map((row) => rows.find(({ id }) => id === row.id) ?? row)}
          decisions={decisions}
          onDone={() => {
            clear()
            setRejecting(null)
          }}
          onClose={() => setRejecting(null)}
        />
      )}
    </Stack>
  )
}

/** The pages of a list. */
function ListPager({
  data,
  view,
  onTurn,
}: {
  readonly data: SubmissionPage | undefined
  readonly view: ListView
  readonly onTurn: (to: Partial<ListView>) => void
}) {
  const { previous = null, next = null, total = 0, rows = [] } = data ?? {}
  // The ends of a list are known for sure; in between, what came and went since moves the numbers a little.
  const first =
    previous === null
      ? 1
      : next === null
        ? Math.max(1, total - rows.length + 1)
        : view.page * PAGE_SIZE + 1
  return (
    <Pager
      label="Pages of submissions"
      from={first}
      to={first + rows.length - 1}
      total={total}
      onPrevious={
        previous === null
          ? null
          : () => onTurn({ page: Math.max(0, view.page - 1), before: previous })
      }
      onNext={next === null ? null : () => onTurn({ page: view.page + 1, after: next })}
    />
  )
}

/** The search of a list, and its keys. */
function ListTools({
  ref,
  view,
  onChange,
}: {
  readonly ref: Ref<HTMLDivElement>
  readonly view: ListView
  readonly onChange: ChangeView
}) {
  return (
    <Row gap={6} justify="between" className={tools.tools}>
      <SearchBox
        ref={ref}
        label="Search submissions"
        value={view.q}
        onSearch={(q) => onChange({ q, ...FIRST_PAGE }, 'replace')}
      />
      <Row as="p" gap={3} className={css.hints} aria-hidden="true">
        {HINTS.map(([keys, text]) => (
          <span key={text}>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}{' '}
            {text}
          </span>
        ))}
      </Row>
    </Row>
  )
}

/** That there are no rows yet, or none at all, and why. */
function ListState({
  loadFailed,
  error,
  rows,
  view,
  onRetry,
  onShowAll,
}: {
  readonly loadFailed: Dashboard['loadFailed']
  readonly error: Error | null
  /** Null while they are not known. */
  readonly rows: readonly SubmissionRow[] | null
  readonly view: ListView & { readonly tab: StatusTab }
  readonly onRetry: () => void
  readonly onShowAll: () => void
}) {
  return (
    <>
      {error && rows && <Stale text={`${loadFailed.title} ${loadFailed.text}`} onRetry={onRetry} />}
      {!rows && error && (
        <Notice alert title={loadFailed.title} text={loadFailed.text}>
          <Button onClick={onRetry}>Retry</Button>
        </Notice>
      )}
      {!rows && !error && <Loading>Loading submissions...</Loading>}
      {rows?.length === 0 && (
        <Notice title={emptyText(view)}>
          {view.q !== '' && <Button onClick={onShowAll}>Show all again</Button>}
        </Notice>
      )}
    </>
  )
}

const HINTS = [
  ['j k', 'move'],
  ['Enter', 'view'],
  ['a', 'approve'],
  ['r', 'reject'],
  ['e', 'edit'],
  ['x', 'select'],
  ['/', 'search'],
] as const

function opposite(dir: 'asc' | 'desc'): 'asc' | 'desc' {
  return dir === 'asc' ? 'desc' : 'asc'
}

/** `No pending submissions found.` (administrator-tools.md §2) */
function emptyText({ tab, q }: { readonly tab: StatusTab; readonly q: string }): string {
  const status = tab === 'all' ? '' : `${tab} `
  const words = q === '' ? '' : ` for “${q}”`
  return `No ${status}submissions found${words}.`
}
