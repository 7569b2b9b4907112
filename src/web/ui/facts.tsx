import { type ReactNode } from 'react'
import { classNames } from './primitives.tsx'
import css from './facts.module.css'

export function Facts({
  size,
  className,
  children,
}: {
  readonly size?: 'small' | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return <dl className={classNames(css.facts, size ?? css.spacious, className)}>{children}</dl>
}

/** A name with its value; omitted for unknown values. */
export function Fact({ name, children }: Record<'name' | 'children', ReactNode>) {
  if (children === null || children === undefined || children === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

export type Figure = { readonly name: string; readonly value: string }

/** Numbers side by side, each below its name; space is reserved while they load. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={css.figures}>
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
