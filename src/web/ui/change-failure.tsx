import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import { type Change } from './use-change.ts'
import { Panel, Row, Stack } from './stack.tsx'
import { Text } from './text.tsx'

type WaysOn = {
  /** Shows the current state and drops what was typed. */
  readonly onTakeTheirs?: (() => void) | undefined
  /** Sends what was typed once more, on top of the current state. */
  readonly onKeepMine?: (() => void) | undefined
}

/** Why a change was not made. If another administrator was faster: what they changed, and the two ways to go on. */
export function ChangeFailure({
  change,
  onTakeTheirs,
  onKeepMine,
}: WaysOn & { readonly change: Change }) {
  if (change.said === null) return null
  if (!change.isStale) {
    return (
      <Panel tone="wait" size="small" role="alert">
        <p>{change.said}</p>
      </Panel>
    )
  }
  const theirs = Object.entries(change.theirs)
  return (
    <Conflict
      said={change.said}
      isBusy={change.isBusy}
      onTakeTheirs={
        onTakeTheirs &&
        (() => {
          change.forget()
          onTakeTheirs()
        })
      }
      onKeepMine={onKeepMine}
    >
      {theirs.length > 0 && (
        <Stack as="ul" gap={2} size="small" aria-label="Changed meanwhile">
          {theirs.map(([field, text]) => (
            <li key={field}>
              <b>{field.replaceAll('_', ' ')}</b>: <bdi>{text}</bdi>
            </li>
          ))}
        </Stack>
      )}
    </Conflict>
  )
}

/** Says that another administrator was faster, what they changed, and the two ways to go on. */
export function Conflict({
  said,
  isBusy,
  onTakeTheirs,
  onKeepMine,
  children,
}: WaysOn & {
  readonly said: string
  readonly isBusy: boolean
  /** What they changed. */
  readonly children: ReactNode
}) {
  return (
    <Panel
      as="section"
      tone="wait"
      gap={2}
      size="small"
      role="alert"
      aria-label="Changed meanwhile"
    >
      <Text as="h3" size="base">
        {said}
      </Text>
      {children}
      <Row>
        {onTakeTheirs && (
          <Button disabled={isBusy} onClick={onTakeTheirs}>
            Use their version
          </Button>
        )}
        {onKeepMine && (
          <Button disabled={isBusy} onClick={onKeepMine}>
            Keep my version and save
          </Button>
        )}
      </Row>
    </Panel>
  )
}
