import { useState, type ReactNode, createContext, use, useEffect } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Panel, Row, Stack, Text, type StackProps } from '#web/ui/primitives.tsx'
import { DecisionArea, useAreaDecision } from './use-decision.tsx'
import css from './kit.module.css'

type FactRows = readonly (readonly [string, ReactNode])[]

export function FactList({ facts }: { readonly facts: FactRows }) {
  const known = facts.filter(([, value]) => value !== '' && value !== false && value != null)
  if (known.length === 0) return null
  return (
    <Facts size="small">
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
      <DecisionArea>{children}</DecisionArea>
    </Stack>
  )
}

/** Places a form beside decisions; stacked on narrow screens. */
export function Beside({ children }: { readonly children: ReactNode }) {
  return (
    <Row gap={4} align="start" className={css.beside}>
      {children}
    </Row>
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

/** A link to a page of the site, which opens in a new tab. */
export function NewTab({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a href={to} target="_blank">
      {children}
    </a>
  )
}

/** A button that opens a dialog. */
export function DialogButton({
  title,
  button = title,
  about,
  className,
  children,
}: {
  readonly title: string
  readonly button?: string
  /** Tells equal buttons apart for screen readers. */
  readonly about?: string | undefined
  readonly className?: string
  readonly children: (close: () => void) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button
        className={className}
        aria-label={about && `${button}: ${about}`}
        onClick={() => setOpen(true)}
      >
        {button}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Stack gap={4}>{children(close)}</Stack>
        </Dialog>
      )}
    </>
  )
}

/** Asks in a dialog before an irreversible action. Cancel has the focus. */
export function Confirm<Answer>({
  title,
  yes = title,
  send,
  done,
  children,
}: {
  readonly title: string
  readonly yes?: string
  readonly send: () => Promise<Answer>
  readonly done?: () => void
  readonly children: string
}) {
  const { run, isBusy } = useAreaDecision()
  return (
    <DialogButton title={title} className="start">
      {(close) => (
        <>
          <Text>{children}</Text>
          <Row>
            <Button
              tone="bad"
              disabled={isBusy}
              onClick={() => void run(send, { done }).then(close)}
            >
              {yes}
            </Button>
            <DialogClose data-first render={<Button />}>
              Cancel
            </DialogClose>
          </Row>
        </>
      )}
    </DialogButton>
  )
}

export function Section({
  title,
  label = title,
  aside,
  framed = false,
  tone,
  fields,
  children,
  ...more
}: Pick<StackProps, 'gap' | 'ruled' | 'size'> & {
  readonly id?: string | undefined
  readonly title: string
  readonly label?: string
  readonly aside?: ReactNode
  readonly framed?: boolean
  readonly tone?: 'wait'
  /** Names of inputs that show their own faults. */
  readonly fields?: readonly string[]
  readonly children: ReactNode
}) {
  const heading = (
    <Text as="h2" size="lead">
      {title}
    </Text>
  )
  const content = (
    <>
      {aside ? (
        <Row as="header" gap={3}>
          {heading}
          {aside}
        </Row>
      ) : (
        heading
      )}
      <DecisionArea fields={fields}>{children}</DecisionArea>
    </>
  )
  const frame = { as: 'section', 'aria-label': label, ...more, children: content } as const
  if (framed) return <Panel {...frame} tone={tone} />
  // Forms and tables below a line are aligned to the left.
  return <Stack {...frame} align={more.ruled ? 'start' : undefined} />
}

/** Heading of the open screen, also while it loads and after it failed. */
export const ScreenTitle = createContext('')

export function AdminPage({
  title: heading,
  aside,
  width,
  gap = 4,
  children,
}: {
  readonly title?: string
  readonly aside?: ReactNode
  /** `full` for submission lists, `narrow` for short forms and figures. */
  readonly width?: 'full' | 'narrow'
  readonly gap?: 4 | 6 | 8
  readonly children: ReactNode
}) {
  const screenTitle = use(ScreenTitle)
  const title = heading ?? screenTitle
  useTitle(title)
  return (
    <Stack gap={gap} className={css.page} data-width={width}>
      <Row as="header" gap={3} align="baseline" justify="between">
        <Text as="h1" size="title">
          {title}
        </Text>
        {aside}
      </Row>
      <DecisionArea>{children}</DecisionArea>
    </Stack>
  )
}

export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = `${screen} – Proof of Price administration`
  }, [screen])
}

/** The key of a button; the button says what it does. */
export function ButtonKey({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="by-keyboard" aria-hidden="true">
      {children}
    </kbd>
  )
}
