import { Toast } from '@base-ui/react/toast'
import { useMemo, type ReactNode } from 'react'
import { IconButton, buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'
import { Row } from './primitives.tsx'
import css from './toasts.module.css'

/** Duration of the undo offer; the server allows slightly more. */
const UNDO_MS = 10_000
const VISIBLE_MS = 6_000

export type Toasts = {
  readonly done: (text: string) => void
  /** Shows an error until it is closed. */
  readonly failed: (text: string) => void
  /** Confirms an action and offers to undo it for ten seconds. */
  readonly undoable: (text: string, undo: () => void) => void
}

/** Undoable actions, newest last. */
let offered: readonly (() => void)[] = []

export function undoLast(): void {
  offered.at(-1)?.()
}

export function useToasts(): Toasts {
  const { add, close } = Toast.useToastManager()
  // Stable between renders, so that effects and callbacks may depend on it.
  return useMemo(
    () => ({
      done: (text) => void add({ description: text, timeout: VISIBLE_MS }),
      failed: (text) =>
        void add({ description: text, type: 'failed', priority: 'high', timeout: 0 }),
      undoable: (text, undo) => {
        const take = (): void => {
          close(id)
          undo()
        }
        const id: string = add({
          description: text,
          timeout: UNDO_MS,
          actionProps: { children: 'Undo', onClick: take },
          onClose: () => {
            offered = offered.filter((one) => one !== take)
          },
        })
        offered = [...offered, take]
      },
    }),
    [add, close],
  )
}

export function ToastRoom({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={css.viewport}>
          <VisibleToasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function VisibleToasts() {
  const { toasts, close } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`${css.toast} floating`}
      aria-label={toast.type === 'failed' ? 'Failed' : 'Done'}
      swipeDirection={['right', 'down']}
    >
      <Toast.Content render={<Row gap={3} whole />}>
        <Toast.Description className="grow" />
        {toast.actionProps && <Toast.Action className={buttonClass('plain')} />}
        <IconButton label="Close" onClick={() => close(toast.id)}>
          <Icon name="close" size={16} />
        </IconButton>
      </Toast.Content>
    </Toast.Root>
  ))
}
