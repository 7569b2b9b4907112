import { Fragment, useRef, type ReactNode } from 'react'
import { Choice } from '#web/ui/field.tsx'
import { Note } from '#web/ui/primitives.tsx'
import { momentOr } from '#web/ui/show.ts'
import { ARIA_SORT, SortButton } from '#web/ui/sort-button.tsx'
import { useKeys, useRow } from './use-keys.ts'
import dense from '#web/ui/dense-table.module.css'
import css from './kit.module.css'

export type Column<Row> = {
  readonly name: string
  /** Null omits the cell in card layout. */
  readonly cell: (row: Row) => ReactNode
  /** `title` names the row and opens it; `short` does not wrap; `actions` have no label in card layout. */
  readonly is?: 'title' | 'number' | 'short' | 'actions'
  /** Sort key, if the list can be sorted by this column. */
  readonly sort?: string
}

type Cell<Row, Content = ReactNode> = (row: Row) => Content

const made =
  (is?: 'title' | 'number' | 'short' | 'actions') =>
  <Row,>(name: string, cell: Cell<Row>): Column<Row> => ({ name, cell, ...(is && { is }) })

/** Columns by what their cells hold. */
export const column = {
  text: made(),
  title: made('title'),
  number: made('number'),
  short: made('short'),
  /** @param none shown without a moment */
  moment: <Row,>(name: string, at: Cell<Row, string | null>, none = ''): Column<Row> =>
    made('short')(name, (row) => momentOr(none, at(row))),
  actions: <Row,>(cell: Cell<Row>, name = 'Actions'): Column<Row> => made('actions')(name, cell),
}

type Sort = {
  readonly by: string
  readonly dir: 'asc' | 'desc'
  readonly onSort: (by: string) => void
}

type Selection<Row> = {
  readonly chosen: ReadonlySet<string>
  readonly canChoose: (row: Row) => boolean
  readonly onChoose: (ids: readonly string[], isOn: boolean) => void
}

export type TableProps<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Shown without rows; by default nothing is. */
  readonly empty?: ReactNode
  readonly idOf: (row: Row) => string
  readonly isBusy?: boolean
  readonly sort?: Sort
  readonly selection?: Selection<Row>
  /** The opened row with its detail; without a detail, the row opens elsewhere. */
  readonly open?: string
  readonly renderDetail?: ((row: Row) => ReactNode) | undefined
  /** @param id null when closing */
  readonly onOpen?: ((id: string | null) => void) | undefined
  /** Additional keys for the current row; `j`, `k`, Enter, Escape and `x` are built in. */
  readonly keys?: Readonly<Record<string, (row: Row) => void>> | undefined
  readonly first?: string | null
  /** Only one table per screen handles keys. */
  readonly isKeyed?: boolean
  readonly nameOf?: (row: Row) => string
}

/** A table; in a narrow container each row becomes a card of labels and values. */
export function AdminTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, idOf, selection, open = '', onOpen } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const current = useRow(rows.map(idOf), body, {
    open: open || null,
    focused: props.first ?? null,
    isKeyed: props.isKeyed ?? false,
  })
  const row = rows.find((one) => idOf(one) === current.id)
  const step = (by: 1 | -1) => () => {
    const next = current.step(by)
    if (next !== null && open !== '' && props.renderDetail) onOpen?.(next)
  }
  const toggle = (id: string) => onOpen?.(id === open ? null : id)
  useKeys(props.isKeyed ?? false, {
    j: step(1),
    ArrowDown: step(1),
    k: step(-1),
    ArrowUp: step(-1),
    ...(row && onOpen ? { Enter: () => toggle(idOf(row)) } : {}),
    ...(open !== '' && onOpen ? { Escape: () => onOpen(null) } : {}),
    ...(row && selection?.canChoose(row)
      ? { x: () => selection.onChoose([idOf(row)], !selection.chosen.has(idOf(row))) }
      : {}),
    ...Object.fromEntries(
      Object.entries(props.keys ?? {}).map(([key, act]) => [key, row && (() => act(row))]),
    ),
  })
  const choosable = selection ? rows.filter(selection.canChoose).map(idOf) : []
  if (rows.length === 0) {
    if (typeof props.empty !== 'string') return props.empty
    return <Note>{props.empty}</Note>
  }
  return (
    <div className={`${css.frame} card full relative`} aria-busy={props.isBusy}>
      {props.sort && (
        // Cards have no column headers.
        <div className={`${css.sortChoice} pad`}>
          <Choice
            label="Sort by"
            name="sort"
            value={props.sort.by}
            options={columns.flatMap(({ name, sort }) =>
              sort === undefined ? [] : [[sort, name] as const],
            )}
            onChange={props.sort.onSort}
          />
        </div>
      )}
      <table className={`${dense.rows} ${css.table}`} aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label="Select all on this page"
                  disabled={choosable.length === 0}
                  checked={
                    choosable.length > 0 && choosable.every((id) => selection.chosen.has(id))
                  }
                  onChange={(event) => selection.onChoose(choosable, event.target.checked)}
                />
              </th>
            )}
            {columns.map(({ name, is, sort: by }) => {
              const dir = by !== undefined && by === props.sort?.by ? props.sort.dir : null
              return (
                <th
                  key={name}
                  scope="col"
                  data-is={is}
                  aria-sort={dir ? ARIA_SORT[dir] : undefined}
                >
                  {props.sort && by !== undefined ? (
                    <SortButton dir={dir} onClick={() => props.sort?.onSort(by)}>
                      {name}
                    </SortButton>
                  ) : (
                    name
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((one) => {
            const id = idOf(one)
            const isOpen = id === open
            const isCurrent = props.isKeyed && id === current.id
            return (
              <Fragment key={id}>
                <tr
                  data-row={id}
                  aria-label={props.nameOf?.(one)}
                  data-current={isCurrent || undefined}
                  data-chosen={selection?.chosen.has(id) || undefined}
                  tabIndex={props.isKeyed ? (isCurrent ? 0 : -1) : undefined}
                  onFocus={() => current.reach(id)}
                >
                  {selection && (
                    <td data-is="select">
                      {selection.canChoose(one) && (
                        <input
                          type="checkbox"
                          aria-label={`Select ${props.nameOf?.(one) ?? 'this row'}`}
                          checked={selection.chosen.has(id)}
                          onChange={(event) => selection.onChoose([id], event.target.checked)}
                        />
                      )}
                    </td>
                  )}
                  {columns.map((column) => (
                    <Cell
                      key={column.name}
                      column={column}
                      row={one}
                      opens={
                        onOpen && { isOpen: props.renderDetail && isOpen, toggle: () => toggle(id) }
                      }
                    />
                  ))}
                </tr>
                {isOpen && props.renderDetail && (
                  <tr className={css.opened} onFocus={() => current.reach(id)}>
                    <td colSpan={columns.length + (selection ? 1 : 0)}>
                      {props.renderDetail(one)}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({
  column: { name, cell, is },
  row,
  opens,
}: {
  readonly column: Column<Row>
  readonly row: Row
  readonly opens: { readonly isOpen: boolean | undefined; readonly toggle: () => void } | undefined
}) {
  const content = cell(row)
  const body = typeof content === 'string' ? <bdi>{content}</bdi> : content
  const isEmpty = content === null || content === undefined || content === ''
  if (is !== 'title') {
    return (
      <td data-is={is} data-label={is === 'actions' ? undefined : name}>
        {!isEmpty && <div>{body}</div>}
      </td>
    )
  }
  return (
    <th scope="row" data-is={is}>
      {opens ? (
        <button
          type="button"
          className="link at-start"
          aria-expanded={opens.isOpen}
          onClick={opens.toggle}
        >
          {body}
        </button>
      ) : (
        body
      )}
    </th>
  )
}
