import { type ReactNode } from 'react'
import css from './prose.module.css'

/** A page of text. */
export function Prose({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}) {
  return (
    <div className={css.page}>
      <div className={css.prose}>
        <h1>{title}</h1>
        {lead && <p className={css.lead}>{lead}</p>}
        {children}
      </div>
    </div>
  )
}
