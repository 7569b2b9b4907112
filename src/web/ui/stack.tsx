import { box, type BoxProps, type Tag } from './box.ts'
import { classNames } from './class-names.ts'
import css from './layout.module.css'

export type Gap = 0 | 1 | 2 | 3 | 4 | 6 | 8

type StackProps = {
  readonly gap?: Gap | undefined
  /** Where children go that are narrower than the column; they fill it by default. */
  readonly align?: 'start' | 'center' | undefined
  /** The size of its text; inherited by default. */
  readonly size?: 'small' | undefined
  /** Whether a line separates it from what is above. */
  readonly ruled?: boolean | undefined
}

/** One thing below the other. A feature's style sheet overrides it, like every primitive. */
export function Stack<As extends Tag = 'div'>({
  gap = 3,
  align,
  size,
  ruled,
  ...rest
}: BoxProps<As, StackProps>) {
  return box(css.stack, 'div', {
    'data-gap': gap,
    'data-align': align,
    'data-size': size,
    'data-ruled': ruled,
    ...rest,
  })
}

/** A stack in a frame of its own; one that waits for a decision is tinted. */
export function Panel<As extends Tag = 'div'>({
  tone,
  className,
  ...rest
}: BoxProps<As, StackProps & { readonly tone?: 'wait' | undefined }>) {
  return Stack({ className: classNames(css.panel, className), 'data-tone': tone, ...rest })
}

/** Two equal columns; one below 768 px. */
export function Columns<As extends Tag = 'div'>({
  gap = 4,
  ...rest
}: BoxProps<As, { readonly gap?: Gap | undefined }>) {
  return box(css.columns, 'div', { 'data-gap': gap, ...rest })
}

/** As many equal columns as fit. */
export function Tiles<As extends Tag = 'div'>({
  gap = 3,
  least,
  ...rest
}: BoxProps<
  As,
  {
    readonly gap?: Gap | undefined
    /** The least width of a column; 13 rem by default. */
    readonly least?: '16rem' | '20rem' | undefined
  }
>) {
  return box(css.tiles, 'div', { 'data-gap': gap, 'data-least': least, ...rest })
}

type RowProps = {
  readonly gap?: Gap | undefined
  /** Whether there is no gap between the lines of a row that wraps. */
  readonly tight?: boolean | undefined
  /** Across the row; in the middle by default. */
  readonly align?: 'start' | 'end' | 'baseline' | undefined
  /** Along the row; at the start by default. */
  readonly justify?: 'between' | 'center' | 'end' | undefined
  readonly whole?: boolean | undefined
  /** Whether its buttons fill the width of a phone. */
  readonly fill?: boolean | undefined
  /** Whether what follows its first button is as quiet as links. */
  readonly links?: boolean | undefined
}

/** One thing beside the other; wraps where there is no room. */
export function Row<As extends Tag = 'div'>({
  gap = 2,
  tight,
  align,
  justify,
  whole,
  fill,
  links,
  ...rest
}: BoxProps<As, RowProps>) {
  return box(css.row, 'div', {
    'data-gap': gap,
    'data-tight': tight,
    'data-align': align,
    'data-justify': justify,
    'data-whole': whole,
    'data-fill': fill,
    'data-links': links,
    ...rest,
  })
}
