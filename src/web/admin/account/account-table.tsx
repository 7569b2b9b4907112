import { type ReactNode } from 'react'
import { DenseTable } from '#web/ui/dense-table.tsx'
import css from './account.module.css'

/** A list of what belongs to the account; the last column holds what can be done with a row. */
export function AccountTable({
  label,
  heads,
  children,
}: {
  readonly label: string
  readonly heads: readonly string[]
  readonly children: ReactNode
}) {
  return (
    <div className={css.list}>
      <DenseTable label={label} columns={[...heads, { unseen: 'Actions' }]} isPlain>
        {children}
      </DenseTable>
    </div>
  )
}
