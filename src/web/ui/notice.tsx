import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Callout, classNames, Stack, Text } from './primitives.tsx'
import css from './notice.module.css'

/** Shown instead of missing data, or for an error with an optional retry. */
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
  /** An error, announced immediately by screen readers. */
  readonly alert?: boolean
  readonly children?: ReactNode
}) {
  return (
    <Stack
      gap={2}
      align="center"
      className={`${css.notice} at-center`}
      role={alert ? 'alert' : undefined}
    >
      <Text size="lead" strong>
        {title}
      </Text>
      {text && <p className={`${css.text} muted`}>{text}</p>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      {children}
    </Stack>
  )
}

export function DemonstrationNote() {
  return (
    <Callout tone="wait" className={`${css.note} small`}>
      <strong>Demo.</strong> This site uses a test wallet; no real bitcoin changes hands.
    </Callout>
  )
}

/**
 * Grey placeholder shapes.
 *
 * @param label such as `Loading BTC chart...`
 */
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
      <div className={`${css.lines} relative by-script`} role="status">
        <span className={`${css.label} pad muted small`}>{label}</span>
        {Array.from({ length: count }, (_, i) => (
          <div key={i} className={classNames(css.block, css[shape])} />
        ))}
      </div>
    </>
  )
}

/** Rendered by the server only, for pages that need scripts. */
export function NeedsScripts() {
  return (
    <noscript>
      {import.meta.env.SSR && <p>This needs JavaScript, which is off in this browser.</p>}
    </noscript>
  )
}
