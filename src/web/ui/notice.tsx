import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './notice.module.css'
import { Stack } from './stack.tsx'
import { Text } from './text.tsx'

/** Shown instead of data: there is none yet, or something went wrong and can be tried again. */
export function Notice({
  title,
  text,
  onRetry,
  alert = false,
  children,
}: {
  readonly title: string
  readonly text?: string
  readonly onRetry?: () => void
  /** Something failed: a screen reader says so at once. */
  readonly alert?: boolean
  readonly children?: ReactNode
}) {
  return (
    <Stack gap={2} align="center" className={css.notice} role={alert ? 'alert' : undefined}>
      <Text size="lead" strong>
        {title}
      </Text>
      {text && <p className={css.text}>{text}</p>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      {children}
    </Stack>
  )
}
