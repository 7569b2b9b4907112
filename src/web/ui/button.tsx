import { showCount } from '#domain/price-text.ts'
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
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

/** Shows more of a list when it is reached or pressed. */
export function More({ rest, onMore }: { readonly rest: number; readonly onMore: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (!element || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore()
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  })
  return (
    <div ref={ref} className="column">
      <Button onClick={onMore}>Show more ({showCount(rest)})</Button>
    </div>
  )
}
