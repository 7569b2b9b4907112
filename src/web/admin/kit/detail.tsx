import { type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Panel, Row, Stack, Text } from '#web/ui/primitives.tsx'
import css from './kit.module.css'

type FactRows = readonly (readonly [string, ReactNode])[]

export function FactList({
  facts,
  size = 'small',
  className,
}: {
  readonly facts: FactRows
  readonly size?: 'small' | undefined
  readonly className?: string | undefined
}) {
  const known = facts.filter(([, value]) => value !== '' && value !== false && value != null)
  if (known.length === 0) return null
  return (
    <Facts size={size} className={className}>
      {known.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  )
}

export function Detail({
  title,
  label = 'Details',
  aside,
  facts = [],
  onClose,
  children,
}: {
  readonly title: ReactNode
  readonly label?: string
  readonly aside?: ReactNode
  readonly facts?: FactRows
  readonly onClose?: (() => void) | undefined
  readonly children?: ReactNode
}) {
  return (
    <Stack as="section" gap={3} className={css.detail} aria-label={label}>
      <Row gap={3} align="baseline" justify="between">
        <Text as="h2" size="lead">
          {title}
        </Text>
        <Row as="span">
          {aside}
          {onClose && <Button onClick={onClose}>Close</Button>}
        </Row>
      </Row>
      <FactList facts={facts} />
      {children}
    </Stack>
  )
}

/** Places a form beside decisions; stacked on narrow screens. */
export function Beside({ children }: { readonly children: ReactNode }) {
  return (
    <Stack gap={4} className={css.beside}>
      {children}
    </Stack>
  )
}

/** Quotes text by others verbatim. */
export function Words({ children }: { readonly children: ReactNode }) {
  return (
    <blockquote className="quoted as-written" dir="auto">
      {children}
    </blockquote>
  )
}

/** Asks before an irreversible action. Cancel has the focus. */
export function Confirm({
  title,
  yes,
  isBusy,
  onYes,
  onClose,
  children,
}: {
  readonly title: string
  readonly yes: string
  readonly isBusy: boolean
  readonly onYes: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack gap={4}>
        {children}
        <Row>
          <Button tone="bad" disabled={isBusy} onClick={onYes}>
            {yes}
          </Button>
          <DialogClose data-first render={<Button />}>
            Cancel
          </DialogClose>
        </Row>
      </Stack>
    </Dialog>
  )
}

export function Section({
  id,
  title,
  label,
  aside,
  framed = false,
  tone,
  ruled = false,
  gap = 3,
  size,
  children,
}: {
  readonly id?: string | undefined
  readonly title: string
  readonly label?: string
  readonly aside?: ReactNode
  readonly framed?: boolean
  readonly tone?: 'wait'
  /** Draws a line above, and aligns forms and tables to the left. */
  readonly ruled?: boolean
  readonly gap?: 2 | 3 | 4
  readonly size?: 'small'
  readonly children: ReactNode
}) {
  const heading = (
    <Text as="h2" size="lead">
      {title}
    </Text>
  )
  const all = (
    <>
      {aside ? (
        <Row as="header" gap={3}>
          {heading}
          {aside}
        </Row>
      ) : (
        heading
      )}
      {children}
    </>
  )
  const frame = {
    as: 'section',
    id,
    gap,
    size,
    'aria-label': label ?? title,
    children: all,
  } as const
  if (framed) return <Panel {...frame} tone={tone} />
  return <Stack {...frame} ruled={ruled} align={ruled ? 'start' : undefined} />
}
