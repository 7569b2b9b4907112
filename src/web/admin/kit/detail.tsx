import { type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Panel, Row, Stack, Text } from '#web/ui/primitives.tsx'
import css from './kit.module.css'

type FactRows = readonly (readonly [string, ReactNode])[]

/** Names with their values; those without a value are left out. */
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

/** An opened row with its facts and decisions. */
export function Detail({
  title,
  label = 'Details',
  aside,
  facts = [],
  onClose,
  children,
}: {
  readonly title: ReactNode
  /** Distinguishes it where several may be open at once. */
  readonly label?: string
  /** Beside the title, such as its state. */
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

/** Edit form beside decision form; stacked on narrow screens. */
export function Beside({ children }: { readonly children: ReactNode }) {
  return (
    <Stack gap={4} className={css.beside}>
      {children}
    </Stack>
  )
}

/** Words of others, as they were written. */
export function Words({ children }: { readonly children: ReactNode }) {
  return (
    <blockquote className={`${css.words} as-written`} dir="auto">
      {children}
    </blockquote>
  )
}

/** Asks before something that cannot be undone. The focus is on Cancel. */
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
  /** What will happen. */
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

/** A part of a screen below its heading. */
export function Section({
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
  readonly title: string
  /** What it is called, if not by its title. */
  readonly label?: string
  /** Beside the title. */
  readonly aside?: ReactNode
  readonly framed?: boolean
  readonly tone?: 'wait'
  /** Whether a line divides it from the part above, and its forms and tables keep to its left. */
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
  const frame = { as: 'section', gap, size, 'aria-label': label ?? title, children: all } as const
  if (framed) return <Panel {...frame} tone={tone} />
  return <Stack {...frame} ruled={ruled} align={ruled ? 'start' : undefined} />
}
