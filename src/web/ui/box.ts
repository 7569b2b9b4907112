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

export type BoxProps<As extends Tag, Own> = Own &
  Common & {
    readonly as?: As | undefined
  } & Omit<ComponentProps<As>, keyof Own | keyof Common | 'as'>

export function box(
  primitive: string | undefined,
  standard: Tag,
  { as, className, ...rest }: { as?: ElementType | undefined; className?: string | undefined },
): ReactNode {
  return createElement(as ?? standard, { className: classNames(primitive, className), ...rest })
}
