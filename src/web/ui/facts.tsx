import { type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './facts.module.css'

/** Names, each with its value. */
export function Facts({
  size,
  className,
  children,
}: {
  readonly size?: 'small' | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <dl className={classNames(css.facts, className)} data-size={size}>
      {children}
    </dl>
  )
}

/** A name with its value; left out when the value is not known. */
export function Fact({ name, children }: Record<'name' | 'children', ReactNode>) {
  if (children === null || children === undefined || children === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
