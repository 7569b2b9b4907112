import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, type ComponentProps, type ReactNode } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/primitives.tsx'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange, type Key } from '#web/ui/use-change.ts'

type Decided<Answer> = {
  /** Decisions with different keys, such as those of rows, may run concurrently; each runs once at a time. */
  readonly key?: Key | undefined
  /** Reverts the decision; offered for ten seconds after it is done. */
  readonly undo?: ((answer: Answer) => Promise<unknown>) | undefined
  /** Called with the answer, before data is reloaded. */
  readonly done?: ((answer: Answer) => void) | undefined
  /** `done` has updated the screen, so that the next decision need not wait for the reload. */
  readonly isShown?: boolean
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
    { key, undo, done, isShown }: Decided<Answer> = {},
  ): Promise<boolean> {
    return change.run(async () => {
      const answer = await work()
      done?.(answer)
      const message = messageOf(answer)
      if (undo) toasts.undoable(message ?? 'Done.', () => void takeBack(() => undo(answer), key))
      else if (message !== null) toasts.done(message)
      const reloaded = reload()
      if (!isShown) await reloaded
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

const AreaContext = createContext<Decision | null>(null)

/** Shares one decision between the buttons inside, and shows above them why it was refused. */
export function DecisionArea({
  fields = [],
  children,
}: {
  /** Names of inputs inside that show their own faults. */
  readonly fields?: readonly string[] | undefined
  readonly children: ReactNode
}) {
  const decision = useDecision()
  return (
    <AreaContext value={decision}>
      {!fields.some((name) => decision.failed?.fields[name]) && <Refused decision={decision} />}
      {children}
    </AreaContext>
  )
}

/** The decision of the `DecisionArea` around. */
export function useAreaDecision(): Decision {
  const decision = use(AreaContext)
  if (!decision) throw new Error('outside of a DecisionArea')
  return decision
}

export function Act<Answer>({
  send,
  id,
  undo,
  done,
  sending,
  children,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick' | 'id'> & {
  readonly send: () => Promise<Answer>
  readonly id?: Key
  /** Replaces the text while it is sent. */
  readonly sending?: string
} & Pick<Decided<Answer>, 'undo' | 'done'>) {
  const { run, doing, isBusy: isAny } = useAreaDecision()
  const isBusy = id === undefined ? isAny : doing.has(id)
  return (
    <Button disabled={isBusy} {...button} onClick={() => void run(send, { key: id, undo, done })}>
      {(isBusy && sending) || children}
    </Button>
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
