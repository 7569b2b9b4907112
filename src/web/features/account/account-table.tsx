import { type ReactNode } from 'react'
import table from '#web/ui/dense-table.module.css'
import css from './account.module.css'

/** A list of what belongs to the account; the last column holds what can be done with a row. */
export function AccountTable({
  heads,
  children,
}: {
  readonly heads: readonly string[]
  readonly children: ReactNode
}) {
  return (
    <div className={`${table.frame ?? ''} ${css.list ?? ''}`}>
      <table className={table.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
