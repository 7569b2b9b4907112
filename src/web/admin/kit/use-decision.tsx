import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel, Row, Callout, Text } from '#web/ui/primitives.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange, type Key } from '#web/ui/use-change.ts'
import { AdminTable, column } from './admin-table.tsx'

type Decided<Answer> = {
  /** Decisions with different keys, such as those of rows, may run concurrently; each runs once at a time. */
  readonly key?: Key | undefined
  /** Reverts the decision; offered for ten seconds after it is done. */
  readonly undo?: ((answer: Answer) => Promise<unknown>) | undefined
  /** Called with the answer, before data is reloaded. */
  readonly done?: ((answer: Answer) => void) | undefined
}

export type Decision = ReturnType<typeof useDecision>

/** Queries to other services may be slow and change on their own, so they are not awaited. */
const INSIDE = {
  predicate: ({ meta }: { meta?: Record<string, unknown> | undefined }) => !meta?.['isOutside'],
}

/** Sends a decision, confirms it, offers to undo it, and reloads everything on screen, also after a conflict. */
export function useDecision() {
  const client = useQueryClient()
  const toasts = useToasts()
  const reload = () => client.invalidateQueries(INSIDE)
  const change = useChange({ onFailed: ({ status }) => void (status === 409 && reload()) })

  /** @returns whether it succeeded */
  function run<Answer>(
    work: () => Promise<Answer>,
    { key, undo, done }: Decided<Answer> = {},
  ): Promise<boolean> {
    return change.run(async () => {
      const answer = await work()
      done?.(answer)
      const message = messageOf(answer)
      if (undo) toasts.undoable(message ?? 'Done.', () => void takeBack(() => undo(answer), key))
      else if (message !== null) toasts.done(message)
      await reload()
    }, key)
  }

  /** The row may have left the screen, so failures are shown as toasts. */
  function takeBack(work: () => Promise<unknown>, key: Key = ''): Promise<boolean> {
    const undo = () =>
      work().catch((error: unknown) => toasts.failed(`It was not undone. ${sentenceOf(error)}`))
    // Undo may be pressed during the reload.
    return run(undo, { key: `undo ${String(key)}` })
  }

  const { doing, isBusy, failed, forget } = change
  return { run, doing, isBusy, failed, forget }
}

function messageOf(answer: unknown): string | null {
  const hasMessage = typeof answer === 'object' && answer !== null && 'message' in answer
  return hasMessage && typeof answer.message === 'string' ? answer.message : null
}

export function Act<Answer>({
  decision,
  send,
  id,
  undo,
  done,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick' | 'id'> & {
  readonly decision: Decision
  readonly send: () => Promise<Answer>
  readonly id?: Key
} & Pick<Decided<Answer>, 'undo' | 'done'>) {
  return (
    <Button
      disabled={id === undefined ? decision.isBusy : decision.doing.has(id)}
      {...button}
      onClick={() => void decision.run(send, { key: id, undo, done })}
    />
  )
}

export function Refused({ decision: { failed } }: { readonly decision: Decision }) {
  if (failed === null) return null
  return (
    <Callout tone={failed.status === 409 ? 'wait' : 'bad'} role="alert">
      {failed.message}
    </Callout>
  )
}

type StaleField = Readonly<Record<'name' | 'was' | 'theirs' | 'yours', string>>

/** Shows conflicting changes by another administrator; saving keeps `yours`. */
export function Stale({
  fields,
  onTakeTheirs,
}: {
  readonly fields: readonly StaleField[]
  readonly onTakeTheirs: () => void
}) {
  if (fields.length === 0) return null
  return (
    <Panel
      as="section"
      tone="wait"
      gap={2}
      size="small"
      role="alert"
      aria-label="Changed meanwhile"
    >
      <Text strong>Somebody else changed this while you were editing. Saving keeps yours.</Text>
      <AdminTable<StaleField>
        label="Changed meanwhile"
        rows={fields}
        idOf={({ name }) => name}
        columns={[
          column.title('Field', ({ name }) => name),
          column.text('Was', ({ was }) => was),
          column.text('Theirs', ({ theirs }) => theirs),
          column.text('Yours', ({ yours }) => yours),
        ]}
      />
      <Row>
        <Button onClick={onTakeTheirs}>Use their version</Button>
      </Row>
    </Panel>
  )
}
