import {
  createElement,
  type ComponentProps,
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

type BoxProps<As extends Tag, Own> = Own & {
  readonly as?: As | undefined
  readonly className?: string | undefined
  readonly children?: ReactNode
} & Omit<ComponentProps<As>, keyof Own | 'as' | 'className' | 'children'>

type Primitive<Own, Standard extends Tag> = <As extends Tag = Standard>(
  props: BoxProps<As, Own>,
) => ReactNode

type Parts = {
  readonly size?: string | undefined
  readonly strong?: boolean | undefined
  readonly gap?: Gap | undefined
}

/**
 * An element with layout or text style; feature style sheets override all primitives.
 * @param data own props that the style sheet reads as data attributes, besides the gap; size and strength are classes
 */
function primitive<Own extends Parts, Standard extends Tag>(
  standard: Standard,
  name: string | undefined,
  data: readonly Exclude<keyof Own & string, keyof Parts>[],
  gapByDefault?: Gap,
): Primitive<Own, Standard> {
  const isData = new Set<string>(data)
  return function Primitive({ as, className, size, strong, gap = gapByDefault, ...rest }) {
    const attributes = Object.entries(rest).map(([key, value]) => [
      isData.has(key) ? `data-${key}` : key,
      value,
    ])
    return createElement(as ?? standard, {
      'data-gap': gap,
      ...Object.fromEntries(attributes),
      className: classNames(name, size, strong && 'semibold', className),
    })
  }
}

type Gap = 0 | 1 | 2 | 3 | 4 | 6 | 8

export type StackProps = {
  readonly gap?: Gap | undefined
  /** Alignment of children narrower than the column; by default they stretch. */
  readonly align?: 'start' | 'center' | undefined
  /** Text size; inherited by default. */
  readonly size?: 'small' | undefined
  /** Draws a line above. */
  readonly ruled?: boolean | undefined
}

/** Vertical layout. */
export const Stack = primitive<StackProps, 'div'>('div', css.stack, ['align', 'ruled'], 3)

/** A framed stack; tinted while it awaits a decision. */
export const Panel = primitive<StackProps & { readonly tone?: 'wait' | undefined }, 'div'>(
  'div',
  classNames(css.stack, css.panel, 'card'),
  ['align', 'ruled', 'tone'],
  3,
)

type TileProps = {
  readonly gap?: Gap | undefined
  /** Minimum column width; 13 rem by default, `half` and `third` for at most two and three. */
  readonly least?: '16rem' | '20rem' | 'half' | 'third' | undefined
}

/** As many equal columns as fit. */
export const Tiles = primitive<TileProps, 'div'>('div', css.tiles, ['least'], 3)

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
export const Row = primitive<RowProps, 'div'>(
  'div',
  css.row,
  ['tight', 'align', 'justify', 'whole', 'fill', 'links'],
  2,
)

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
export const Text = primitive<TextProps, 'p'>('p', css.text, ['tone', 'figure', 'clip'])

/** A quiet remark in small text; a paragraph by default. */
export function Note<As extends Tag = 'p'>(props: BoxProps<As, TextProps>) {
  return Text({ tone: 'quiet', size: 'small', ...props })
}

/** Quiet words in a line. */
export function Quiet(props: BoxProps<'span', TextProps>) {
  return Text({ as: 'span', tone: 'quiet', ...props })
}

type CalloutProps = {
  readonly tone: Tone
  readonly strong?: boolean | undefined
  /** Stacks its children with this gap. */
  readonly gap?: 1 | 2 | 3 | undefined
}

/** A highlighted message; a paragraph by default. */
export const Callout = primitive<CalloutProps, 'p'>('p', css.callout, ['tone'])

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
