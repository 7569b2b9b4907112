import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import css from './dialog.module.css'
import { Icon } from './icon.tsx'
import { Row } from './primitives.tsx'

/**
 * The frame of every dialog: a window on a desktop, a sheet from below on a phone. Loaded on first use; a screen that shows one
 * mounts it open and takes it away when `onClose` is called. The focus begins at what is marked `data-first`, or in its first field; else at
 * the first button.
 */
export function Dialog({
  title,
  size = 'note',
  onClose,
  children,
}: {
  readonly title: string
  /** A `form` is wide, `wide` is wider; these and a `step` fill the screen of a phone. */
  readonly size?: 'note' | 'step' | 'form' | 'wide'
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const popup = useRef<HTMLDivElement>(null)
  const first = () => popup.current?.querySelector<HTMLElement>(FIRST) ?? true
  return (
    <Base.Root defaultOpen onOpenChangeComplete={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={css.popup} ref={popup} data-size={size} initialFocus={first}>
          <Row as="header" gap={4} align="start" justify="between" whole className={css.head}>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close className={buttonClass('quiet', 'icon')} aria-label="Close">
              <Icon name="close" />
            </Base.Close>
          </Row>
          <div className={css.body}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const FIRST = '[data-first] input, [data-first]:not(:has(input))'

export const DialogClose = Base.Close
