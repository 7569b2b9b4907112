import { type ReactNode } from 'react'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from './button.tsx'
import css from './loaded.module.css'
import { Notice } from './notice.tsx'
import { Row } from './stack.tsx'

/** What a query of @tanstack/react-query tells. */
type Query<Data> = {
  readonly data: Data | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/** What was asked for, or that it is on its way, failed, or could not be refreshed. What there is stays on screen. */
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
      return (
        <div className={css.loading} role="status">
          <p>{loading}</p>
          {Array.from({ length: 6 }, (_, i) => (
            <div key={i} className={css.bar} />
          ))}
        </div>
      )
    }
    return (
      <Notice alert title={failed} text={sentenceOf(error)}>
        <Button onClick={() => void refetch()}>Retry</Button>
      </Notice>
    )
  }
  return (
    <>
      {isFailed && (
        <Row gap={3} justify="between" className={css.stale} role="alert">
          <p>
            {failed} {sentenceOf(error)} What you see is from before.
          </p>
          <Button onClick={() => void refetch()}>Retry</Button>
        </Row>
      )}
      {children(data)}
    </>
  )
}
