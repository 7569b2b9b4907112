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

/** The properties of a layout primitive: its own, and those of the element that it renders. */
export type BoxProps<As extends Tag, Own> = Own &
  Common & {
    /** The element it renders. */
    readonly as?: As | undefined
  } & Omit<ComponentProps<As>, keyof Own | keyof Common | 'as'>

/** Renders an element with the class of a primitive, then the class it was given. */
export function box(
  primitive: string | undefined,
  standard: Tag,
  { as, className, ...rest }: { as?: ElementType | undefined; className?: string | undefined },
): ReactNode {
  return createElement(as ?? standard, { className: classNames(primitive, className), ...rest })
}
