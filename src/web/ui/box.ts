import {
  createElement,
  type ComponentProps,
  type ElementType,
  type JSX,
  type ReactNode,
} from 'react'
import { classNames } from './class-names.ts'

export type Tag = keyof JSX.IntrinsicElements

type Common = {
  readonly className?: string | undefined
  readonly children?: ReactNode
}

/** What a primitive of the layout takes: its own properties, and all that the element takes which it becomes. */
export type BoxProps<As extends Tag, Own> = Own &
  Common & {
    /** The element it becomes. */
    readonly as?: As | undefined
  } & Omit<ComponentProps<As>, keyof Own | keyof Common | 'as'>

/** An element with the class of a primitive before the one it was given. */
export function box(
  primitive: string | undefined,
  standard: Tag,
  { as, className, ...rest }: { as?: ElementType | undefined; className?: string | undefined },
): ReactNode {
  return createElement(as ?? standard, { className: classNames(primitive, className), ...rest })
}
