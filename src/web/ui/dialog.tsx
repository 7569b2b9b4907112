import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'
import { Row } from './primitives.tsx'
import css from './dialog.module.css'

/**
 * Frame of every dialog: a window on desktop, a bottom sheet on phones. Loaded on demand. Mount it to open, and unmount
 * it in `onClose`. The initial focus is on the `data-first` element, else the first field, else the first button.
 */
export function Dialog({
  title,
  size = 'note',
  onClose,
  children,
}: {
  readonly title: string
  /** `form` is wide and `wide` is wider; these and `step` fill the screen on phones. */
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
        <Base.Popup
          className={`${css.popup} raised inner-ring`}
          ref={popup}
          data-size={size}
          initialFocus={first}
        >
          <Row
            as="header"
            gap={4}
            align="start"
            justify="between"
            whole
            className={`${css.head} ruled-bottom`}
          >
            <Base.Title className={`${css.title} lead`}>{title}</Base.Title>
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
