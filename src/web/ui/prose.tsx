import { type ReactNode } from 'react'
import { Text } from './primitives.tsx'
import css from './prose.module.css'

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
    <div className={css.prose}>
      <h1>{title}</h1>
      {lead && (
        <Text tone="quiet" size="lead">
          {lead}
        </Text>
      )}
      {children}
    </div>
  )
}
