import { Button } from './button.tsx'
import { type Change } from './use-change.ts'
import { Panel, Row, Stack } from './stack.tsx'

/** Why a change was not made. Where another administrator was faster: what they changed, and the two ways on. */
export function ChangeFailure({
  change,
  onTakeTheirs,
  onKeepMine,
}: {
  readonly change: Change
  /** Shows the current state and drops what was typed. */
  readonly onTakeTheirs?: () => void
  /** Sends what was typed once more, on top of the current state. */
  readonly onKeepMine?: () => void
}) {
  if (change.said === null) return null
  const theirs = Object.entries(change.theirs)
  return (
    <Panel tone="wait" gap={2} size="small" role="alert">
      <p>{change.said}</p>
      {theirs.length > 0 && (
        <Stack as="ul" gap={2} size="small" aria-label="Changed meanwhile">
          {theirs.map(([field, text]) => (
            <li key={field}>
              <b>{field.replaceAll('_', ' ')}</b>: <bdi>{text}</bdi>
            </li>
          ))}
        </Stack>
      )}
      {change.isStale && (
        <Row>
          {onTakeTheirs && (
            <Button
              onClick={() => {
                change.forget()
                onTakeTheirs()
              }}
            >
              Show the current state
            </Button>
          )}
          {onKeepMine && <Button onClick={onKeepMine}>Keep mine and save</Button>}
        </Row>
      )}
    </Panel>
  )
}
