import { useEffect, useRef, type ComponentProps } from 'react'
import { showCount } from '#domain/price-text.ts'
import { onSeen } from './hooks.ts'
import { classNames } from './primitives.tsx'
import { type Change } from './use-change.ts'
import css from './button.module.css'

export type ButtonLook = 'primary' | 'plain' | 'quiet'

/** Button classes for links that look like buttons. */
export function buttonClass(look: ButtonLook, size?: 'small' | 'large' | 'icon') {
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
  readonly size?: 'small' | 'large' | 'icon'
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

/** A button that sends a change, and is disabled meanwhile. */
export function ChangeButton({
  change,
  send,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'onClick'> & {
  readonly change: Change
  readonly send: () => Promise<unknown>
}) {
  return <Button disabled={change.isBusy} onClick={() => void change.run(send)} {...rest} />
}

/** A button that opens the file picker. */
export function FileButton({
  label,
  accept,
  multiple = false,
  onFiles,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick'> & {
  /** Accessible name of the input. */
  readonly label: string
  readonly accept: string
  readonly multiple?: boolean
  readonly onFiles: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onClick={() => input.current?.click()} {...button} />
      <input
        ref={input}
        hidden
        type="file"
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Reset, so that the same file can be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}

/** An icon-only button with an accessible name, shown on hover. */
export function IconButton({
  label,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'size' | 'aria-label' | 'title'> & {
  readonly label: string
}) {
  return <Button look="quiet" size="icon" aria-label={label} title={label} {...rest} />
}

/** Shows more of a list when it is reached or pressed. */
export function More({ rest, onMore }: { readonly rest: number; readonly onMore: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => onSeen(ref.current, (isSeen) => isSeen && onMore(), '600px'))
  return (
    <div ref={ref} className="column">
      <Button onClick={onMore}>Show more ({showCount(rest)})</Button>
    </div>
  )
}
