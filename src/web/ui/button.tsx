import { type ComponentProps, type ReactNode } from 'react'
import css from './button.module.css'
import { classNames } from './primitives.tsx'

export type ButtonLook = 'primary' | 'plain' | 'quiet'

/** Button classes for links that look like buttons. */
export function buttonClass(
  look: ButtonLook,
  size?: 'small' | 'large' | 'icon',
): string | undefined {
  return classNames(css.button, css[look], size && css[size])
}

export function Button({
  look = 'plain',
  size,
  tone,
  className,
  ...rest
}: ComponentProps<'button'> & {
  readonly look?: ButtonLook
  readonly size?: 'small' | 'large'
  /** Colour for a decision. */
  readonly tone?: 'good' | 'bad'
}) {
  return (
    <button
      type="button"
      className={classNames(buttonClass(look, size), className)}
      data-tone={tone}
      {...rest}
    />
  )
}

/** An icon-only button with an accessible name, shown on hover. */
export function IconButton({
  label,
  look = 'quiet',
  children,
  className,
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & {
  readonly label: string
  readonly look?: ButtonLook
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(buttonClass(look, 'icon'), className)}
      {...rest}
    >
      {children}
    </button>
  )
}
