import {
  createElement,
  type ComponentProps,
  type ElementType,
  type JSX,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import css from './primitives.module.css'

export function classNames(
  ...names: readonly (string | false | null | undefined)[]
): string | undefined {
  const joined = names.filter(Boolean).join(' ')
  return joined === '' ? undefined : joined
}

type Tag = keyof JSX.IntrinsicElements

type Common = {
  readonly className?: string | undefined
  readonly children?: ReactNode
}

type BoxProps<As extends Tag, Own> = Own &
  Common & {
    readonly as?: As | undefined
  } & Omit<ComponentProps<As>, keyof Own | keyof Common | 'as'>

function box(
  primitive: string | undefined,
  standard: Tag,
  { as, className, ...rest }: { as?: ElementType | undefined; className?: string | undefined },
): ReactNode {
  return createElement(as ?? standard, { className: classNames(primitive, className), ...rest })
}

export type Gap = 0 | 1 | 2 | 3 | 4 | 6 | 8

type StackProps = {
  readonly gap?: Gap | undefined
  /** Alignment of children narrower than the column; by default they stretch. */
  readonly align?: 'start' | 'center' | undefined
  /** Text size; inherited by default. */
  readonly size?: 'small' | undefined
  /** Draws a line above. */
  readonly ruled?: boolean | undefined
}

/** Vertical layout. Feature style sheets override all primitives. */
export function Stack<As extends Tag = 'div'>({
  gap = 3,
  align,
  size,
  ruled,
  className,
  ...rest
}: BoxProps<As, StackProps>) {
  return box(css.stack, 'div', {
    'data-gap': gap,
    'data-align': align,
    'data-ruled': ruled,
    ...rest,
    className: classNames(size, className),
  })
}

/** A framed stack; tinted while it awaits a decision. */
export function Panel<As extends Tag = 'div'>({
  tone,
  className,
  ...rest
}: BoxProps<As, StackProps & { readonly tone?: 'wait' | undefined }>) {
  return Stack({ className: classNames(css.panel, 'card', className), 'data-tone': tone, ...rest })
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
    /** Minimum column width; 13 rem by default, `half` and `third` for at most two and three. */
    readonly least?: '16rem' | '20rem' | 'half' | 'third' | undefined
  }
>) {
  return box(css.tiles, 'div', { 'data-gap': gap, 'data-least': least, ...rest })
}

type RowProps = {
  readonly gap?: Gap | undefined
  /** No gap between wrapped lines. */
  readonly tight?: boolean | undefined
  /** Cross-axis alignment; centred by default. */
  readonly align?: 'start' | 'end' | 'baseline' | undefined
  /** Main-axis alignment; start by default. */
  readonly justify?: 'between' | 'center' | 'end' | undefined
  readonly whole?: boolean | undefined
  /** Buttons fill the width on phones. */
  readonly fill?: boolean | undefined
  /** Buttons after the first look like links. */
  readonly links?: boolean | undefined
}

/** Horizontal layout that wraps. */
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

type Tone = 'quiet' | 'bad' | 'good' | 'wait'

type TextProps = {
  /** Inherited by default. */
  readonly tone?: Tone | undefined
  readonly size?: 'small' | 'base' | 'lead' | 'title' | 'head' | undefined
  readonly strong?: boolean | undefined
  /** A prominent number. */
  readonly figure?: boolean | undefined
  readonly clip?: 1 | 2 | undefined
}

/** Text with tone and size from the tokens; a paragraph by default. */
export function Text<As extends Tag = 'p'>({
  tone,
  size,
  strong,
  figure,
  clip,
  className,
  ...rest
}: BoxProps<As, TextProps>) {
  return box(css.text, 'p', {
    'data-tone': tone,
    'data-figure': figure,
    'data-clip': clip,
    ...rest,
    className: classNames(size, strong && 'semibold', className),
  })
}

/** A quiet remark in small text; a paragraph by default. */
export function Note<As extends Tag = 'p'>(props: BoxProps<As, TextProps>) {
  return Text({ tone: 'quiet', size: 'small', ...props })
}

export function Section({
  title,
  children,
  ...rest
}: BoxProps<'section', Omit<StackProps, 'size'>>) {
  return (
    <Stack as="section" {...rest}>
      <Text as="h2" size="title">
        {title}
      </Text>
      {children}
    </Stack>
  )
}

type CalloutProps = {
  readonly tone: Tone
  readonly strong?: boolean | undefined
  /** Stacks its children with this gap. */
  readonly gap?: 1 | 2 | 3 | undefined
}

/** A highlighted message; a paragraph by default. */
export function Callout<As extends Tag = 'p'>({
  tone,
  strong,
  gap,
  className,
  ...rest
}: BoxProps<As, CalloutProps>) {
  return box(css.callout, 'p', {
    'data-tone': tone,
    'data-gap': gap,
    ...rest,
    className: classNames(strong && 'semibold', className),
  })
}

/** Props of a form that is sent by a call, which also validates it. */
export const sends = (send: (event: SubmitEvent<HTMLFormElement>) => void) => ({
  noValidate: true,
  onSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    send(event)
  },
})

/** An error message; renders nothing for null. */
export function Failure({ message }: { readonly message: string | null | undefined }) {
  if (!message) return null
  return (
    <Callout tone="bad" role="alert">
      {message}
    </Callout>
  )
}

export function TableHead({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
