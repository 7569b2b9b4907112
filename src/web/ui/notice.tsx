import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './notice.module.css'
import { Callout, classNames, Stack, Text } from './primitives.tsx'

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

/** Grey shapes in the geometry of what is loading. @param label what that is, such as `Loading BTC chart...` */
export function Skeleton({
  shape,
  count = 1,
  label,
}: {
  readonly shape: 'card' | 'chart'
  readonly count?: number
  readonly label: string
}) {
  return (
    <>
      <NeedsScripts />
      <div className={css.lines} role="status">
        <span className={css.label}>{label}</span>
        {Array.from({ length: count }, (_, i) => (
          <div key={i} className={classNames(css.block, css[shape])} />
        ))}
      </div>
    </>
  )
}

/** Fallback without scripts, where a page needs them. Only the server draws it. */
export function NeedsScripts() {
  return (
    <noscript>
      {import.meta.env.SSR && <p>This needs JavaScript, which is off in this browser.</p>}
    </noscript>
  )
}
