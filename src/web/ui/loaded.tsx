import { type ReactNode } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from './button.tsx'
import css from './loaded.module.css'
import { Notice } from './notice.tsx'
import { Panel, Row } from './stack.tsx'
import { Callout, Text } from './text.tsx'

type Query<Data> = {
  readonly data: Data | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/** The data of a query, or that it is loading, failed or could not be refreshed. Data once shown stays on screen. */
export function Loaded<Data>({
  query: { data, error, refetch },
  loading,
  failed,
  children,
}: {
  readonly query: Query<Data>
  /** Such as `Loading payments...` */
  readonly loading: string
  /** Such as `The payments could not be loaded.` */
  readonly failed: string
  readonly children: (data: Data) => ReactNode
}) {
  const isFailed = error !== null && error !== undefined
  if (data === undefined) {
    if (!isFailed) {
      return <Loading>{loading}</Loading>
    }
    return (
      <Notice alert title={failed} text={sentenceOf(error)}>
        <Button onClick={() => void refetch()}>Retry</Button>
      </Notice>
    )
  }
  return (
    <>
      {isFailed && <Stale text={`${failed} ${sentenceOf(error)}`} onRetry={() => void refetch()} />}
      {children(data)}
    </>
  )
}

function Loading({ children }: { readonly children: string }) {
  return (
    <Panel gap={1} className={css.loading} role="status">
      <Text tone="quiet" size="small">
        {children}
      </Text>
      {Array.from({ length: 6 }, (_, i) => (
        <div key={i} className={css.bar} />
      ))}
    </Panel>
  )
}

function Stale({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  return (
    <Callout as="div" tone="bad" role="alert">
      <Row gap={3} justify="between">
        <p>{text} What you see may be out of date.</p>
        <Button onClick={onRetry}>Retry</Button>
      </Row>
    </Callout>
  )
}
