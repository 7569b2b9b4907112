import { box, type BoxProps, type Tag } from './box.ts'
import css from './layout.module.css'
import { Stack, type Gap } from './stack.tsx'

type Tone = 'quiet' | 'bad' | 'good' | 'wait'

type TextProps = {
  /** Inherited by default. */
  readonly tone?: Tone | undefined
  readonly size?: 'small' | 'base' | 'lead' | 'title' | 'head' | undefined
  readonly strong?: boolean | undefined
  /** Whether it is a number that stands out. */
  readonly figure?: boolean | undefined
  /** The lines that are shown; the rest is left out. */
  readonly clip?: 1 | 2 | undefined
}

/** Words in a tone and a size of the tokens: a paragraph by default. */
export function Text<As extends Tag = 'p'>({
  tone,
  size,
  strong,
  figure,
  clip,
  ...rest
}: BoxProps<As, TextProps>) {
  return box(css.text, 'p', {
    'data-tone': tone,
    'data-size': size,
    'data-strong': strong,
    'data-figure': figure,
    'data-clip': clip,
    ...rest,
  })
}

/** A part of a page under its heading. */
export function Section({ title, children, ...rest }: BoxProps<'section', { readonly gap?: Gap }>) {
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
  /** Stacks what it holds, with this gap. */
  readonly gap?: 1 | 2 | 3 | undefined
}

/** A message that must be seen, on the tint of its tone: a paragraph by default. */
export function Callout<As extends Tag = 'p'>({
  tone,
  strong,
  gap,
  ...rest
}: BoxProps<As, CalloutProps>) {
  return box(css.callout, 'p', {
    'data-tone': tone,
    'data-strong': strong,
    'data-gap': gap,
    ...rest,
  })
}

/** Why something failed; nothing while nothing has. */
export function Failure({ said }: { readonly said: string | null | undefined }) {
  if (!said) return null
  return (
    <Callout tone="bad" role="alert">
      {said}
    </Callout>
  )
}
