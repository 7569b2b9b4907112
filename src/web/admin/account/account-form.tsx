import { type ReactNode, type SubmitEvent } from 'react'
import { Stack } from '#web/ui/stack.tsx'
import css from './account.module.css'

/** A form of the account: its fields one below the other. */
export function AccountForm({
  onSubmit,
  children,
}: {
  /** @param button the value of the button that was pressed */
  readonly onSubmit: (button: string | null) => void
  readonly children: ReactNode
}) {
  return (
    <Stack
      as="form"
      className={css.form}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        onSubmit(event.submitter?.getAttribute('value') ?? null)
      }}
    >
      {children}
    </Stack>
  )
}
