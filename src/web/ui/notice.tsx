import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Stack } from './stack.tsx'
import { Text, Callout } from './text.tsx'
import css from './notice.module.css'

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

export function DemonstrationNote() {
  return (
    <Callout tone="wait" className={css.note}>
      <strong>Demo.</strong> This site uses a test wallet; no real bitcoin changes hands.
    </Callout>
  )
}
