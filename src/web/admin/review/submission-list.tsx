import { fieldsText } from '#domain/claim/text.ts'
import { useSyncExternalStore, type ReactNode } from 'react'
import { type ReviewFlag, type SubmissionRow } from '#contracts/review.ts'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import field from '#web/ui/field.module.css'
import { useLayout } from '#web/ui/layout.ts'
import { SortButton } from '#web/ui/sort-button.tsx'
import { CELLS } from './cells.tsx'
import { type Column, type ColumnKey, type ReviewSort } from './dashboards.ts'
import { Marks } from './flags.tsx'
import css from './submission-list.module.css'
import { titleOf } from './row-texts.ts'
import { Panel, Row, Tiles } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

export type Mode = 'view' | 'approve' | 'reject' | 'edit'

type RowCalls = {
  readonly onOpen: (row: SubmissionRow, mode: Mode) => void
  readonly onSelect: (row: SubmissionRow) => void
  /** The pointer or the tab key has come to a row. */
  readonly onReach: (row: SubmissionRow) => void
}

type ListProps = RowCalls & {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly SubmissionRow[]
  /** By the id of a row. */
  readonly flags: Readonly<Record<string, readonly ReviewFlag[]>>
  /** Other administrators who look at it now. */
  readonly namesAt: (id: string) => readonly string[]
  readonly sort: ReviewSort
  readonly dir: 'asc' | 'desc'
  readonly onSort: (sort: ReviewSort) => void
  /** The row one is on. */
  readonly current: string | null
  readonly selected: ReadonlySet<string>
  readonly onSelectAll: (on: boolean) => void
}

/** The submissions of a page: a table, or cards where no table fits. */
export function SubmissionList(props: ListProps) {
  return useLayout() === 'desktop' ? <Table {...props} /> : <Cards {...props} />
}

function Table(props: ListProps) {
  const { label, rows, sort, dir, onSort, current, selected } = props
  const isNarrow = useSyncExternalStore(followWidth, isNarrowNow, () => false)
  const columns = isNarrow ? props.columns.filter(({ key }) => !FOLDED.has(key)) : props.columns
  const has = (key: ColumnKey): boolean => props.columns.some((one) => one.key === key)
  const open = rows.filter(isOpen)
  return (
    <div className={`${table.frame} ${css.frame}`}>
      <table className={table.table} aria-label={label}>
        <thead>
          <tr>
            {open.length > 0 && (
              <th className={css.tick}>
                <Tick
                  label="Select all pending of this page"
                  checked={open.every(({ id }) => selected.has(id))}
                  onChange={props.onSelectAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={column.sort === sort ? ARIA_SORT[dir] : undefined}
              >
                <ColumnTitle column={column} isSorted={column.sort === sort} {...{ dir, onSort }} />
              </th>
            ))}
            <th scope="col" className={css.last}>
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              data-row={row.id}
              data-current={row.id === current || undefined}
              data-selected={selected.has(row.id) || undefined}
              tabIndex={row.id === current ? 0 : -1}
              aria-label={titleOf(row)}
              onFocus={() => props.onReach(row)}
              onDoubleClick={() => props.onOpen(row, 'view')}
            >
              {open.length > 0 && (
                <td className={css.tick}>
                  {isOpen(row) && (
                    <Tick
                      label={`Select ${titleOf(row)}`}
                      checked={selected.has(row.id)}
                      onChange={() => props.onSelect(row)}
                    />
                  )}
                </td>
              )}
              {columns.map(({ key }) => (
                <td key={key} data-column={key}>
                  {CELLS[key](row)}
                  {isNarrow &&
                    FOLDS[key]
                      ?.filter((one) => has(one) && !isEmpty(row, one))
                      .map((one) => <div key={one}>{CELLS[one](row)}</div>)}
                  {key === 'status' && (
                    <Marks flags={props.flags[row.id]} names={props.namesAt(row.id)} />
                  )}
                </td>
              ))}
              <td className={css.last}>
                <div className={table.actions}>
                  <RowActions row={row} onOpen={props.onOpen} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where not all columns fit, some go below others, so that none lies under the actions. */
const NARROW = '(max-width: 1279.98px)'
const FOLDS: Readonly<Partial<Record<ColumnKey, readonly ColumnKey[]>>> = {
  expert: ['handle'],
  prediction: ['type'],
  target: ['source'],
  status: ['paid'],
}
const FOLDED: ReadonlySet<ColumnKey> = new Set(Object.values(FOLDS).flat())
/** Below another cell nothing is said of what there is not. */
function isEmpty(row: SubmissionRow, key: ColumnKey): boolean {
  return (
    (key === 'handle' && row.twitter_handle === null) ||
    (key === 'paid' && row.payment_state === 'none')
  )
}

const isNarrowNow = (): boolean => window.matchMedia(NARROW).matches

function followWidth(notify: () => void): () => void {
  const query = window.matchMedia(NARROW)
  query.addEventListener('change', notify)
  return () => query.removeEventListener('change', notify)
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

function ColumnTitle({
  column,
  isSorted,
  dir,
  onSort,
}: {
  readonly column: Column
  readonly isSorted: boolean
  readonly dir: 'asc' | 'desc'
  readonly onSort: (sort: ReviewSort) => void
}) {
  const { sort } = column
  if (!sort) return column.title
  return (
    <SortButton dir={isSorted ? dir : null} onClick={() => onSort(sort)}>
      {column.title}
    </SortButton>
  )
}

function Cards(props: ListProps) {
  const { label, columns, rows, selected } = props
  const facts = columns.filter(({ key }) => !IN_HEAD.has(key))
  return (
    <>
      <SortChoice {...props} />
      <Tiles as="ul" least="20rem" className={css.cards} aria-label={label}>
        {rows.map((row) => (
          <Panel
            as="li"
            gap={2}
            key={row.id}
            className={css.card}
            data-row={row.id}
            data-selected={selected.has(row.id) || undefined}
          >
            <Row gap={3} justify="between" whole className={css.cardHead}>
              {CELLS.expert(row)}
              {CELLS.status(row)}
            </Row>
            <Text size="lead" strong>
              {fieldsText(row)}
            </Text>
            <Marks flags={props.flags[row.id]} names={props.namesAt(row.id)} />
            <dl className={css.facts}>
              {facts.map(({ key, title }) => (
                <Fact key={key} title={title}>
                  {CELLS[key](row)}
                </Fact>
              ))}
            </dl>
            <Row whole className={css.cardActions}>
              {isOpen(row) && (
                <Tick
                  label={`Select ${titleOf(row)}`}
                  checked={selected.has(row.id)}
                  onChange={() => props.onSelect(row)}
                />
              )}
              <RowActions row={row} onOpen={props.onOpen} />
            </Row>
          </Panel>
        ))}
      </Tiles>
    </>
  )
}

/** What the titles of the columns do in a table. */
function SortChoice({ columns, sort, dir, onSort }: ListProps) {
  return (
    <Row justify="between" className={css.sortChoice}>
      <label>
        Sort by{' '}
        <select
          className={field.control}
          value={sort}
          onChange={(event) => choose(event.target.value)}
        >
          {columns.map(
            ({ key, title, sort: one }) =>
              one && (
                <option key={key} value={one}>
                  {title}
                </option>
              ),
          )}
        </select>
      </label>
      <Button onClick={() => onSort(sort)}>{dir === 'asc' ? 'Ascending' : 'Descending'}</Button>
    </Row>
  )

  function choose(value: string): void {
    const chosen = columns.find((column) => column.sort === value)?.sort
    if (chosen) onSort(chosen)
  }
}

const IN_HEAD: ReadonlySet<string> = new Set(['expert', 'prediction', 'status'])

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** View always; the decisions while it is pending. */
function RowActions({
  row,
  onOpen,
}: {
  readonly row: SubmissionRow
  readonly onOpen: RowCalls['onOpen']
}) {
  const name = <span className="aside-voice"> {titleOf(row)}</span>
  return (
    <>
      <Button onClick={() => onOpen(row, 'view')}>View{name}</Button>
      {isOpen(row) && (
        <>
          <Button tone="good" onClick={() => onOpen(row, 'approve')}>
            Approve{name}
          </Button>
          <Button tone="bad" onClick={() => onOpen(row, 'reject')}>
            Reject{name}
          </Button>
        </>
      )}
    </>
  )
}

function Tick({
  label,
  checked,
  onChange,
}: {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}) {
  return (
    <label className={css.tickBox}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

/** It can still be decided. */
export function isOpen(row: SubmissionRow): boolean {
  return row.status === 'pending'
}
