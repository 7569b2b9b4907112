import { type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './dense-table.module.css'

/** A column by its name: of text, of numbers, or one that explains itself, whose name is only read aloud. */
type Column = string | { readonly number: string } | { readonly unseen: string }

/** A table of the administrators' pages, in a frame that scrolls sideways. */
export function DenseTable({
  label,
  columns,
  isBusy = false,
  isPlain = false,
  isStacked = false,
  className,
  children,
}: {
  /** What it lists; only read aloud. */
  readonly label: string
  readonly columns: readonly Column[]
  /** Its rows are about to be replaced. */
  readonly isBusy?: boolean
  /** Nothing in it can be focused, so the frame can: the arrow keys then scroll it. */
  readonly isPlain?: boolean
  /** Where there is no room for columns each row is a card. */
  readonly isStacked?: boolean
  readonly className?: string | undefined
  /** The rows. */
  readonly children: ReactNode
}) {
  const byKeys = isPlain
    ? { role: 'region', 'aria-label': `Table of ${label.toLowerCase()}`, tabIndex: 0 }
    : {}
  return (
    <div className={css.frame} aria-busy={isBusy} {...byKeys}>
      <table className={classNames(css.table, isStacked && css.stacked, className)}>
        <caption className="aside-voice">{label}</caption>
        <thead>
          <tr>{columns.map(headOf)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

function headOf(column: Column): ReactNode {
  if (typeof column === 'string') {
    return (
      <th key={column} scope="col">
        {column}
      </th>
    )
  }
  if ('number' in column) {
    return (
      <th key={column.number} scope="col" className={css.number}>
        {column.number}
      </th>
    )
  }
  return (
    <th key={column.unseen} scope="col">
      <span className="aside-voice">{column.unseen}</span>
    </th>
  )
}
