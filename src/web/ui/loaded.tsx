import { type ReactNode } from 'react'
import { call, sentenceOf, type Callable, type CallInput } from '#web/api/call.ts'
import { Button } from './button.tsx'
import { useAnswer, type Query } from './hooks.ts'
import { Notice } from './notice.tsx'
import { Callout, Panel, Row, Note } from './primitives.tsx'
import css from './notice.module.css'

/** The data of a query, or its loading or error state. Data stays visible when a refresh fails. */
export function Loaded<Data>({
  query: { data, error, refetch },
  what = '',
  loading = `Loading the ${what}...`,
  failed = `The ${what} could not be loaded.`,
  children,
}: {
  readonly query: Query<Data>
  /** For the usual messages. */
  readonly what?: string
  readonly loading?: string
  readonly failed?: string | undefined
  readonly children: (data: Data) => ReactNode
}) {
  const isFailed = error !== null && error !== undefined
  const retry = <Button onClick={() => void refetch()}>Retry</Button>
  if (data === undefined && isFailed) {
    return (
      <Notice alert title={failed} text={sentenceOf(error)}>
        {retry}
      </Notice>
    )
  }
  if (data === undefined) {
    return (
      <Panel gap={1} className="inset" role="status">
        <Note>{loading}</Note>
        {Array.from({ length: 6 }, (_, i) => (
          <div key={i} className={css.block} />
        ))}
      </Panel>
    )
  }
  return (
    <>
      {isFailed && (
        <Callout as="div" tone="bad" role="alert">
          <Row gap={3} justify="between">
            <p>{`${failed} ${sentenceOf(error)} What you see may be out of date.`}</p>
            {retry}
          </Row>
        </Callout>
      )}
      {children(data)}
    </>
  )
}

/** The reply of a call, loaded while its component is mounted; a previous reply stays during a reload. */
export function useLoaded<Called extends Callable>(route: Called, input: CallInput<Called> = {}) {
  return useAnswer(JSON.stringify([route.path, input]), (signal) =>
    call(route, { ...input, signal }),
  )
}
