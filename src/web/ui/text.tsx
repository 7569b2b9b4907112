import { box, type BoxProps, type Tag } from './box.ts'
import css from './layout.module.css'

type Tone = 'quiet' | 'bad' | 'good' | 'wait'

type TextProps = {
  /** That of what is around it unless said. */
  readonly tone?: Tone | undefined
  readonly size?: 'small' | 'base' | 'lead' | 'title' | 'head' | 'display' | undefined
  readonly strong?: boolean | undefined
  /** The lines that are shown; the rest is left out. */
  readonly clip?: 1 | 2 | undefined
}

/** Words in a tone and a size of the tokens: a paragraph unless said. */
export function Text<As extends Tag = 'p'>({
  tone,
  size,
  strong,
  clip,
  ...rest
}: BoxProps<As, TextProps>) {
  return box(css.text, 'p', {
    'data-tone': tone,
    'data-size': size,
    'data-strong': strong,
    'data-clip': clip,
    ...rest,
  })
}

type CalloutProps = {
  readonly tone: Tone
  readonly strong?: boolean | undefined
  /** What it holds lies one below the other, so far apart. */
  readonly gap?: 1 | 2 | 3 | undefined
}

/** A message that must be seen, on the tint of its tone: a paragraph unless said. */
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
