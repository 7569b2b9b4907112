import { type ComponentProps, type ReactNode } from 'react'
import css from './button.module.css'
import { classNames } from './class-names.ts'

export type ButtonLook = 'primary' | 'plain' | 'quiet'

/** The classes of a button, for links that look like one. */
export function buttonClass(
  look: ButtonLook,
  options: { readonly large?: boolean; readonly icon?: boolean } = {},
): string | undefined {
  return classNames(css.button, css[look], options.large && css.large, options.icon && css.icon)
}

export function Button({
  look = 'plain',
  large = false,
  className,
  ...rest
}: ComponentProps<'button'> & { readonly look?: ButtonLook; readonly large?: boolean }) {
  return (
    <button
      type="button"
      className={classNames(buttonClass(look, { large }), className)}
      {...rest}
    />
  )
}

/** A button that shows a sign only; its name is read aloud and shown on hover. */
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
      className={classNames(buttonClass(look, { icon: true }), className)}
      {...rest}
    >
      {children}
    </button>
  )
}
